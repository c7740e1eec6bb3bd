"""Where a number that differs at the turns of a loop has few values all the same: rounded, bounded, drawn."""

from __future__ import annotations

from typing import Final

from graphdoctor.dryrun.values import Array, Known, Scalar, Sequence, Value

MOST_FEW: Final = 4
COARSE: Final = 0.1  # a step of which ten make a new number, where nobody knows how often a loop turns
LARGEST_SHIFT: Final = 64
OF_NUMPY: Final = {
    "mod": "mod", "remainder": "mod", "floor_divide": "floordiv", "bitwise_and": "and",
    "right_shift": "rshift",
}  # fmt: skip


def is_few(value: Value) -> bool:
    """Whether a value is one of a few."""
    return isinstance(value, Known) or bool(getattr(value, "few", False))


def is_few_rounded(value: Value, divisor: float = 1) -> bool:
    """Whether few whole numbers are left when it is divided and rounded: `k // 20` in forty turns."""
    if not isinstance(value, Scalar) or is_few(value) or not divisor:
        return is_few(value)
    step = abs(value.linear[1] / divisor)
    turns = 1
    for loop in value.varies:
        if loop.count is None:
            return step <= COARSE
        turns *= loop.count
    return bool(value.varies) and step * turns <= MOST_FEW


def is_few_combined(name: str, left: Value, right: Value) -> bool:
    """Whether an operation on two numbers gives one of a few."""
    if is_few(left) and is_few(right):
        return True
    given = right.value if isinstance(right, Known) else None
    if name == "and":
        mask = given if isinstance(given, int) else getattr(left, "value", -1)
        return isinstance(mask, int) and mask >= 0 and mask.bit_count() <= MOST_FEW // 2
    if name == "mod":
        return isinstance(given, int) and given <= MOST_FEW
    if name == "floordiv":
        return isinstance(given, (int, float)) and is_few_rounded(left, given)
    if name == "rshift":
        return isinstance(given, int) and 0 <= given < LARGEST_SHIFT and is_few_rounded(left, 2**given)
    return False


def is_few_extreme(name: str, items: list[Value]) -> bool:
    """Whether `max(0, 1 - k)` or `min(k, 2)` has few values, for a `k` that counts up."""
    if all(map(is_few, items)):
        return True
    bounds = [
        each.value for each in items if isinstance(each, Known) and isinstance(each.value, (int, float))
    ]
    rest = [each for each in items if not isinstance(each, Known)]
    if not bounds or len(rest) != 1 or not isinstance(rest[0], Scalar):
        return False
    number = rest[0]
    unknown, factor, offset = number.linear
    if not any(unknown in loop.counters for loop in number.varies):
        return False
    way = min(bounds) - offset if name == "min" else offset - max(bounds)
    return (factor > 0) is (name == "min") and bool(factor) and way / abs(factor) < MOST_FEW


def is_few_of_numpy(name: str, values: list[Value]) -> bool:
    """Whether a function of NumPy gives one of a few numbers."""
    if not values:
        return False
    if all(map(is_few, values)):
        return True
    if name in ("floor", "ceil", "rint", "round", "trunc", "fix"):
        return len(values) == 1 and is_few_rounded(values[0])
    if name == "clip":
        ends = [each.value for each in values[1:] if isinstance(each, Known) and isinstance(each.value, int)]
        return len(ends) == 2 and ends[1] - ends[0] < MOST_FEW and _is_whole(values[0])
    if name in ("maximum", "minimum"):
        return is_few_extreme(name[:3], values)
    if name in OF_NUMPY and len(values) == 2:
        return is_few_combined(OF_NUMPY[name], *values)
    if name in ("searchsorted", "digitize"):
        edges = values[0] if name == "searchsorted" else values[-1]
        return isinstance(edges, Sequence) and edges.items is not None and len(edges.items) < MOST_FEW
    return name == "sign"


def is_few_drawn(values: list[Value], ends: bool) -> bool:
    """Whether a random whole number between two, or below one, is one of a few; `ends`: the last is, too."""
    bounds = [value.value for value in values if isinstance(value, Known) and isinstance(value.value, int)]
    if not bounds or len(bounds) != len(values) or len(bounds) > 2:
        return False
    first, last = (0, bounds[0]) if len(bounds) == 1 else bounds
    return last - first + ends <= MOST_FEW


def is_few_chosen(population: Value) -> bool:
    """Whether what is drawn from a list or an array is one of a few."""
    if isinstance(population, Sequence):
        count = len(population.items) if population.items is not None else population.count
    else:
        size = population.shape[0] if isinstance(population, Array) and population.shape else None
        count = size if isinstance(size, int) else None
    return count is not None and count <= MOST_FEW


def _is_whole(value: Value) -> bool:
    kind = value.type if isinstance(value, Scalar) else getattr(value, "dtype", None) or ""
    return kind.startswith(("int", "uint", "bool"))


def few_array(value: Value) -> bool:
    """Whether a number of NumPy's is one of a few."""
    return isinstance(value, Array) and (value.few or value.dtype == "bool")
