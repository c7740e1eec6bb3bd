"""What two sides of a staged `if`, or two iterations of a staged loop, must not leave different."""

import ast
import itertools

from graphdoctor.dryrun.core.context import Returned
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import (
    AbstractNumber,
    BoundMethod,
    Dictionary,
    Function,
    GraphFunction,
    Instance,
    Library,
    LibraryObject,
    Partial,
    Sequence,
    Tensor,
    Union,
    Unknown,
    Value,
    Variable,
    is_none,
)
from graphdoctor.dryrun.values.dtypes import dtype_of, shape_of
from graphdoctor.dryrun.values.joining import MISSING, python_type
from graphdoctor.recording.format import Conflict

UNCLEAR = (Unknown, Union)
LOOPS = ("for", "while")
Places = tuple[ast.AST | None, ast.AST | None]


def compare(
    machine: Machine,
    construct: str,
    node: ast.AST,
    name: str,
    before: Value,
    after: Value,
    places: Places = (None, None),
) -> bool:
    """Write down why a name cannot go through a staged branch or loop; False when it can, or it is unknown.

    `construct` is `if`, `for`, `while`, or `cond` for what `tf.cond` and its like choose between.
    `places` are the statements that set the one and the other value.
    """
    kind = conflict_of(before, after, construct)
    if not kind:
        return False
    name, before, after = _innermost(name, before, after, construct)
    note_conflict(machine, construct, node, kind, name, before, after, places)
    return True


def _innermost(name: str, before: Value, after: Value, construct: str) -> tuple[str, Value, Value]:
    """The part of a structure that differs: `state[1]`, `state.count`."""
    if (
        isinstance(before, Sequence)
        and isinstance(after, Sequence)
        and _structure(before) == _structure(after)
    ):
        for position, (a, b) in enumerate(zip(before.items or (), after.items or (), strict=False)):
            if conflict_of(a, b, construct):
                return _innermost(name + before.place(position), a, b, construct)
    return name, before, after


def note_conflict(
    machine: Machine,
    construct: str,
    node: ast.AST,
    kind: str,
    name: str,
    before: Value,
    after: Value,
    places: Places = (None, None),
) -> None:
    """Write down that a name cannot go through a staged branch or loop."""
    log = machine.log
    first, second = (log.place(each) if each is not None else None for each in places)
    conflict = Conflict(
        kind=kind,
        name=name,
        before=log.describe(before) if before is not MISSING else None,
        after=log.describe(after) if after is not MISSING else None,
        place=second,
        before_place=first,
    )
    log.staging("if" if construct == "cond" else construct, "refused", node, reason=kind, conflict=conflict)


def conflict_of(before: Value, after: Value, construct: str) -> str:
    """undefined · none · dtype · structure · shape, or empty."""
    if before is MISSING or after is MISSING:
        return "" if construct in LOOPS else "undefined"
    if construct == "cond" and is_none(before) and is_none(after):
        return ""  # AutoGraph refuses it, `tf.cond` does not (run on 2.21)
    if is_none(before) or is_none(after):
        other = after if is_none(before) else before
        return "none" if construct not in LOOPS and not isinstance(other, Union) else ""
    if isinstance(before, UNCLEAR) or isinstance(after, UNCLEAR):
        return ""
    if _is_object(before) or _is_object(after):
        return "object" if construct not in LOOPS else ""
    if _structure(before) != _structure(after):
        return "structure" if None not in (_structure(before), _structure(after)) else ""
    if isinstance(before, Sequence) and isinstance(after, Sequence):
        pairs = list(zip(before.items or (), after.items or (), strict=False))
    elif isinstance(before, Dictionary) and isinstance(after, Dictionary):
        both = before.entries.keys() & after.entries.keys()
        pairs = [(before.entries[key], after.entries[key]) for key in both]
    else:
        return _conflict_of_tensors(before, after, construct)
    return next((found for a, b in pairs if (found := conflict_of(a, b, construct))), "")


def _conflict_of_tensors(before: Value, after: Value, construct: str) -> str:
    # Run on 2.21: a Python number becomes int32 or float32, also beside an int64 or float64 tensor.
    first, second = dtype_of(before), dtype_of(after)
    if first is not None and second is not None and first != second:
        return "dtype"
    return "shape" if construct in LOOPS and _shape_changes(before, after) else ""


def _is_object(value: Value) -> bool:
    """Whether a graph has no such value: a function, a layer, an object of a plain class."""
    if isinstance(value, Instance):
        plain = not value.cls.record and not value.cls.libraries and not value.cls.is_open
        return plain and not getattr(value.cls.node, "decorator_list", ())
    return isinstance(value, (Function, BoundMethod, GraphFunction, Partial, Library)) or (
        isinstance(value, LibraryObject) and value.kind in ("layer", "model", "optimizer")
    )


def _structure(value: Value) -> object:
    """A list's or tuple's length, a dict's keys, `one` for a tensor; None if unknown."""
    if isinstance(value, Sequence):
        known = value.kind in ("list", "tuple") and value.items is not None
        return (value.kind, len(value.items or ())) if known else None
    if isinstance(value, Dictionary):
        return frozenset(map(str, value.entries)) if value.complete else None
    return "one" if isinstance(value, (Tensor, Variable)) or python_type(value) or is_none(value) else None


def _shape_changes(before: Value, after: Value) -> bool:
    first, second = shape_of(before), shape_of(after)
    if isinstance(before, Variable) or not isinstance(after, Tensor) or first is None or second is None:
        return False
    if len(first) != len(second):
        return True
    pairs = zip(first, second, strict=True)
    return any(
        isinstance(a, int) and (b is None or (isinstance(b, int) and a != b) or _grown(b)) for a, b in pairs
    )


def _grown(size: object) -> bool:
    return isinstance(size, AbstractNumber) and bool(size.varies)


def _returns_nothing(first: Returned, second: Returned) -> str:
    """`none` when one way comes to the end of the function, and the other returns some value."""
    ways = ((first, second), (second, first))
    return next(("none" for a, b in ways if not isinstance(b.node, ast.Return) and _gives_value(a)), "")


def _gives_value(returned: Returned) -> bool:
    """Whether a `return` gives something that is not None, as far as the source shows."""
    given = returned.node.value if isinstance(returned.node, ast.Return) else None
    return isinstance(returned.value, UNCLEAR) and not isinstance(given, ast.Call | None)


def returned_differently(machine: Machine, node: ast.AST, returns: list[Returned]) -> None:
    """Write down that two ways through a function return what one graph cannot: a tensor or nothing…

    What Python's own conditions choose between need not agree.
    """
    staged = [position for position, each in enumerate(returns) if each.depth]
    following = returns[staged[0] :] if staged else []
    surely = [each for each in following if each.may <= following[0].may]
    for first, second in itertools.pairwise(surely):
        if is_none(first.value) and is_none(second.value):
            continue
        kind = conflict_of(first.value, second.value, "if") or _returns_nothing(first, second)
        if kind:
            kind = "return" if kind == "none" else kind
            places = (first.node, second.node)
            note_conflict(machine, "if", node, kind, "return", first.value, second.value, places)
            return
