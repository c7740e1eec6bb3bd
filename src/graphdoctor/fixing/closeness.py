"""Numbers that are the same within a tolerance, or no further apart than between two seeds."""

import math
import statistics
from collections.abc import Sequence

from graphdoctor.model.fix_result import Compared

TOLERANCE = 1e-3  # of the value: float32 sums in another order differ by less, other results by more
SMALLEST = 1e-5
CHANCE = 3.0  # times the difference of two seeds
FEWEST_STEPS = 4  # that have an average


class Closeness:
    """What one comparison comes to, built up number by number.

    `fills`: the original is known to lack results, and may have None or NaN where there now is a value.
    `timed`: the fix reads the clock again; a number that differs between two runs may then have any value.
    `unsteady`: two runs of the original compute different things; numbers that differ between them have to be
    finite, and over many steps equal on average.
    """

    def __init__(self, aspect: str, fills: bool = False, timed: bool = False, unsteady: bool = False) -> None:
        self.aspect = aspect
        self.fills = fills
        self.timed = timed
        self.unsteady = unsteady
        self.filled = False
        self.number = 0
        self.equal = True
        self.largest = 0.0
        self.random = False
        self.text = ""
        self.left_out: dict[str, None] = {}

    def differ(self, text: str) -> None:
        """It is not the same; the first reason is reported."""
        self.text = self.text or text
        self.equal = False

    def fill(self, text: str) -> None:
        """There is a value where the original had none."""
        self.text = self.text or text
        self.filled = True

    def leave_out(self, text: str) -> None:
        """Something is not compared; the text says what, and why."""
        self.left_out[text] = None

    def compare(self, before: float, now: float, chance: float | None, text: str) -> None:
        """Two numbers; `chance` is how far two runs put them apart, None where that was not tried."""
        if before == now or (math.isnan(before) and math.isnan(now)):
            return
        apart = abs(before - now)  # not finite where one is infinite, or no number at all
        if is_close(before, now):
            self.largest = max(self.largest, apart)
        elif chance is not None and self._is_by_chance(apart, chance):
            self.random = True
        elif self.fills and math.isnan(before):
            self.fill(text)
        else:
            self.differ(text)

    def _is_by_chance(self, apart: float, chance: float) -> bool:
        if not math.isfinite(apart):
            return not math.isfinite(chance)
        return apart <= CHANCE * chance or ((self.timed or self.unsteady) and chance > 0)

    def compare_averages(
        self, before: Sequence[float], again: Sequence[float], now: Sequence[float], text: str
    ) -> None:
        """A number of each step: in the original, in another run of it, and in the edited program."""
        steps = min(len(before), len(again), len(now))
        if steps < FEWEST_STEPS or not all(map(math.isfinite, (*before, *again, *now))):
            return
        was, other, is_now = map(statistics.fmean, (before, again, now))
        by_chance = max(statistics.pstdev(before), statistics.pstdev(again)) * math.sqrt(2 / steps)
        if abs(is_now - was) > CHANCE * (by_chance + abs(other - was)) + SMALLEST + TOLERANCE * abs(was):
            self.differ(f"{text}: {is_now:.4g} on average, before {was:.4g}")

    def result(self) -> Compared:
        """The comparison as a report shows it."""
        return Compared(
            aspect=self.aspect,
            number=self.number,
            equal=self.equal,
            largest=self.largest,
            random=self.random,
            filled=self.filled,
            text=self.text,
            left_out=tuple(self.left_out),
        )


def is_close(one: float, other: float) -> bool:
    """Whether two numbers are the same within the tolerance."""
    if one == other or (math.isnan(one) and math.isnan(other)):
        return True
    apart = abs(one - other)
    return math.isfinite(apart) and apart <= SMALLEST + TOLERANCE * max(abs(one), abs(other))
