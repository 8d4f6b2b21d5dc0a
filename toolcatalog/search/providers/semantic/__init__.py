"""The providers `semantic` and `hybrid`: meaning, by vectors in PostgreSQL (pgvector), and words and meaning together.

They keep the same index as `postgres`, and vectors beside it (see `jobs`: made after the tool is saved). Where there is
no embedder or no pgvector, `hybrid` answers by words alone and says so in `details`; `semantic` fails.
"""

from .hybrid import HybridProvider
from .jobs import QueueState, queue_all, read_queue
from .meaning import SemanticProvider, describe_state, read_semantic_health
from .vectors import create_vector_table, has_vectors
from .worker import work_off

__all__ = [
    "HybridProvider",
    "QueueState",
    "SemanticProvider",
    "create_vector_table",
    "describe_state",
    "has_vectors",
    "queue_all",
    "read_queue",
    "read_semantic_health",
    "work_off",
]
