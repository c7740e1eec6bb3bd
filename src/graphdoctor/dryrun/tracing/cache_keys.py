"""The key under which TensorFlow keeps a trace, and whether an `input_signature` fits."""

import ast
from typing import Any, Final

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import (
    NOWHERE,
    AbstractNumber,
    Array,
    BoundMethod,
    Constant,
    Dictionary,
    Function,
    GraphFunction,
    Instance,
    Numeric,
    Partial,
    Sequence,
    Shape,
    Tensor,
    TensorSpec,
    Union,
    Unknown,
    Value,
    Variable,
)
from graphdoctor.recording.format import Conflict
from graphdoctor.recording.format import Value as Described

WHOLE = ("int", "uint")


def signature_conflict(machine: Machine, function: GraphFunction) -> Conflict | None:
    """Why TensorFlow refuses a graph function as it is made; None when it does not, or it is unknown."""
    signature = function.options.get("input_signature")
    if isinstance(signature, TensorSpec):
        return Conflict(kind="bare signature")
    given: Value = function.function
    taken = 0  # parameters that the caller does not give
    while isinstance(given, BoundMethod) or (isinstance(given, Partial) and not given.keywords):
        taken += 1 if isinstance(given, BoundMethod) else len(given.positional)
        given = given.function
    fixed = isinstance(signature, Sequence) and signature.kind in ("list", "tuple")
    if not isinstance(given, Function) or not isinstance(signature, Sequence) or not fixed:
        return None
    if signature.items is None:
        return None
    while isinstance(wrapped := given.cells.get("__wrapped__"), Function):
        given = wrapped  # TensorFlow asks `inspect.signature`, which looks through `functools.wraps`
    taken += machine.scope.kind == "class" and not _is_static(given)
    least, most = _parameters(given, taken)
    count = len(signature.items)
    if most is not None and count > most:
        return _lengths("long signature", most, count)
    return _lengths("short signature", least, count) if count < least else None


def misfit(spec: TensorSpec, value: Value) -> str:
    """dtype or shape, where TensorFlow refuses an argument; it casts arrays, and no tensors (run on 2.21)."""
    kept = isinstance(value, (Tensor, Variable)) and not getattr(value, "annotated", False)
    if isinstance(value, Tensor) and value.supposed:
        return ""
    if kept and value.dtype and spec.dtype and value.dtype != spec.dtype:  # type: ignore[attr-defined]
        return "dtype"
    if isinstance(value, Constant) and type(value.value) is float and (spec.dtype or "").startswith(WHOLE):
        return "dtype"
    given = value.shape if isinstance(value, (Tensor, Variable, Array)) else None
    if given is None or spec.shape is None:
        return ""
    pairs = zip(given, spec.shape, strict=False)
    differs = any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs)
    return "shape" if differs or len(given) != len(spec.shape) else ""


def _lengths(kind: str, wanted: int, given: int) -> Conflict:
    return Conflict(
        kind=kind, before=Described(kind="tuple", length=wanted), after=Described(kind="tuple", length=given)
    )


def _is_static(function: Function) -> bool:
    decorators = getattr(function.node, "decorator_list", [])
    return any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in decorators)


def _parameters(function: Function, taken: int) -> tuple[int, int | None]:
    """How many positional parameters a function needs, and how many it takes; None for `*args`."""
    arguments = function.node.args
    most = len([*arguments.posonlyargs, *arguments.args]) - taken
    return most - len(arguments.defaults), None if arguments.vararg else most + len(arguments.kwonlyargs)


DEEPEST: Final = 5


