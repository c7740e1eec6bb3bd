"""Numbers that are the same within a tolerance, or as far apart as chance alone puts them."""

import math

from graphdoctor.model.cure import Compared

TOLERANCE = 1e-3  # of the value: float32 sums in another order differ by less, other results by more
SMALLEST = 1e-5
CHANCE = 3.0  # times what two seeds differ by


class Closeness:
    """What one comparison comes to, built up number by number.

    `fills`: the original is known to lack results, and may have None or NaN where there now is a value.
    """

    def __init__(self, aspect: str, fills: bool = False) -> None:
        self.aspect = aspect
        self.fills = fills
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
        apart = abs(before - now)
        finite = math.isfinite(apart)  # neither is infinite, or no number at all
        if finite and apart <= SMALLEST + TOLERANCE * max(abs(before), abs(now)):
            self.largest = max(self.largest, apart)
        elif chance is not None and (apart <= CHANCE * chance if finite else not math.isfinite(chance)):
            self.random = True
        elif self.fills and math.isnan(before):
            self.fill(text)
        else:
            self.differ(text)

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
