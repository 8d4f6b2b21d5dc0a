"""Synthetic catalogs of any size, made by the same services that curators use."""

from __future__ import annotations

from collections.abc import Iterator

from toolcatalog.contract.matching import MatcherRow
from toolcatalog.curation import (
    Author,
    GroupDocument,
    ProfileDocument,
    ToolDocument,
    create_api_key,
    create_tenant,
    save_group,
    save_profile,
    save_tools,
)
from toolcatalog.models import AgentProfile

AUTHOR = Author("benchmark")
VERBS = ("get", "list", "create", "update", "cancel", "export", "share", "archive", "approve", "estimate")
THINGS = ("Order", "Parcel", "Invoice", "Meeting", "Report", "Customer", "Contract", "Ticket", "Forecast", "Employee")
CHINESE = ("订单", "包裹", "发票", "会议", "报表", "客户", "合同", "工单", "预测", "员工")
PLACES = ("Warehouse", "Office", "Store", "Region", "Team", "Partner", "Channel", "Campaign", "Project", "Branch")
BATCH = 2000


def make_tool(number: int) -> ToolDocument:
    """One of any number of different tools, half of them described in Chinese, each of about 1 kB."""
    verb, index = VERBS[number % 10], number // 10 % 10
    thing, place = THINGS[index], PLACES[number // 100 % 10]
    chinese = number % 2 == 0
    text = (
        f"按{place}查询或处理{CHINESE[index]}，编号 {number}。只返回当前账号可以看到的{CHINESE[index]}，按时间排列。"
        if chinese
        else f"{verb.title()} one {thing.lower()} of a {place.lower()}, number {number}, for this account."
    )
    return ToolDocument(
        name=f"{verb}{thing}For{place}{number}",
        title=f"{thing} {number}",
        description=text,
        category=thing.lower(),
        tags=(place.lower(),),
        parameters={
            "type": "object",
            "properties": {
                f"{thing.lower()}Id": {"type": "string", "description": f"Which {thing.lower()} is meant"},
                "since": {"type": "string", "description": "From this day on", "format": "date"},
                "limit": {"type": "integer", "description": "How many at most", "minimum": 1, "maximum": 100},
                "state": {"type": "string", "enum": ["open", "closed", "waiting"], "description": "Only in this state"},
            },
            "required": [f"{thing.lower()}Id"],
        },
    )


def make_groups(tools: int) -> Iterator[GroupDocument]:
    """Fifty groups of four conditions; the first ten match the benchmark's request and bring two tools each."""
    for number in range(50):
        matching = number < 10
        word = "订单" if matching else f"词语{number}"
        rows = (
            MatcherRow("message", "contains_any", [word, f"word{number}"]),
            MatcherRow("account_id", "exists"),
            MatcherRow("attribute", "equals", "premium" if matching else f"plan{number}", attribute="plan"),
            MatcherRow("message", "matches_regex", f"(?i)(快递|物流){number}.*(查询|状态)", condition_set=2),
        )
        names = tuple(make_tool(number * 2 + place).name for place in range(2) if number * 2 + place < tools)
        yield GroupDocument(
            name=f"group-{number}",
            position=number,
            tools=names,
            matchers=rows,
            system_prompt=f"Prompt of group {number}.",
        )


def make_catalog(slug: str, tools: int) -> str:
    """A tenant with so many tools, 50 groups and 200 conditions; answers a key."""
    tenant = create_tenant(slug)
    for first in range(0, tools, BATCH):
        numbers = range(first, min(first + BATCH, tools))
        failed = [t for t in save_tools(tenant, [(make_tool(n), None) for n in numbers], AUTHOR) if t.errors]
        if failed:
            raise RuntimeError(f"The benchmark's own tools were refused: {failed[0].errors}")
    for group in make_groups(tools):
        save_group(tenant, group, AUTHOR)
    profile = AgentProfile.objects.get(tenant=tenant)
    save_profile(tenant, ProfileDocument(slug="default", is_default=True), profile=profile)
    return create_api_key(tenant, ["resolve"], name="benchmark").secret
