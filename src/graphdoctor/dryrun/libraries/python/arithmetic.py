"""Python's functions that compute: the largest, the sum, the power of numbers, arrays and tensors."""

import ast
import functools
from collections.abc import Callable
from typing import Any

from graphdoctor.dryrun.control.staging import is_symbolic
from graphdoctor.dryrun.core.folding import fold
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.core.operators import combine, stepped_by
from graphdoctor.dryrun.libraries.python.builtin_functions import ranks_of, use_of_tensor
from graphdoctor.dryrun.libraries.registry import Call, function
from graphdoctor.dryrun.tracing.operations import left, operate
from graphdoctor.dryrun.values import (
    NONE,
    UNKNOWN,
    AbstractNumber,
    Array,
    Constant,
    Numeric,
    Sequence,
    Tensor,
    Value,
    Variable,
    computed_number,
    is_none,
)
from graphdoctor.dryrun.values.dtypes import mixed_dtype
from graphdoctor.dryrun.values.iteration import consume, element, items_of, settled
from graphdoctor.dryrun.values.joining import join_all, python_type
from graphdoctor.dryrun.values.slicing import computed

REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": sum, "max": max, "min": min, "any": any, "all": all,
}  # fmt: skip
PLAIN: dict[str, Callable[..., Any]] = {"abs": abs, "round": round}


@function("builtins.pow", "builtins.divmod")
def two_numbers(call: Call) -> Value:
    values = call.arguments.positional
    if any(is_symbolic(call.machine, value) for value in values):
        if call.last == "divmod":  # run on 2.21: unlike `//` and `%`, it takes no tensor
            use_of_tensor(call, "number", values)
            return UNKNOWN
        return arithmetic(call)
    if len(values) != 2:
        return arithmetic(call)
    operators: tuple[ast.operator, ...] = (ast.Pow(),) if call.last == "pow" else (ast.FloorDiv(), ast.Mod())
    found = [combine(call.machine, each, values[0], values[1], call.node) for each in operators]
    return found[0] if len(found) == 1 else Sequence("tuple", tuple(found), call.origin)


@function("builtins.abs", "builtins.round")
def arithmetic(call: Call) -> Value:
    value = call.get(0, "x")
    if isinstance(value, Constant):
        try:
            known = [v.value for v in call.arguments.positional if isinstance(v, Constant)]
            named = {n: v.value for n, v in call.arguments.keywords.items() if isinstance(v, Constant)}
            if len(known) + len(named) == len(list(call.arguments)) and call.last in PLAIN:
                found = Constant(fold(call.last, PLAIN[call.last], *known, **named))
                return stepped_by(call.last, found, *call.arguments)
        except Exception:
            return UNKNOWN
    if isinstance(value, (Numeric, Variable)):
        lost = "Round" if call.last == "round" else ""
        if call.last == "round" and _cannot_be_rounded(call.machine, value):
            use_of_tensor(call, "number", [value])
        made = operate(call.machine, call.last, [value], call.node, value.dtype, value.shape, lost)
        if isinstance(made, Array):
            made.number = computed(PLAIN.get(call.last), call.arguments.positional)
        return made
    return _of_number(call, value) if python_type(value) else UNKNOWN


def _cannot_be_rounded(machine: Machine, value: Value) -> bool:
    """Run on 2.21: `round` asks a tensor for NumPy's `astype`; a variable of Keras' knows how."""
    return (
        isinstance(value, Tensor)
        and is_symbolic(machine, value)
        and not machine.program.gives_to_tensors("astype")
    )


def _of_number(call: Call, value: Value) -> Value:
    kind, given = python_type(value), [value]
    if call.last == "round":
        given.append(call.get(1, "ndigits", Constant(0)))
        kind = "int" if len(call.arguments.positional) == 1 else kind
    return computed_number(kind, call.last, given)


