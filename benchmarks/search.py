"""How long a search takes, beside a bare query for one row in the same run.

    python -m benchmarks.search [--tools 2000,10000] [--queries 100] [--folder F] [--provider postgres]

The catalogs are made of the graded tools of `tests/search/graded`, or of evaluation sets in a folder, repeated under
other names until they are large enough. Times are milliseconds of application and database together, permission filter
included; the ratios say more than they do, since a busy machine slows down both. Beside them stands the CPU time of the
application and of its database session together (Linux, server on this machine): no neighbour adds to it. Nothing stays
behind.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")

GRADED = Path(__file__).parent.parent / "tests" / "search" / "graded"
OWNER = 1
LIMIT = 5
SAVES = 300
STEP = 7_919
"""A prime: tools that are saved one after the other have nothing in common."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def main() -> None:
    """Measure each size in a database of its own."""
    options = read_options()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DATA_DIR", folder)
        os.environ.setdefault("LOG_LEVEL", "ERROR")
        os.environ.update(DEBUG="false", ALLOW_EMBEDDED_DATABASE="true")  # else each statement is kept and logged
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        for size in map(int, options.tools.split(",")):
            measure(size, options)


def read_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default="2000,10000", help="catalog sizes, comma-separated")
    parser.add_argument("--queries", type=int, default=100, help="queries of each kind")
    parser.add_argument("--folder", type=Path, default=GRADED, help="where tools.jsonl and queries.jsonl are, or below")
    parser.add_argument("--provider", default="postgres")
    return parser.parse_args()


def measure(size: int, options: argparse.Namespace) -> None:
    """Fill a catalog, time each kind of query, and empty it again."""
    from django.db import connection

    from toolcatalog.management.evaluation_files import read_folder
    from toolcatalog.search import SearchQuery, get_provider, search_tools

    sets = read_folder(options.folder)
    provider = get_provider(options.provider)
    documents = make_documents([row for each in sets for row in each.tools], size)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        print(f"{size} tools: build {clock(lambda: fill(provider, documents)) / 1000:.1f} s", end=", ")
    edits = [change(documents[number * STEP % size], number) for number in range(SAVES)]
    saves = [clock(partial(provider.save, edit)) for edit in edits]
    print(f"save one p50 {percentile(saves, 0.5):.1f}, p95 {percentile(saves, 0.95):.1f}, slowest {max(saves):.1f} ms")
    wait_for_vectors(provider)
    allowed = frozenset(document.tool_id for document in documents)
    texts = [question.query for each in sets for question in each.questions]
    for kind, queries in make_queries(texts, options.queries).items():
        bare = [clock(ask_for_one_row) for _ in queries]
        searches = [partial(search_tools, provider, SearchQuery(query, allowed, [OWNER], LIMIT)) for query in queries]
        server = find_server_process()
        measured = [clock_both(search, server) for search in searches]
        report(kind, [wall for wall, _ in measured], bare)
        processor = [cpu for _, cpu in measured]
        print(f"  {'':32} CPU p50 {percentile(processor, 0.5):3.1f}  p95 {percentile(processor, 0.95):3.1f} ms")
    provider.clear(OWNER)


def make_documents(rows: Sequence[dict[str, Any]], size: int) -> list[Any]:
    """Tools under distinct names, in no order."""
    from toolcatalog.contract.tools import SearchDocument
    from toolcatalog.management.trial import choose_names

    shuffled = random.Random(1).sample(list(zip(choose_names(rows), rows, strict=True)), len(rows))
    documents = []
    for number in range(size):
        (name, row), turn = shuffled[number % len(rows)], number // len(rows)
        documents.append(
            SearchDocument(
                tool_id=number + 1,
                owner_id=OWNER,
                name=f"{name[:120]}_{turn}" if turn else name[:120],
                description=row.get("description") or "",
                category=(row["category"],) * 2 if row.get("category") else None,
                tags=tuple((tag, tag) for tag in row.get("tags") or ()),
                parameters=row.get("parameters") or {},
            )
        )
    return documents


