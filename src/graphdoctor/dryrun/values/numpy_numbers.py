"""NumPy's numbers: what it computes from numbers that are known, without NumPy."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

from graphdoctor.dryrun.values import Array, Constant, Value

# NumPy's functions of one number or two, as Python spells them.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": math.exp, "log": math.log, "log10": math.log10, "log2": math.log2, "log1p": math.log1p,
    "expm1": math.expm1, "sqrt": math.sqrt, "sin": math.sin, "cos": math.cos, "tan": math.tan,
    "tanh": math.tanh, "ceil": math.ceil, "floor": math.floor, "abs": abs, "absolute": abs,
    "square": lambda x: x * x, "negative": operator.neg, "power": operator.pow, "maximum": max,
    "minimum": min, "clip": lambda x, low, high: min(max(x, low), high), "add": operator.add,
    "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv, "cosh": math.cosh,
    "sinh": math.sinh,
}  # fmt: skip
LARGEST, LARGEST_EXPONENT = 1e6, 64


def number_in(value: Value) -> int | float | None:
    """The number that a value is, Python's or NumPy's, where it is known."""
    if isinstance(value, Array):
        return value.number
    known = value.value if isinstance(value, Constant) else None
    return known if isinstance(known, (int, float)) else None


def computed(function: Callable[..., Any] | None, values: Iterable[Value]) -> int | float | None:
    """What a function makes of numbers; None where one of them is not known, or it is not defined there."""
    given = [number_in(value) for value in values]
    if function is None or not given or any(each is None or abs(each) > LARGEST for each in given):
        return None
    if function is operator.pow and given[1] > LARGEST_EXPONENT:  # type: ignore[operator]
        return None
    try:
        found = function(*given)
    except (ArithmeticError, ValueError, TypeError):
        return None
    return found if isinstance(found, (int, float)) else None
