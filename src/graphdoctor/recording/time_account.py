"""The phases and steps of a recording → where its wall time went."""

import dataclasses
import itertools
from collections import defaultdict
from collections.abc import Iterable

from graphdoctor.model.time_account import (
    Growth,
    PhaseLine,
    PhaseTime,
    StepTimes,
    ThreadTime,
    TimeAccount,
    TimeWindow,
)
from graphdoctor.recording.format import (
    COMPILING,
    GRAPH_EXECUTION,
    INPUT,
    PHASES,
    Compilations,
    Holding,
    Memory,
    Phase,
    Steps,
    Unaccounted,
)
from graphdoctor.recording.recording import Recording

MOST_LINES = 10
# Memory is compared between groups of at least so many looks, and so many steps in all.
LEAST_MEASURED, LEAST_STEPS = 4, 100
# Of two kinds of steps at the same time, the first is the one that people mean.
KINDS = ("fit", "train_on_batch", "dataset", "tape", "calls")
ABOUT_AS_LONG = 0.8
NOT_SEPARATED = "`fit` was too short to separate its wait for input from graph execution"
Where = tuple[str, int, str]
Lines = dict[Where, float]
Seconds = dict[str, Lines]


def account_for_time(recording: Recording) -> TimeAccount | None:
    """What was seen, also of a run that was killed; None where time was not accounted for."""
    recorded = recording.of(Phase)
    phases = [one for one in recorded if not one.thread]
    if not phases:
        return None
    steps = _latest(recording.of(Steps))
    compiled = list(recording.of(Compilations))
    seconds, estimated = _add_up([*phases, *_compilations(compiled, first=0)])
    total = sum(sum(lines.values()) for lines in seconds.values())
    main = _main(steps)
    settled = [one for one in phases if main is not None and _is_steady(one, main)]
    steady, _ = _add_up([*settled, *_compilations(compiled, first=1)])
    return TimeAccount(
        seconds=round(total, 6),
        phases=_phases(seconds, total, estimated),
        steady=_phases(steady, sum(sum(lines.values()) for lines in steady.values()), estimated),
        steps=tuple(map(_step_times, steps)),
        peak_bytes=max((one.resident_bytes for one in recording.of(Memory)), default=0),
        growth_bytes=_growth(recording.of(Memory), main) if main is not None else None,
        grows=tuple(_grows(recording.of(Holding), main)) if main is not None else (),
        busy=_busy(recording.of(Memory), main) if main is not None else None,
        threads=tuple(_threads(recorded)),
        separated=_is_separated(phases, steps),
        remarks=tuple(_remarks(recording, phases, steps)),
    )


def optimising_seconds(recordings: Iterable[Recording]) -> dict[int, float]:
    """What the first call of each graph took more than the next ones, by the number of its trace.

    Of one process: the numbers of several are not distinct.
    """
    recorded = tuple(recordings)
    if len(recorded) != 1:
        return {}
    return {one.trace: one.seconds for one in recorded[0].of(Phase) if one.phase == COMPILING and one.trace}


def time_windows(recording: Recording) -> tuple[TimeWindow, ...]:
    """The account window by window, for a timeline; estimates hold for the whole run."""
    groups: dict[tuple[float, float], list[Phase]] = {}
    looks = [one for one in recording.of(Phase) if one.of and one.looked_at]
    for one in recording.of(Phase):
        if not one.thread and not one.of and one.span > 0:
            groups.setdefault((one.start, one.span), []).append(one)
    found = []
    for (start, span), group in sorted(groups.items()):
        seconds, estimated = _add_up([*group, *looks])
        total = sum(sum(lines.values()) for lines in seconds.values())
        found.append(TimeWindow(start=start, seconds=span, phases=_phases(seconds, total, estimated)))
    return tuple(found)


def _growth(memory: Iterable[Memory], steps: Steps) -> int | None:
    """What 100 steps add to the memory: the last third of the training against the one before it.

    The first one is left out: allocators grow at the beginning of any program.
    """
    begun = steps.begun + steps.first_seconds
    held = [one for one in memory if begun <= one.start <= steps.ended]
    third = len(held) // 3
    if third < LEAST_MEASURED or steps.count < LEAST_STEPS:
        return None
    early, late = held[-2 * third : -third], held[-third:]
    seconds = _mean([one.start for one in late]) - _mean([one.start for one in early])
    grown = _mean([one.resident_bytes for one in late]) - _mean([one.resident_bytes for one in early])
    per_step = (steps.ended - begun) / (steps.count - 1)
    return round(100 * per_step * grown / seconds) if seconds > 0 else None


