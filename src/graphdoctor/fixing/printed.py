"""The output of two runs, compared line by line: numbers by value, without what varies between runs."""

import dataclasses
import difflib
import functools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from graphdoctor.fixing.closeness import Closeness, is_close
from graphdoctor.model.words import shortened

LEFT_OUT = tuple(
    re.compile(pattern)
    for pattern in (
        r"\x1b\[[0-9;?]*[A-Za-z]",  # colours and cursors
        r"0x[0-9a-fA-F]+",  # addresses
        r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?Z?",  # dates
    )
)
SHOWN_TENSOR = re.compile(
    r"(?:<tf\.Tensor: .*?numpy=(.*?)>|tf\.Tensor\((.*?), shape=\(.*?\), dtype=\w+\))", re.DOTALL
)
SYMBOLIC = re.compile(r"<tf\.Tensor '.*?>|Tensor\(\".*?\)")
# A number with what is written to it without a space: `45ms` is 45 of a unit, `1:30` is 90 seconds.
QUANTITY = re.compile(
    r"(?<![\w.])(?P<number>\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?"
    r"|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan\b|inf\b)(?P<unit>[^\W\d_]*)"
)
OVERWRITTEN = re.compile(r"[\r\x08]+")
MOST_JOINED = 500  # lines of one array
MOST_SHOWN = 100

Noise = Mapping[int, frozenset[int] | None]  # by line: the places of its numbers, or None for all of it


@dataclasses.dataclass(frozen=True)
class Line:
    """One line: its words, the numbers between them with their units; `progress`: it was written over.

    `written` is each number with its unit as the line has it.
    """

    text: str
    words: str
    numbers: tuple[float, ...]
    units: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    progress: bool = False


def lines_of(text: str, without: Iterable[str] = ()) -> list[Line]:
    """The lines to compare, without those that equal a line of `without` except for numbers.

    An array that is printed on several lines is one line. What is taken back at its end, as each state of a
    bar but the last, is none: how often a bar is drawn depends on the time.
    """
    dropped = {_line(one).words for one in without}
    stays = [raw for raw in re.split(r"\r?\n", text) if not raw.endswith("\x08")]
    kept = [_line(raw) for raw in _joined(stays)]
    return [line for line in kept if line.text and line.words not in dropped]


def _joined(lines: Sequence[str]) -> list[str]:
    """The lines, with those that an open bracket continues as one."""
    found: list[str] = []
    number = 0
    while number < len(lines):
        end = _closing(lines, number)
        found.append(" ".join(lines[number : end + 1]))
        number = end + 1
    return found


def _closing(lines: Sequence[str], first: int) -> int:
    """The line on which the brackets are closed that a line opens; the line itself where none does."""
    depth = 0
    for number in range(first, min(len(lines), first + MOST_JOINED)):
        depth += sum(map(lines[number].count, "[(")) - sum(map(lines[number].count, "])"))
        if depth <= 0:
            return number
    return first


def _line(raw: str) -> Line:
    shown = OVERWRITTEN.split(raw.rstrip("\r\x08"))[-1]  # of what was written over, the last
    text = SHOWN_TENSOR.sub(lambda found: found[1] or found[2], shown)
    text = SYMBOLIC.sub("", text)
    for pattern in LEFT_OUT:
        text = pattern.sub("", text)
    found = list(QUANTITY.finditer(text))
    return Line(
        shown.strip(),
        " ".join(QUANTITY.sub(" ", text).split()),
        tuple(_number(one["number"]) for one in found),
        tuple(one["unit"] for one in found),
        tuple(one[0] for one in found),
        shown != raw.rstrip("\r\n"),
    )


def _number(text: str) -> float:
    return functools.reduce(lambda high, low: 60 * high + float(low), text.split(":"), 0.0)


def noise_of(lines: Sequence[Line], again: Sequence[Line]) -> Noise:
    """The places in which a second run of one program prints something else."""
    matcher = difflib.SequenceMatcher(
        None, [one.words for one in lines], [one.words for one in again], autojunk=False
    )
    noise: dict[int, frozenset[int] | None] = dict.fromkeys(range(len(lines)))
    for start, other, size in matcher.get_matching_blocks():
        for offset in range(size):
            line, second = lines[start + offset], again[other + offset]
            if len(line.numbers) == len(second.numbers):
                noise[start + offset] = frozenset(
                    place
                    for place, (a, b) in enumerate(zip(line.numbers, second.numbers, strict=True))
                    if not is_close(a, b)
                    or line.units[place] != second.units[place]
                    # Two times of the same day are close to each other, and nothing that is computed.
                    or (a != b and ":" in line.written[place])
                )
    return {number: places for number, places in noise.items() if places is None or places}


