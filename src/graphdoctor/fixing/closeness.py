"""Numbers that are the same within a tolerance, or as far apart as chance alone puts them."""

import math

from graphdoctor.model.cure import Compared

TOLERANCE = 1e-3  # of the value: float32 sums in another order differ by less, other results by more
SMALLEST = 1e-5
CHANCE = 3.0  # times what two seeds differ by


class Closeness:
    """What one comparison comes to, built up number by number.

    `fills`: the original is known to lack results, and may have None or NaN where there now is a value.
    `timed`: the clock is read anew; what two runs of one program differ in may be a time, and any.
    """

    def __init__(self, aspect: str, fills: bool = False, timed: bool = False) -> None:
        self.aspect = aspect
        self.fills = fills
        self.timed = timed
        self.filled = False
        self.number = 0
        self.equal = True
        self.largest = 0.0
        self.random = False
        self.text = ""

    def differ(self, text: str) -> None:
        """It is not the same; the first reason is told."""
        self.text = self.text or text
        self.equal = False

    def fill(self, text: str) -> None:
        """There is a value where the original had none."""
        self.text = self.text or text
        self.filled = True

    def compare(self, before: float, now: float, chance: float | None, text: str) -> None:
        """Two numbers; `chance` is how far two seeds put them apart, None where nobody tried."""
        if before == now or (math.isnan(before) and math.isnan(now)):
            return
        apart = abs(before - now)  # not finite where one is infinite, or no number at all
        if math.isfinite(apart) and apart <= SMALLEST + TOLERANCE * max(abs(before), abs(now)):
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
        return apart <= CHANCE * chance or (self.timed and chance > 0)

    def result(self) -> Compared:
        """The comparison as a report tells it."""
        return Compared(
            aspect=self.aspect,
            number=self.number,
            equal=self.equal,
            largest=self.largest,
            random=self.random,
            filled=self.filled,
            text=self.text,
        )
