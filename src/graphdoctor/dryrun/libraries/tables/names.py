"""Names of libraries that have something in common, written down by hand in `names.json`."""

import functools
import json
import pathlib
from typing import Any


@functools.cache
def _table() -> dict[str, Any]:
    return json.loads(pathlib.Path(__file__).with_name("names.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def names(kind: str) -> frozenset[str]:
    """Those that have this in common."""
    return frozenset(_table()[kind])


def spellings(kind: str) -> dict[str, str]:
    """What each of some names stands for, or what its beginning is replaced by; in this order."""
    return dict(_table()[kind])
