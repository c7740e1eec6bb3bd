"""Computing with constants, as far as the results stay small."""

import math
import re
from collections.abc import Callable
from typing import Any, Final

LONGEST: Final = 10_000  # characters of a text, bits of a whole number, elements of a list
MOST_WORK: Final = 1_000_000  # characters that may be written on the way
MOST_ITEMS: Final = 4_096  # of a list whose elements are known one by one
TEXTS: Final = (str, bytes)
COMBINING: Final = (
    "factorial",
    "comb",
    "perm",
)  # whose results have far more digits than what they are given
MOST_COMBINED: Final = 500
POWERS: Final = ("lshift", "pow", "round")
PATTERNS: Final = ("mod", "format", "format_map")
REPEATING: Final = ("replace", "join", "translate", "expandtabs")
WIDTH: Final = re.compile(r"\d{5,}")


class TooLargeError(Exception):
    """A result would be larger than what is kept."""


def fold(name: str, compute: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """The result of a function on constants; TooLargeError where it would be, or is, too large to be kept."""
    operands = [*given, *named.values()]
    if not _stays_small(name, operands):
        raise TooLargeError(name)
    result = compute(*given, **named)
    if _size(result) > LONGEST:
        raise TooLargeError(name)
    return result


def _stays_small(name: str, operands: list[Any]) -> bool:
    """Whether little is done to compute a result, and it is not much larger than what it is computed of."""
    whole = [each for each in operands if isinstance(each, int)]
    if name in COMBINING:
        return max(whole, default=0) <= MOST_COMBINED
    texts = [each for each in operands if isinstance(each, TEXTS)]
    if texts:  # a number is a width, a count or a place; REPEATING write one text often
        sizes = [max(len(each), 1) for each in texts]
        written = max([1, *map(abs, whole)]) * sum(sizes)
        wide = name in PATTERNS and any(WIDTH.search(each) for each in texts if isinstance(each, str))
        return not wide and written <= MOST_WORK and (name not in REPEATING or math.prod(sizes) <= MOST_WORK)
    if len(whole) == len(operands) == 2 and name in POWERS:  # of two, of the first, or of ten
        return (whole[0].bit_length() if name == "pow" else 1) * abs(whole[1]) <= LONGEST
    return True


def _size(value: Any) -> int:
    """Characters, bits or elements."""
    if isinstance(value, int):
        return value.bit_length()
    return len(value) if isinstance(value, (*TEXTS, list, tuple)) else 1
