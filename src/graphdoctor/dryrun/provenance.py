"""Which variables and watched tensors a value was computed from, and where the way was lost.

For each source of a gradient: the tapes on which the whole way from it is recorded, and for each tape that
lost it, why and where. This is all that `tape.gradient` needs to know.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphdoctor.dryrun.context import Activation, SourceModule


class Loss:
    """Where and why a way was lost: `reason` is one of `recording/gradients.py`."""

    __slots__ = ("detail", "node", "operation", "reason", "way")

    def __init__(
        self,
        reason: str,
        operation: str,
        node: ast.AST,
        way: tuple[tuple[Activation, ast.AST, SourceModule], ...],
        detail: str = "",
    ) -> None:
        self.reason = reason
        self.operation = operation
        self.node = node
        self.way = way  # the calls under way when it was lost
        self.detail = detail


class Path:
    """The way from one source: the tapes that have it whole, and what the others lost it by."""

    __slots__ = ("lost", "tapes")

    def __init__(self, tapes: frozenset[int], lost: Loss | None = None) -> None:
        self.tapes = tapes
        self.lost = lost


Paths = dict[int, Path]


def merge_paths(one: Paths | None, other: Paths | None) -> Paths | None:
    """The ways of what was computed from both."""
    if not one:
        return other
    if not other or other is one:
        return one
    merged = dict(one)
    for source, path in other.items():
        known = merged.get(source)
        merged[source] = path if known is None else Path(known.tapes | path.tapes, known.lost or path.lost)
    return merged


def merge_all(several: Iterable[Paths | None]) -> Paths | None:
    """The ways of what was computed from all."""
    merged: Paths | None = None
    for paths in several:
        merged = merge_paths(merged, paths)
    return merged


def through(paths: Paths | None, recording: frozenset[int], lost: Loss | None) -> Paths | None:
    """The ways after an operation: on the tapes that record now, unless the operation loses them.

    `lost` says why a way ends here: for the tapes that do not record, or for all when `recording` is empty.
    """
    if not paths:
        return paths
    return {
        source: path if path.tapes <= recording else Path(path.tapes & recording, path.lost or lost)
        for source, path in paths.items()
    }
