"""Which variables and watched tensors a value was computed from, and where the way was lost.

For each source of a gradient: the tapes on which the whole way from it is recorded, and for each tape that
lost it, why and where. This is all that `tape.gradient` needs to know.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from graphdoctor.dryrun.values import numbers

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.context import SourceModule

# The source that stands for all that is unknown: whatever is asked for may be behind it.
ANYTHING: Final = 0
NO_TAPES: Final[frozenset[int]] = frozenset()


@dataclass(slots=True, eq=False, repr=False)
class Loss:
    """Where and why a way was lost: `reason` is one of `recording/gradients.py`.

    `number` orders it among the tapes; `paused` are the tapes that were asked not to record just then.
    `fed`: what came of it went through weights that a tape does record.
    """

    reason: str
    operation: str
    node: ast.AST
    module: SourceModule
    detail: str = ""
    paused: frozenset[int] = NO_TAPES
    fed: bool = False
    number: int = field(default_factory=lambda: next(numbers))


class Term(Loss):
    """Where and why one of the terms of a sum was lost, while the others have the way."""

    __slots__ = ()


class Path:
    """The way from one source: the tapes that have it whole, and by what each other lost it.

    `began` is the operation by which a tape that did not record at that time has lost it. `beside` are the
    tapes that have every operation of it for the sake of another source: asked to watch this one, even
    afterwards, they have it whole.
    """

    __slots__ = ("began", "beside", "lost", "tapes")

    def __init__(
        self,
        tapes: frozenset[int],
        lost: Mapping[int, Loss] | None = None,
        began: Loss | None = None,
        beside: frozenset[int] = NO_TAPES,
    ) -> None:
        self.tapes = tapes
        self.lost: Mapping[int, Loss] = lost or {}
        self.began = began
        self.beside = beside

    def lost_by(self, tape: int) -> Loss | None:
        """Why a tape does not have it; None when it has."""
        return None if tape in self.tapes else self.lost.get(tape, self.began)


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
        if known is None:
            merged[source] = path
        elif known is not path:
            lost = {**path.lost, **known.lost} if path.lost else known.lost
            began, beside = known.began or path.began, known.beside | path.beside
            merged[source] = Path(known.tapes | path.tapes, lost, began, beside)
    return merged


def without_terms(paths: Paths) -> Paths:
    """The ways of what is no sum any more, of which a term could be missed."""
    return {
        source: Path(
            path.tapes,
            {tape: loss for tape, loss in path.lost.items() if not isinstance(loss, Term)},
            path.began,
            path.beside,
        )
        if any(isinstance(loss, Term) for loss in path.lost.values())
        else path
        for source, path in paths.items()
    }


def merge_all(several: Iterable[Paths | None]) -> Paths | None:
    """The ways of what was computed from all."""
    merged: Paths | None = None
    for paths in several:
        merged = merge_paths(merged, paths)
    return merged


def through(paths: Paths | None, recording: frozenset[int], here: Loss) -> Paths | None:
    """The ways after an operation: on the tapes that record now, lost on the others."""
    if not paths:
        return paths
    known: dict[object, Path] = {}  # one for all sources that have come the same way
    after: Paths = {}
    for source, path in paths.items():
        changed = known.get(id(path))
        if changed is None:
            changed = _through(path, recording, here)
            if not changed.lost:
                changed = known.setdefault((changed.tapes, changed.began, changed.beside), changed)
            known[id(path)] = changed
        after[source] = changed
    return after


def feed(paths: Paths | None, recording: frozenset[int]) -> None:
    """Weights take in what came these ways: those that no tape has are missed by whoever trains them all."""
    for path in (paths or {}).values() if recording else ():
        if path.began is not None and path.tapes.isdisjoint(recording):
            path.began.fed = True


def _through(path: Path, recording: frozenset[int], here: Loss) -> Path:
    # A tape that is opened later has lost the way by this operation, unless one that is open has not it.
    began = here if here.reason == "outside" and recording <= path.tapes else path.began
    dropped = path.tapes - recording
    lost = {**path.lost, **dict.fromkeys(dropped, here)} if dropped else path.lost
    beside = path.beside & recording
    if began is path.began and not dropped and beside == path.beside:
        return path
    return Path(path.tapes & recording, lost, began, beside)