def key_of(value: Value, depth: int = 0) -> Any:
    """Equal for two values that share a trace; Unknown shares with everything unknown."""
    if isinstance(value, Constant):
        return ("value", value.value)  # 1, 1.0 and True are equal, as for TensorFlow
    if isinstance(value, AbstractNumber):
        return ("scalar", value.type, value.term if value.varies else 0)
    if isinstance(value, (Tensor, Array)):
        return ("tensor", value.dtype, _shape_key(value.shape))
    if isinstance(value, Variable):
        return ("variable", id(value))
    if isinstance(value, Sequence) and depth < DEEPEST and value.kind != "iterator":
        items = value.items
        if items is None:
            element = value.cells["element"]
            return (value.kind, None if element is None else key_of(element, depth + 1))
        return (value.kind, tuple(key_of(item, depth + 1) for item in items))
    if isinstance(value, Dictionary) and depth < DEEPEST:
        entries = sorted((str(key), key_of(item, depth + 1)) for key, item in value.cells.items())
        return ("dict", tuple(map(str, entries)))
    if isinstance(value, BoundMethod) and not isinstance(value.function, Function):
        return ("bound", id(value.receiver), key_of(value.function, depth + 1))
    if isinstance(value, Unknown):
        return ("unknown",)
    if isinstance(value, Instance) and value.cls.record == "dataclass" and value.cls.frozen:
        return (
            "record",
            id(value.cls),
            value.origin.iterations,  # an equal one of an earlier iteration is gone, and its trace with it
            tuple(sorted((str(k), str(key_of(v, depth + 1))) for k, v in value.cells.items())),
        )
    origin = getattr(value, "origin", NOWHERE)
    return ("object", id(value) if origin is NOWHERE else origin.number)


def is_exact(value: Value) -> bool:
    """Whether its key distinguishes it from every other value: no two values that are not known have it."""
    if isinstance(value, Sequence):
        return value.items is not None and all(map(is_exact, value.items))
    return not isinstance(value, (Unknown, AbstractNumber, Union, Numeric, Dictionary))


def shares_surely(now: Value, then: Value, depth: int = 0) -> bool:
    """Whether of two values with one key it is known that they share a trace: none of their sizes is unknown.

    What comes from the same expression is taken for alike: the batches of one pipeline.
    """
    if isinstance(now, (Tensor, Array)) and isinstance(then, (Tensor, Array)):
        known = now.shape is not None and not any(isinstance(size, AbstractNumber) for size in now.shape)
        return known or (now.origin.node is then.origin.node and now.origin.node is not None)
    if isinstance(now, Sequence) and isinstance(then, Sequence) and depth < DEEPEST:
        pairs = zip(now.items or (), then.items or (), strict=False)
        return now.items is not None and all(shares_surely(a, b, depth + 1) for a, b in pairs)
    if isinstance(now, Dictionary) and isinstance(then, Dictionary) and depth < DEEPEST:
        both = [(item, then.cells.get(key)) for key, item in now.cells.items()]
        return all(isinstance(b, Value) and shares_surely(a, b, depth + 1) for a, b in both)
    return not isinstance(now, (Unknown, AbstractNumber, Union))


def _shape_key(shape: Shape) -> Any:
    if shape is None:
        return None
    return tuple(
        (size.term if size.varies else "?") if isinstance(size, AbstractNumber) else size for size in shape
    )


def generalized_all(now: dict[str, Value], before: dict[str, Value]) -> dict[str, Value]:
    """Arguments as `reduce_retracing` makes them: sizes that differ from those of earlier traces are open.

    Run on 2.21: where anything else differs, the arguments stay as they are.
    """
    found: dict[str, Value] = {}
    for name, value in now.items():
        general = _generalized(value, before.get(name, value), 0)
        if general is None:
            return now
        found[name] = general
    return found


def _generalized(now: Value, before: Value, depth: int) -> Value | None:
    """What lets both through; None where nothing does."""
    if isinstance(now, (Tensor, Array)) and isinstance(before, (Tensor, Array)):
        if now.dtype != before.dtype:
            return None
        shape = _general_shape(now.shape, before.shape)
        if shape == now.shape:
            return now
        return now.shaped(shape) if isinstance(now, Tensor) else Tensor(now.dtype, shape, now.origin)
    if isinstance(now, Sequence) and isinstance(before, Sequence) and now.items and before.items:
        if now.kind != before.kind or len(now.items) != len(before.items) or depth > DEEPEST:
            return None
        pairs = zip(now.items, before.items, strict=True)
        items = [_generalized(a, b, depth + 1) for a, b in pairs]
        if any(item is None for item in items):
            return None
        kept = tuple(item for item in items if item is not None)
        return Sequence(now.kind, kept, now.origin, None, now.count, now.fields)
    return now if key_of(now) == key_of(before) else None


def _general_shape(now: Shape, before: Shape) -> Shape:
    if now is None or before is None or len(now) != len(before):
        return None
    same = zip(now, before, _shape_key(now), _shape_key(before), strict=True)
    return tuple(size if a == b else None for size, _, a, b in same)
