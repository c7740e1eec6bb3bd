"""What two runs printed, compared line by line: numbers by value; times, addresses and progress left out."""

import dataclasses
import math
import re
from collections.abc import Iterable, Sequence

from graphdoctor.fixing.closeness import Closeness

_UNIT = r"(?:ns|us|µs|μs|ms|s|secs?|seconds?|min|minutes?|h|hours?)"
_PER = r"(?:steps?|its?|batch(?:es)?|epochs?|samples?|examples?|images?|frames?|tokens?|calls?)"
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
LEFT_OUT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\x1b\[[0-9;?]*[A-Za-z]",  # colours and cursors
        r"0x[0-9a-f]+",  # addresses
        r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?|\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\b",
        rf"{_NUMBER}\s*{_UNIT}\s*(?:/|per)\s*{_PER}\b",
        rf"{_NUMBER}\s*{_PER}\s*(?:/|per)\s*{_UNIT}\b",
        rf"{_NUMBER}\s*{_UNIT}\b",
        rf"\b(?:time|took|elapsed|duration|seconds|secs|speed|throughput|latency|eta)\w*\s*[:=]?\s*{_NUMBER}",
        r"\|?[━─█▉▊▋▌▍▎▏=>#.╸╺]{5,}\|?",  # bars
    )
)
SHOWN_TENSOR = re.compile(r"(?:<tf\.Tensor: .*?numpy=(.*?)>|tf\.Tensor\((.*?), shape=\(.*?\), dtype=\w+\))")
SYMBOLIC = re.compile(r"<tf\.Tensor '.*?>|Tensor\(\".*?\)")
NUMBER = re.compile(rf"(?<![\w.]){_NUMBER}(?![\w])|\bnan\b|\binf\b")


@dataclasses.dataclass(frozen=True)
class Line:
    """One line: its words, and the numbers between them."""

    text: str
    words: str
    numbers: tuple[float, ...]


def lines_of(text: str, without: Iterable[str] = ()) -> list[Line]:
    """The lines that count, without those that say the same as some others but for their numbers."""
    dropped = {_line(one).words for one in without}
    kept = [_line(_last_stand(raw)) for raw in re.split(r"\r?\n", text)]
    return [line for line in kept if line.text and line.words not in dropped]


def _last_stand(line: str) -> str:
    """A line that was written over: what it showed in the end."""
    return re.split(r"[\r\x08]+", line.rstrip("\r\x08"))[-1]


def _line(raw: str) -> Line:
    text = SHOWN_TENSOR.sub(lambda found: found[1] or found[2], raw)
    text = SYMBOLIC.sub("", text)
    for pattern in LEFT_OUT:
        text = pattern.sub("", text)
    numbers = tuple(float(found) for found in NUMBER.findall(text))
    return Line(raw.strip(), " ".join(NUMBER.sub(" ", text).split()), numbers)


def compare_lines(
    before: Sequence[Line], after: Sequence[Line], twins: Sequence[Sequence[Sequence[Line]]], found: Closeness
) -> None:
    """Add to `found` how far the lines are apart; `twins` are what one program printed with two seeds."""
    found.number = len(before)
    series = _series(twins)
    for number, (line, other) in enumerate(zip(before, after, strict=False)):
        chance = _chance(number, twins)
        told = f"line {number + 1}: now {other.text!r}, before {line.text!r}"
        if line.words != other.words or len(line.numbers) != len(other.numbers):
            if found.fills and _is_filled(line, other):
                found.fill(told)
                continue
            if chance != math.inf:
                found.differ(told)
                return
            found.random = True
            continue
        for place, (one, now) in enumerate(zip(line.numbers, other.numbers, strict=True)):
            wider = series.get((line.words, place), 0.0)
            found.compare(one, now, None if chance is None else max(chance, wider), told)
    if len(before) != len(after):
        if any(len(one) != len(twin) for one, twin in twins):
            found.random = True
            return
        more = (after if len(after) > len(before) else before)[min(len(before), len(after))]
        word = "printed now and not before" if len(after) > len(before) else "no longer printed"
        found.differ(f"{word}: {more.text!r}")


def _is_filled(line: Line, other: Line) -> bool:
    """Whether a line says the same with a value in place of None."""
    return "None" in line.words and _without_values(line) == _without_values(other)


def _without_values(line: Line) -> list[str]:
    return re.sub(r"\bNone\b|[][(),]", " ", line.words).split()


def _chance(number: int, twins: Sequence[Sequence[Sequence[Line]]]) -> float | None:
    """How far two seeds put the numbers of a line apart; None where nobody tried."""
    lines = [(one[number], twin[number]) for one, twin in twins if number < min(len(one), len(twin))]
    return max((_spread(one, twin) for one, twin in lines), default=None)


def _series(twins: Sequence[Sequence[Sequence[Line]]]) -> dict[tuple[str, int], float]:
    """How far two seeds put a number apart at most, in all the lines that say the same around it.

    One line is one throw of the dice: by luck two seeds come near to each other in it. A loss that is
    printed at each epoch was thrown as often as there are epochs.
    """
    spread: dict[tuple[str, int], float] = {}
    for one, other in twins:
        for line, twin in zip(one, other, strict=False):
            if line.words and line.words == twin.words and len(line.numbers) == len(twin.numbers):
                for place, (a, b) in enumerate(zip(line.numbers, twin.numbers, strict=True)):
                    apart = abs(a - b)
                    if math.isfinite(apart):
                        spread[line.words, place] = max(spread.get((line.words, place), 0.0), apart)
    return spread


def _spread(line: Line, twin: Line) -> float:
    if line.words != twin.words or len(line.numbers) != len(twin.numbers):
        return math.inf
    return max((abs(a - b) for a, b in zip(line.numbers, twin.numbers, strict=True)), default=0.0)