@function("builtins.sum", "builtins.max", "builtins.min", "builtins.any", "builtins.all")
def reduction(call: Call) -> Value:
    machine = call.machine
    values = call.arguments.positional
    first = settled(values[0]) if values else UNKNOWN
    if is_symbolic(machine, first) and len(values) == 1:
        use_of_tensor(call, "iteration", values)
        return UNKNOWN
    if len(values) > 1 and call.last in ("max", "min"):
        return _reduce(call, values)
    items = items_of(machine, first)
    if items is not None:
        consume(machine, first)
        start = values[1:2] if call.last == "sum" and items else []
        return _reduce(call, [*items, *start])
    if "default" in call.arguments.keywords or call.arguments.has(1, "start"):
        return UNKNOWN
    typical = element(machine, first, call.node)
    if isinstance(typical, Tensor):
        paths_from = [typical]
        return operate(machine, call.last, paths_from, call.node, typical.dtype, typical.shape)
    if isinstance(typical, Array):
        return _of_alike_arrays(call, typical)
    if python_type(typical):
        if call.last in ("any", "all"):
            return AbstractNumber("bool", typical.varies)
        kind = python_type(typical)
        return AbstractNumber("int" if call.last == "sum" and kind == "bool" else kind, typical.varies)
    return UNKNOWN


def _of_alike_arrays(call: Call, typical: Array) -> Value:
    """What Python makes of arrays of which it takes one after the other: their sum, or one of the numbers."""
    if call.last == "sum":
        return combine(call.machine, ast.Add(), typical, typical, call.node)
    largest = call.last in ("max", "min") and typical.shape == () and "key" not in call.arguments.keywords
    return typical if largest else UNKNOWN


def _reduce(call: Call, items: list[Value]) -> Value:
    machine = call.machine
    key = call.arguments.keywords.get("key", NONE)
    if not is_none(key) and len(items) > 1:
        return _extreme_by(call, items, key)
    if items and all(isinstance(item, Constant) for item in items):
        try:
            plain = [item.value for item in items]  # type: ignore[attr-defined]
            found = Constant(fold(call.last, REDUCTIONS[call.last], plain))
            return stepped_by(call.last, found, *items) if call.last in ("max", "min") else found
        except Exception:
            return UNKNOWN
    tensors = [item for item in items if isinstance(item, (Tensor, Variable))]
    if tensors:
        compares = call.last in ("max", "min", "any", "all") and len(items) > 1
        if compares and any(is_symbolic(machine, t) for t in tensors):
            use_of_tensor(call, "bool", items)
            return UNKNOWN
        return operate(machine, call.last, items, call.node, mixed_dtype(items), tensors[0].shape)
    if call.last in ("max", "min") and any(isinstance(item, Array) for item in items):
        return _extreme(call, items)
    if call.last == "sum" and items and all(isinstance(item, Array) for item in items):
        added = functools.partial(combine, machine, ast.Add(), node=call.node)
        return functools.reduce(added, items[1:], items[0])
    if items and all(python_type(item) for item in items):
        kind = "bool" if call.last in ("any", "all") else python_type(join_all(items)) or "number"
        return computed_number(kind, call.last, items)
    if items or call.last in ("max", "min"):
        return UNKNOWN if items else call.arguments.keywords.get("default", UNKNOWN)
    return call.get(1, "start", Constant(0)) if call.last == "sum" else Constant(call.last == "all")


def _extreme_by(call: Call, items: list[Value], key: Value) -> Value:
    """`max(items, key=…)`: one of them, whichever the key says."""
    ranks = ranks_of(call, items, key)
    if ranks is not None:
        try:
            place: int = REDUCTIONS[call.last](range(len(items)), key=ranks.__getitem__)
            return items[place]
        except TypeError:
            return UNKNOWN
    return join_all(items)


def _extreme(call: Call, items: list[Value]) -> Value:
    """The largest or smallest of several numbers, some of them NumPy's."""
    if any(not isinstance(item, Array) and not python_type(item) for item in items):
        return UNKNOWN
    made = Array(mixed_dtype(items), (), call.origin)
    made.paths = left(call.machine, items, call.last, call.node)
    made.varies = frozenset().union(*(item.varies for item in items))
    made.number = computed(REDUCTIONS[call.last], items)
    return made