def _grows(held: Iterable[Holding], steps: Steps) -> Iterable[Growth]:
    """What there is more of at the last look than at the first, after each 100 steps."""
    kinds: dict[tuple[str, str], list[Holding]] = defaultdict(list)
    for one in held:
        if steps.begun <= one.start:
            kinds[one.kind, one.name].append(one)
    looks = sorted({one.start for group in kinds.values() for one in group})
    per_step = (steps.ended - steps.begun) / max(steps.count - 1, 1)
    for (kind, name), group in kinds.items():
        first, last = group[0], group[-1]
        if len(looks) < 2 or last.start != looks[-1]:
            continue
        more, since = last.count - first.count, first.start
        if len(group) == 1:  # named since the last look
            more, since = last.count - last.before, looks[-2]
        if more > 0 and per_step > 0:
            grown = more * 100 * per_step / (last.start - since)
            yield Growth(kind=kind, more=round(grown, 2), name=name)


def _busy(memory: Iterable[Memory], steps: Steps) -> float | None:
    """The share of the processors during the steps after the first."""
    begun = steps.begun + steps.first_seconds
    spans = [
        (one.start - before.start, one.busy)
        for before, one in itertools.pairwise(memory)
        if begun <= before.start and one.start <= steps.ended and one.busy is not None
    ]
    seconds = sum(span for span, _ in spans)
    return round(sum(span * busy for span, busy in spans) / seconds, 4) if seconds > 0 else None


def _threads(phases: Iterable[Phase]) -> Iterable[ThreadTime]:
    """What other threads ran, those that took most first."""
    by_thread: dict[str, Lines] = defaultdict(lambda: defaultdict(float))
    for one in phases:
        if one.thread:
            by_thread[one.thread][_where(one)] += one.seconds
    ranked = sorted(by_thread.items(), key=lambda one: -sum(one[1].values()))
    for thread, lines in ranked[:MOST_LINES]:
        yield ThreadTime(thread=thread, seconds=round(sum(lines.values()), 6), lines=tuple(_ranked(lines)))


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


def _latest(events: Iterable[Steps]) -> list[Steps]:
    """What each line reported last; that of the training first."""
    last = {(one.kind, one.place): one for one in events}
    found = sorted(last.values(), key=lambda one: -one.seconds)
    main = _main(found)
    return ([main] if main is not None else []) + [one for one in found if one is not main]


def _main(steps: list[Steps]) -> Steps | None:
    known = [one for one in steps if one.kind in KINDS and one.count > 1]
    longest = max((one.seconds for one in known), default=0.0)
    close = [one for one in known if one.seconds >= ABOUT_AS_LONG * longest]
    return min(close, key=lambda one: KINDS.index(one.kind), default=None)


def _is_steady(phase: Phase, steps: Steps) -> bool:
    """Whether a window lies after the first step, and before the end of the last."""
    if phase.of and phase.looked_at:
        return True
    middle = phase.start + phase.span / 2
    return steps.begun + steps.first_seconds <= middle <= steps.ended


def _add_up(phases: Iterable[Phase]) -> tuple[Seconds, set[str]]:
    seconds: Seconds = defaultdict(lambda: defaultdict(float))
    corrections = []
    behind: dict[Where, dict[Where, float]] = defaultdict(lambda: defaultdict(float))
    looks: dict[Where, Phase] = {}
    for one in phases:
        if one.of and one.looked_at:  # several windows at one line are one look at it
            before = looks.get(_where(one))
            looks[_where(one)] = one if before is None else _together(before, one)
            continue
        if one.of:
            corrections.append(one)
            continue
        where = _where(one)
        if one.behind is not None:
            other = (one.behind.path, one.behind.line, "")
            if one.phase == INPUT:
                where = other
            else:
                behind[where][other] += one.seconds
        seconds[one.phase][where] += one.seconds
    corrections += looks.values()
    estimated = {one.phase for one in corrections if _correct(one, seconds, behind)}
    return seconds, estimated


