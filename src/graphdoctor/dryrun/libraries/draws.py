"""Numbers that a library gives: whether they are out of a small set."""

from __future__ import annotations

from typing import Final

from graphdoctor.dryrun.values import AbstractNumber, Array, Constant, Sequence, Value, is_few, term_of, terms
from graphdoctor.dryrun.values.terms import MOST_FEW, Term

OF_NUMPY: Final = {
    "remainder": "mod", "floor_divide": "floordiv", "bitwise_and": "and", "right_shift": "rshift",
    "rint": "round", "fix": "trunc", "maximum": "max", "minimum": "min", "subtract": "sub",
    "multiply": "mul", "divide": "truediv", "power": "pow", "absolute": "abs",
}  # fmt: skip


def is_few_of_numpy(name: str, values: list[Value]) -> bool:
    """Whether a function of NumPy gives one of a few numbers."""
    if name == "clip":
        ends = [
            each.value for each in values[1:] if isinstance(each, Constant) and isinstance(each.value, int)
        ]
        return len(ends) == 2 and ends[1] - ends[0] < MOST_FEW and _is_whole(values[0])
    if name in ("searchsorted", "digitize"):
        edges = values[0] if name == "searchsorted" else values[-1]
        return isinstance(edges, Sequence) and edges.items is not None and len(edges.items) < MOST_FEW
    term = of_numpy(name, values)
    return terms.is_few(term) if term is not None else bool(values) and all(map(is_few, values))


def of_numpy(name: str, values: list[Value]) -> Term | None:
    """The term of what a function of NumPy computes of numbers."""
    known = [term for value in values if (term := term_of(value)) is not None]
    if not values or len(known) < len(values):
        return None
    return terms.apply(OF_NUMPY.get(name, name), *known)


def is_few_drawn(values: list[Value], ends: bool) -> bool:
    """Whether a random whole number between two, or below one, is one of a few; `ends`: the last is, too."""
    bounds = [value.value for value in values if isinstance(value, Constant) and isinstance(value.value, int)]
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
    kind = value.type if isinstance(value, AbstractNumber) else getattr(value, "dtype", None) or ""
    return kind.startswith(("int", "uint", "bool"))


def few_array(value: Value) -> bool:
    """Whether a number of NumPy's is one of a few."""
    return isinstance(value, Array) and (value.few or value.dtype == "bool")
