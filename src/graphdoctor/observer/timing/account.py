"""Samples and exact clocks → the seconds of each phase and line, window after window."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from graphdoctor.observer.timing.classify import Line, Sample
from graphdoctor.observer.timing.clocks import NOTHING, STEP, Clocks
from graphdoctor.observer.timing.steps import chain_of_line
from graphdoctor.recording.format import GRAPH_EXECUTION, Phase, Place

# A window lasts so long, or so much of the run: a killed program has reported nearly all, at little cost.
SHORTEST, SHARE = 0.5, 0.01
MOST_LINES = 12


class Part(NamedTuple):
    """What samples are distinguished by; `clock` is the phase, or the step, whose exact clock ran."""

    clock: str
    phase: str
    line: Line | None
    behind: Line | None


class Account:
    """Takes samples, and reports the phases of each window at its end."""

    def __init__(self, clocks: Clocks, zero: float, emit: Callable[[Any], None]) -> None:
        self._clocks, self._zero, self._emit = clocks, zero, emit
        self._samples: dict[Part, float] = {}
        self._before = self._seen = clocks.totals()
        self._window = clocks.clock()
        self._last_in_step: Part | None = None
        self.graph_seconds = 0.0

    def take(self, sample: Sample, behind: Line | None, seconds: float) -> bool:
        """Add one sample; whether the window is long enough to be reported."""
        clock = self._clocks.stack[-1]
        # What an exact clock measured since the last look is no part of what this look found.
        before, self._seen = self._seen, self._clocks.totals()
        gained = {one: total - before.get(one, 0.0) for one, total in self._seen.items()}
        part = Part(clock, sample.phase if self._clocks.is_idle else clock, sample.line, behind)
        self._add(part, min(seconds, gained.get(clock, 0.0)))
        if clock == STEP:
            self._last_in_step = part
        elif self._last_in_step is not None and gained.get(STEP, 0.0) > 0:
            self._add(self._last_in_step, gained[STEP])
        now = self._clocks.clock()
        return now - self._window >= max(SHORTEST, SHARE * (now - self._zero))

    def _add(self, part: Part, seconds: float) -> None:
        self._samples[part] = self._samples.get(part, 0.0) + seconds
        if part.phase == GRAPH_EXECUTION:
            self.graph_seconds += seconds

    def tell(self) -> None:
        """Write the phases of the window, which ends now."""
        now = self._clocks.clock()
        samples, self._samples = self._samples, {}
        totals = self._clocks.totals()
        exact = {clock: total - self._before.get(clock, 0.0) for clock, total in totals.items()}
        self._before = totals
        start, span = self._window - self._zero, now - self._window
        self._window = now
        for part, seconds in _lines(_shared(samples, exact)):
            behind = part.behind and Place(path=part.behind.path, line=part.behind.line)
            self._emit(
                Phase(
                    phase=part.phase,
                    seconds=round(seconds, 6),
                    chain=chain_of_line(part.line),
                    start=round(start, 6),
                    span=round(span, 6),
                    behind=behind,
                )
            )


def _shared(samples: dict[Part, float], exact: dict[str, float]) -> dict[Part, float]:
    """The exact seconds of each clock, shared among the samples that were taken while it ran."""
    sampled: dict[str, float] = {}
    for part, seconds in samples.items():
        sampled[part.clock] = sampled.get(part.clock, 0.0) + seconds
    found = {part: seconds * exact[part.clock] / sampled[part.clock] for part, seconds in samples.items()}
    left = exact.get(NOTHING, 0.0) if NOTHING not in sampled else 0.0
    for clock, seconds in exact.items():
        if clock and clock not in sampled and seconds > 0:
            found[Part(clock, GRAPH_EXECUTION if clock == STEP else clock, None, None)] = seconds
    if left > 0 and found:  # too short for a sample of its own
        largest = max(found, key=lambda part: found[part])
        found[largest] += left
    return found


def _lines(parts: dict[Part, float]) -> Iterator[tuple[Part, float]]:
    """The lines that took most, in each phase; the others of it as one, without a line."""
    by_phase: dict[str, list[tuple[Part, float]]] = {}
    merged: dict[Part, float] = {}
    for part, seconds in parts.items():
        key = part._replace(clock=NOTHING)
        merged[key] = merged.get(key, 0.0) + seconds
    for part, seconds in merged.items():
        by_phase.setdefault(part.phase, []).append((part, seconds))
    for phase, lines in by_phase.items():
        lines.sort(key=lambda one: -one[1])
        rest = sum(seconds for _, seconds in lines[MOST_LINES:])
        yield from ((part, seconds) for part, seconds in lines[:MOST_LINES] if seconds > 0)
        if rest > 0:
            yield Part(NOTHING, phase, None, None), rest