def _together(one: Phase, other: Phase) -> Phase:
    return dataclasses.replace(
        one, seconds=one.seconds + other.seconds, looked_at=one.looked_at + other.looked_at
    )


def _correct(one: Phase, seconds: Seconds, behind: dict[Where, dict[Where, float]]) -> bool:
    """Take seconds from the phase under which they are counted too; whether that is an estimate."""
    source = seconds[one.of]
    # The function that the line called is not always known to both.
    path, line, _ = _where(one)
    same_line = [where for where in source if where[:2] == (path, line)]
    where = max(same_line, key=lambda place: source[place], default=_where(one))
    there = source.get(where, 0.0)
    moved = min(there, there * one.seconds / one.looked_at if one.looked_at else one.seconds)
    if moved <= 0:
        return False
    source[where] = there - moved
    producers = behind.get(where)
    target = max(producers, key=lambda other: producers[other]) if one.looked_at and producers else where
    seconds[one.phase][target] += moved
    return bool(one.looked_at)


def _compilations(compiled: Iterable[Compilations], first: int) -> Iterable[Phase]:
    """What XLA took behind each trace, from so many shapes on, which graph execution holds too."""
    for one in compiled:
        usual = [shape.best_seconds for shape in one.shapes if shape.calls > 1]
        best = min(usual, default=min((shape.first_seconds for shape in one.shapes), default=0.0))
        taken = sum(
            max(0.0, shape.first_seconds - (shape.best_seconds if shape.calls > 1 else best))
            for shape in one.shapes[first:]
        )
        yield Phase(phase=COMPILING, of=GRAPH_EXECUTION, seconds=taken, chain=one.chain)


def _where(event: Phase) -> Where:
    frame = event.frame
    return (frame.place.path, frame.place.line, frame.entered) if frame is not None else ("", 0, "")


def _phases(seconds: Seconds, total: float, estimated: set[str]) -> tuple[PhaseTime, ...]:
    found = []
    for phase in PHASES:
        lines = seconds.get(phase, {})
        taken = sum(lines.values())
        if taken > 0:
            found.append(
                PhaseTime(
                    phase=phase,
                    seconds=round(taken, 6),
                    share=round(taken / total, 4),
                    estimated=phase in estimated or (phase == GRAPH_EXECUTION and INPUT in estimated),
                    lines=tuple(_ranked(lines)),
                )
            )
    return tuple(sorted(found, key=lambda one: -one.seconds))


def _ranked(lines: Lines) -> Iterable[PhaseLine]:
    known = sorted(((where, s) for where, s in lines.items() if where[0]), key=lambda one: -one[1])
    for (path, line, entered), seconds in known[:MOST_LINES]:
        yield PhaseLine(path=path, line=line, entered=entered, seconds=round(seconds, 6))


def _step_times(one: Steps) -> StepTimes:
    return StepTimes(
        kind=one.kind,
        path=one.place.path if one.place else "",
        line=one.place.line if one.place else 0,
        count=one.count,
        seconds=one.seconds,
        first_seconds=one.first_seconds,
        median_seconds=one.median_seconds,
        late_seconds=one.late_seconds,
        per_execution=one.per_execution,
        estimated=one.kind == "calls",
        durations=one.durations,
        stride=one.stride,
        begun=one.begun,
    )


def _remarks(recording: Recording, phases: Iterable[Phase], steps: list[Steps]) -> Iterable[str]:
    yield from (one.reason for one in recording.of(Unaccounted))
    if not _is_separated(phases, steps):
        yield NOT_SEPARATED


def _is_separated(phases: Iterable[Phase], steps: list[Steps]) -> bool:
    """Whether what `fit` waited for input was measured, where there was a `fit`."""
    fitted = [
        (one.place.path, one.place.line) for one in steps if one.kind == "fit" and one.count > 1 and one.place
    ]
    if any(one.of and one.looked_at for one in phases):
        return True
    return not any(one.phase == GRAPH_EXECUTION and _where(one)[:2] in fitted for one in phases)
