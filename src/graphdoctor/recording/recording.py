"""What one recorder wrote down: the events of a process, or of a dry run."""

import dataclasses
import functools
from typing import Any, TypeVar

from graphdoctor.recording.format import (
    DRY_RUN,
    AnyEvent,
    Compilations,
    End,
    Failure,
    Header,
    Problem,
    Trace,
)

ENDS_EARLY = (
    "the recording ends early: the program was killed, still runs, "
    "or left without Python's own end (`os._exit`, or `exec`: --subprocesses records what that starts)"
)
Kind = TypeVar("Kind")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Recording:
    """The events in order; `path` is the file, empty for one that was never written."""

    header: Header
    events: tuple[AnyEvent, ...] = ()
    path: str = ""

    def of(self, kind: type[Kind]) -> tuple[Kind, ...]:
        """The events of one kind, in order."""
        return self._by_kind.get(kind, ())

    @functools.cached_property
    def _by_kind(self) -> dict[type[Any], tuple[Any, ...]]:
        found: dict[type[Any], list[Any]] = {}
        for event in self.events:
            found.setdefault(type(event), []).append(event)
        return {kind: tuple(events) for kind, events in found.items()}

    @property
    def is_dry(self) -> bool:
        """Whether nothing ran: it was reported from the source."""
        return self.header.recorder == DRY_RUN

    @property
    def traces(self) -> tuple[Trace, ...]:
        """Every trace, in the order in which they ended."""
        return self.of(Trace)

    @property
    def compilations(self) -> tuple[Compilations, ...]:
        """What XLA compiled."""
        return self.of(Compilations)

    @property
    def deaths(self) -> tuple[Failure, ...]:
        """The exceptions that ended the program or a thread of it, with what led to them."""
        return tuple(failure for failure in self.of(Failure) if not failure.trace and not failure.caught)

    @property
    def problems(self) -> tuple[str, ...]:
        """What the recorder could not do."""
        return tuple(problem.message for problem in self.of(Problem))

    @property
    def end(self) -> End | None:
        """The last one: an observation that goes on writes one each time it is asked for its report."""
        ends = self.of(End)
        return ends[-1] if ends else None

    @property
    def complete(self) -> bool:
        """Whether the run came to its end and nothing was lost on the way."""
        return (self.is_dry or self.end is not None) and not self.problems

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is missing, and why."""
        early = () if self.end or self.is_dry else (ENDS_EARLY,)
        return (*(f"the observer had a problem: {problem}" for problem in self.problems), *early)

    @property
    def seconds(self) -> float:
        """How long the run took, from the import of TensorFlow on, as far as we know."""
        if self.end is not None:
            return self.end.seconds
        return max((trace.start + trace.seconds for trace in self.traces), default=0.0)
