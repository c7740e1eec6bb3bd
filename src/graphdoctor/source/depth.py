"""Room for syntax that is nested deeply: our walks call themselves several times per level."""

import contextlib
import sys
from collections.abc import Iterator

DEEPEST_PYTHON = 20_000


@contextlib.contextmanager
def deep_calls() -> Iterator[None]:
    """Let Python calls nest as deeply as a tree that its parser accepts may need."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST_PYTHON))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