def fill(provider: Any, documents: Sequence[Any]) -> None:
    """Index everything, and have the server look at it as it does by itself after a while."""
    from django.db import connections

    from toolcatalog.search import save_documents
    from toolcatalog.search.embedding import active_embedder
    from toolcatalog.search.providers.semantic import SemanticProvider, work_off

    save_documents(provider, documents)
    if isinstance(provider, SemanticProvider):
        work_off(active_embedder())
    with connections["owner"].cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def wait_for_vectors(provider: Any) -> None:
    """Until nothing is left to be embedded, which would go on beside the searches."""
    from toolcatalog.search.providers.semantic import SemanticProvider, read_queue

    while isinstance(provider, SemanticProvider) and (queue := read_queue()).pending > queue.failed:
        time.sleep(0.1)


def change(document: Any, number: int) -> Any:
    """The same tool with another description."""
    from dataclasses import replace

    return replace(document, description=f"{document.description} Edition {number}.")


def make_queries(texts: Sequence[str], count: int) -> dict[str, list[str]]:
    """Queries by kind: short ones in both languages, long ones, mistyped ones, hostile ones."""
    chance = random.Random(2)
    shuffled = chance.sample(list(texts), len(texts))
    short = [text for text in shuffled if len(text) <= 120]
    chinese = [text for text in short if any("\u4e00" <= character <= "\u9fff" for character in text)]
    english = [text for text in short if text.isascii()]
    words = [word for text in english for word in text.lower().split() if len(word) > 5 and word.isalpha()]
    pairs = zip(words, words[7:], strict=False)
    joined = " ".join(shuffled * (1 + 40_000 // max(1, sum(map(len, shuffled)))))
    chinese_run = "".join(chinese * (1 + 10_000 // max(1, sum(map(len, chinese)))))[:10_000]
    kinds = {
        "English, up to 120 characters": english,
        "Chinese, up to 120 characters": chinese,
        "only typing errors": [f"{slip(chance, word)} {slip(chance, other)}" for word, other in pairs],
        "over 300 characters": [joined[start : start + 340] for start in range(0, 30_000, 340)],
        "5,000 characters": [joined[start : start + 5_000] for start in range(0, 20_000, 5_000)],
        "10,000 characters of Chinese": [chinese_run] * 4,
        "only emoji": ["😀🎉" * 50] * 10,
        "only operators": ["& | ! <-> :* ( ) \\ ' %"] * 10,
    }
    return {kind: queries[:count] for kind, queries in kinds.items() if queries}


def slip(chance: random.Random, word: str) -> str:
    """The word with two letters exchanged, and one of another alphabet's place put in."""
    place = chance.randrange(1, len(word) - 2)
    exchanged = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    return exchanged if exchanged != word else word[:place] + chance.choice(LETTERS) + word[place:]


def ask_for_one_row() -> None:
    """What every search costs at least: one statement there and back."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM toolcatalog_searchentry WHERE tool_id = 1")
        cursor.fetchone()


def clock(call: Callable[[], object]) -> float:
    """Milliseconds that a call takes."""
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def clock_both(call: Callable[[], object], server: int) -> tuple[float, float]:
    """Milliseconds that a call takes, and of CPU time that this process and the database session use for it."""
    before = 1000 * time.process_time() + read_cpu(server)
    wall = clock(call)
    return wall, 1000 * time.process_time() + read_cpu(server) - before


def find_server_process() -> int:
    """The process of this session at the server."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def read_cpu(process: int) -> float:
    """Milliseconds that a process has run so far; 0 where that cannot be told."""
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e6
    except OSError:
        return 0.0


def percentile(times: Sequence[float], share: float) -> float:
    """The nearest rank."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def report(kind: str, times: Sequence[float], bare: Sequence[float]) -> None:
    """One line: times and their ratio to the bare query's median."""
    middle, late, floor = percentile(times, 0.5), percentile(times, 0.95), percentile(bare, 0.5)
    print(
        f"  {kind:32} p50 {middle:7.1f}  p95 {late:7.1f} ms   bare {floor:5.2f} ms   "
        f"ratio p50 {middle / floor:6.1f}  p95 {late / floor:6.1f}"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
