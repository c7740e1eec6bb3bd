"""The shape of `x[i, :, None, ...]`."""

import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

from graphdoctor.dryrun.values import (
    NOTHING,
    AbstractNumber,
    Array,
    Constant,
    Dimension,
    Sequence,
    Shape,
    Slice,
    Tensor,
    Unknown,
    Value,
    is_few,
    unknown_size,
)
from graphdoctor.dryrun.values.terms import Term, add

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


def sliced_shape(shape: Shape, index: Value) -> Shape:
    """The shape after indexing; None when it is unknown."""
    if shape is None:
        return None
    parts = (
        list(index.items)
        if isinstance(index, Sequence) and index.kind == "tuple" and index.items
        else [index]
    )
    taken = sum(1 for part in parts if not _is(part, None) and not _is(part, Ellipsis))
    if taken > len(shape):
        return None
    result: list[Dimension] = []
    rest = list(shape)
    for part in parts:
        if _is(part, None):
            result.append(1)
        elif _is(part, Ellipsis):
            kept = len(rest) - sum(1 for p in parts[parts.index(part) + 1 :] if not _is(p, None))
            result += rest[:kept]
            rest = rest[kept:]
        elif isinstance(part, Slice):
            result.append(_sliced(rest.pop(0), part))
        elif isinstance(part, (Constant, AbstractNumber)) or (
            isinstance(part, (Tensor, Array)) and part.shape == ()
        ):
            rest.pop(0)
        else:
            return None
    return (*result, *rest)


def _is(part: Value, value: object) -> bool:
    return isinstance(part, Constant) and part.value is value


def _sliced(size: Dimension, part: Slice) -> Dimension:
    if all(_is(each, None) for each in part.parts):
        return size
    known = all(isinstance(each, Constant) for each in part.parts)
    if isinstance(size, int) and known:
        try:
            return len(range(size)[slice(*(each.value for each in part.parts))])  # type: ignore[attr-defined]
        except (TypeError, ValueError):
            return unknown_size()
    length = fixed_length(part)
    if length is not None and size is not None:
        return length
    if size is None:
        return None  # `x[:5]` of an open size is open as well: it may have fewer
    between = distance(part.parts[0], part.parts[1]) if _is(part.parts[2], None) else None
    if between is not None and part.parts[0].varies and not between.loops:
        made = AbstractNumber("int", term=between)  # `i * n : (i + 1) * n + more`
        made.open = True
        return made
    if any(isinstance(each, Unknown) for each in part.parts):
        return unknown_size()  # the other end may move as this one does
    dealt = _is_dealt(part)
    varies = NOTHING if dealt else NOTHING.union(*(each.varies for each in part.parts))
    few = dealt or all(map(is_few, part.parts))
    if isinstance(size, AbstractNumber) and not is_cut(part):
        varies |= size.varies
        few = few and size.few
    return unknown_size(varies, few)


def _is_dealt(part: Slice) -> bool:
    """Whether it takes every n-th from the i-th on, as cards are dealt: each gets as many, or one less."""
    first, last, step = part.parts
    whole = _is(step, None) or (isinstance(step, Constant) and step.value in (1, -1))
    return _is(last, None) and not _is(first, None) and not whole


def is_cut(part: Slice) -> bool:
    """Whether no more than so many are taken, however many there are: `x[:8]`, `x[-8:]`."""
    first, last, _ = part.parts
    begin = 1 if _is(first, None) else _sign(first)
    if _is(last, None):
        return begin == -1
    return begin is not None and begin == _sign(last)


def _sign(bound: Value) -> int | None:
    """-1 where it counts from the end; None if unknown, or it is another one at each iteration."""
    if isinstance(bound, Constant):
        return (-1 if bound.value < 0 else 1) if isinstance(bound.value, int) else None
    if not isinstance(bound, AbstractNumber) or (bound.varies and not bound.few):
        return None
    return -1 if bound.term.factor < 0 and bound.term.offset <= 0 else 1


def fixed_length(part: Slice) -> int | None:
    """How many `i : i + 32` takes, whatever `i` is; at the end of the data there may be fewer."""
    first, last, step = part.parts
    return fixed_distance(first, last) if _is(step, None) else None


def fixed_distance(first: Value, last: Value) -> int | None:
    """How far it is from `i` to `i + 32`, whatever `i` is."""
    between = distance(first, last)
    if between is None or between.parts or between.offset != int(between.offset):
        return None
    return int(between.offset) if between.offset > 0 else None


def distance(first: Value, last: Value) -> Term | None:
    """How far it is from one unknown number to another."""
    if not isinstance(first, (AbstractNumber, Array)) or not isinstance(last, (AbstractNumber, Array)):
        return None
    return add(last.term, first.term, -1)