def compare_lines(
    before: Sequence[Line],
    after: Sequence[Line],
    seed_pairs: Sequence[Sequence[Sequence[Line]]],
    found: Closeness,
    again: Sequence[Line] | None = None,
) -> None:
    """Add to `found` the differences between the lines.

    `seed_pairs` are what one program printed with two seeds. `again` is what the program of `before` printed
    in a second run with faster clocks: what differs in it is not compared.
    """
    found.number += len(before)
    noise = noise_of(before, again) if again is not None else {}
    shown, now = _without_progress(before, after, found)
    series = _series(seed_pairs)
    for (number, line), other in zip(shown, now, strict=False):
        chance = _chance(number, seed_pairs)
        difference = _difference(number, line, other)
        noisy = noise.get(number, frozenset())
        if noisy is None:
            found.number -= 1
            found.leave_out(f"line {number + 1}, {_shown(line)!r}: two runs of the original differ in it")
        elif line.words != other.words or len(line.numbers) != len(other.numbers):
            if found.fills and _is_filled(line, other):
                found.fill(difference)
                continue
            if chance != math.inf:
                found.differ(difference)
                return
            found.random = True
        else:
            _compare_numbers(number, line, other, noisy, chance, series, found)
    if found.unsteady and seed_pairs:
        _compare_averages(before, seed_pairs[0][1], after, found)
    if len(shown) != len(now):
        if any(len(one) != len(second) for one, second in seed_pairs) or (
            again and len(again) != len(before)
        ):
            found.random = True
            return
        short = min(len(shown), len(now))
        more = now[short] if len(now) > len(shown) else shown[short][1]
        word = "printed now and not before" if len(now) > len(shown) else "no longer printed"
        found.differ(f"{word}: {_shown(more)!r}")


def _difference(number: int, line: Line, other: Line) -> str:
    return f"line {number + 1}: now {_shown(other)!r}, before {_shown(line)!r}"


def _shown(line: Line) -> str:
    """A line as a report shows it: without colours, and not all of an array."""
    return shortened(LEFT_OUT[0].sub("", line.text), MOST_SHOWN)


def _compare_numbers(
    number: int,
    line: Line,
    other: Line,
    noisy: frozenset[int],
    chance: float | None,
    series: Mapping[tuple[str, int], float],
    found: Closeness,
) -> None:
    difference = _difference(number, line, other)
    for place, (one, now) in enumerate(zip(line.numbers, other.numbers, strict=True)):
        if place in noisy:
            shown = line.written[place]
            found.leave_out(f"{shown!r} in {_shown(line)!r}: two runs of the original differ in it")
            found.number -= not line.words and len(line.numbers) == 1
            continue
        if line.units[place] != other.units[place]:
            found.differ(difference)
        wider = series.get((line.words, place), 0.0)
        found.compare(one, now, None if chance is None else max(chance, wider), difference)


def _compare_averages(
    before: Sequence[Line], again: Sequence[Line], after: Sequence[Line], found: Closeness
) -> None:
    was, other, now = map(_numbers_by_words, (before, again, after))
    for words, place in sorted(was.keys() & other.keys() & now.keys()):
        key = words, place
        found.compare_averages(was[key], other[key], now[key], f"lines that say {words!r}")


def _numbers_by_words(lines: Sequence[Line]) -> dict[tuple[str, int], list[float]]:
    found: dict[tuple[str, int], list[float]] = defaultdict(list)
    for line in lines:
        for place, number in enumerate(line.numbers):
            found[line.words, place].append(number)
    return found


def _without_progress(
    before: Sequence[Line], after: Sequence[Line], found: Closeness
) -> tuple[list[tuple[int, Line]], list[Line]]:
    """The lines, numbered, without the progress that only one of the runs shows."""
    was, now = (Counter(line.words for line in lines) for lines in (before, after))
    gone, new = was - now, now - was

    def is_left_out(line: Line, surplus: Counter[str]) -> bool:
        if not line.progress or not surplus[line.words]:
            return False
        surplus[line.words] -= 1
        found.leave_out(f"{_shown(line)!r}: progress that only one of the runs shows")
        return True

    shown = [(number, line) for number, line in enumerate(before) if not is_left_out(line, gone)]
    return shown, [line for line in after if not is_left_out(line, new)]


def _is_filled(line: Line, other: Line) -> bool:
    """Whether a line says the same with a value in place of None."""
    return "None" in line.words and _without_values(line) == _without_values(other)


def _without_values(line: Line) -> list[str]:
    return re.sub(r"\bNone\b|\.\.\.|[][(),]", " ", line.words).split()


def _chance(number: int, seed_pairs: Sequence[Sequence[Sequence[Line]]]) -> float | None:
    """The difference of the numbers of a line between two seeds; None where that was not tried."""
    lines = [
        (one[number], second[number]) for one, second in seed_pairs if number < min(len(one), len(second))
    ]
    return max((_spread(one, second) for one, second in lines), default=None)


def _series(seed_pairs: Sequence[Sequence[Sequence[Line]]]) -> dict[tuple[str, int], float]:
    """The largest difference of a number between two seeds, over all lines with the same words.

    In a single line two seeds may be close by chance. A loss that is printed at each epoch has as many
    samples as there are epochs.
    """
    spread: dict[tuple[str, int], float] = {}
    for one, other in seed_pairs:
        for line, second in zip(one, other, strict=False):
            if line.words and line.words == second.words and len(line.numbers) == len(second.numbers):
                for place, (a, b) in enumerate(zip(line.numbers, second.numbers, strict=True)):
                    apart = abs(a - b)
                    if math.isfinite(apart):
                        spread[line.words, place] = max(spread.get((line.words, place), 0.0), apart)
    return spread


def _spread(line: Line, second: Line) -> float:
    if line.words != second.words or len(line.numbers) != len(second.numbers):
        return math.inf
    return max((abs(a - b) for a, b in zip(line.numbers, second.numbers, strict=True)), default=0.0)
