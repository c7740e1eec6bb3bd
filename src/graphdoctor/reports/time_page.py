"""Where the time of a run went, for the page: a bar, the lines of each phase, and the steps one by one."""

import dataclasses
from collections.abc import Iterator

from graphdoctor.model.time_account import PhaseLine, StepTimes, TimeAccount
from graphdoctor.model.words import count, duration, printable, share
from graphdoctor.reports.time_account import LEAST_SHARE, headline_of, sentences_of

MOST_SERIES = 4
MOST_BARS = 200
COLOURS = 8


@dataclasses.dataclass(frozen=True)
class Part:
    """A phase: its share as the weight of its piece of the bar, and its lines."""

    name: str
    title: str
    colour: str
    weight: float
    lines: tuple[PhaseLine, ...]


@dataclasses.dataclass(frozen=True)
class Bar:
    """One step, or several in a row, as a bar of so many hundredths of the highest."""

    height: float
    title: str


@dataclasses.dataclass(frozen=True)
class Series:
    """The steps of one line, the first ones apart by their height."""

    title: str
    longest: float
    bars: tuple[Bar, ...]


@dataclasses.dataclass(frozen=True)
class TimeSection:
    """All that the page shows of an account."""

    headline: str
    parts: tuple[Part, ...]
    sentences: tuple[str, ...]
    series: tuple[Series, ...]


def time_section(account: TimeAccount) -> TimeSection:
    """The account as the page shows it; its sentences are those of the terminal."""
    return TimeSection(
        headline=headline_of(account),
        parts=tuple(_parts(account)),
        sentences=tuple(sentences_of(account)),
        series=tuple(_series(one) for one in account.steps[:MOST_SERIES] if len(one.durations) > 1),
    )


def _parts(account: TimeAccount) -> Iterator[Part]:
    for number, one in enumerate(account.phases):
        if one.share < LEAST_SHARE:
            continue
        about = "about " if one.estimated else ""
        yield Part(
            name=one.phase,
            title=f"{one.phase}: {about}{duration(one.seconds)} ({share(one.seconds, account.seconds)})",
            colour=f"c{number % COLOURS}",
            weight=round(one.share, 4),
            lines=one.lines,
        )


def _series(steps: StepTimes) -> Series:
    kept = steps.durations
    group = -(-len(kept) // MOST_BARS)
    heights = [max(kept[at : at + group]) for at in range(0, len(kept), group)]
    longest = max(heights)
    # A first step that traces would flatten all others: bars are cut at three times the 95th percentile.
    highest = min(longest, 3 * steps.late_seconds) or longest or 1.0
    each = group * steps.stride
    bars = tuple(
        Bar(round(100 * min(height / highest, 1.0), 1), _bar_title(number, each, height))
        for number, height in enumerate(heights)
    )
    where = f" at {steps.path}:{steps.line}" if steps.path else ""
    title = printable(
        f"{count(steps.count, 'step')} ({steps.kind}{where}): first {duration(steps.first_seconds)}, "
        f"median {duration(steps.median_seconds)}, 95 % within {duration(steps.late_seconds)}"
    )
    return Series(title, longest, bars)


def _bar_title(number: int, each: int, seconds: float) -> str:
    first = number * each + 1
    which = f"step {first}" if each == 1 else f"steps {first} to {first + each - 1}"
    return f"{which}: {duration(seconds)}"
