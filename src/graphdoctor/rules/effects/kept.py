"""State that traced code reads or changes: the `tf.Variable` that it could be."""

import functools
from collections.abc import Iterable, Sequence

from graphdoctor.model import Fix, Safety, Span
from graphdoctor.recording.format import Definition, Escape, Place, Trace, Value
from graphdoctor.refactoring.tensor_arguments.parameter_uses import state_use_around
from graphdoctor.refactoring.variables.state import Kept, to_variable
from graphdoctor.refactoring.wrappers.attribute_stores import handed_out
from graphdoctor.refactoring.wrappers.python_statements import deferred
from graphdoctor.rules.facts import Facts
from graphdoctor.source import Module
from graphdoctor.source.sites import Node
from graphdoctor.source.surroundings import set_by, stored_in

TITLE = "Keep it in a `tf.Variable`"
DEFER = "Run it in `tf.py_function`"
NUMBERS = ("int", "float", "bool", "number")
TENSORS = ("tensor", "array", "variable")


def variable_fix(
    facts: Facts, span: Span, values: Iterable[Value | None], written: Iterable[Place | None] = ()
) -> tuple[Fix, tuple[Fix, ...]]:
    """Keep the state that is named there in a Variable; manual where it is neither a number nor a tensor.

    Returns the fix, and what is to be tried instead.
    """
    by_hand = Fix(title=TITLE, safety=Safety.MANUAL)
    known = [value for value in values if value is not None]
    kinds = {value.type for value in known}
    know_callers(facts, written)
    found = facts.sources.expression_at(span)
    module, node = found if found is not None else (None, None)
    node = stored_in(node) if node is not None else None
    if module is None or node is None or not known:
        return by_hand, ()
    numbers = all(value.type in NUMBERS for value in known)
    if not numbers and not all(value.kind in TENSORS for value in known):
        return by_hand, ()
    dtypes: tuple[str | None, ...] = (None,)
    if numbers:
        use = state_use_around(module, node, "float" if "float" in kinds else "int")
        if use is not None and not use.tensor_would_do:
            return by_hand, ()
        mixed = {"int", "float"} <= kinds
        dtypes = ("float32",) if mixed else use.dtypes if use is not None else dtypes
    whole = kinds == {"int"}
    fixes = [_fix(facts, module, node, _kept(dtype, numbers, whole)) for dtype in dtypes]
    offered = tuple(fix for fix in fixes if fix is not None)
    return (offered[0], offered[1:]) if offered else (by_hand, ())


def know_callers(facts: Facts, more: Iterable[Place | None] = ()) -> None:
    """Read the files from which graph functions are called, and those of other places."""
    took_part = [frame.place for trace in facts.of(Trace) for frame in trace.chain]
    for path in {place.path for place in (*more, *took_part) if place is not None}:
        facts.sources.module(path)


def kept_tensor(facts: Facts, span: Span, tensor: Value) -> tuple[Fix, ...]:
    """Keep a tensor that leaves its graph in a Variable of its dtype and shape, where these are known."""
    found = facts.sources.expression_at(span)
    target = set_by(found[1]) if found is not None else None
    if found is None or target is None or not tensor.dtype or tensor.shape is None or None in tensor.shape:
        return ()
    kept = Kept(start=f"tf.zeros({list(tensor.shape)}, tf.{tensor.dtype})", read_as_number=False)
    where = functools.partial(is_traced, facts)
    edits = to_variable(facts.sources.modules, found[0], target, kept, where)
    return (Fix(title=TITLE, safety=Safety.UNSAFE, edits=edits),) if edits else ()


def sent_outside(facts: Facts, event: Escape, span: Span) -> tuple[Fix, ...]:
    """Let the graph put the value where a tensor was kept; not where the next trace is to go on with it."""
    found = facts.sources.expression_at(span)
    if found is None or event.again or event.graph:
        return ()
    edits = handed_out(facts.sources.modules, *found, functools.partial(is_traced, facts))
    return (Fix(title=DEFER, safety=Safety.UNSAFE, edits=edits),) if edits else ()


def deferring(facts: Facts, span: Span, calls: Sequence[Place] = ()) -> tuple[Fix, ...]:
    """The last resort: the graph runs the Python statement, or a call that leads to it, at each call."""
    for each in (span, *(facts.span(place) for place in reversed(calls))):
        found = facts.sources.expression_at(each)
        edits = deferred(*found) if found is not None else None
        if edits:
            return (Fix(title=DEFER, safety=Safety.UNSAFE, edits=edits),)
    return ()


def _kept(dtype: str | None, numbers: bool, whole: bool) -> Kept:
    is_float = dtype is not None and "float" in dtype
    return Kept(dtype=dtype, read_as_number=numbers, whole=whole and is_float)


def _fix(facts: Facts, module: Module, node: Node, kept: Kept) -> Fix | None:
    edits = to_variable(facts.sources.modules, module, node, kept, functools.partial(is_traced, facts))
    return Fix(title=TITLE, safety=Safety.UNSAFE, edits=edits) if edits else None


def is_traced(facts: Facts, module: Module, node: Node | None) -> bool:
    """Whether a function, or one around it, runs while something is traced."""
    known = module.functions.get(node) if node is not None else None
    if known is None:
        return False
    line = module.place(known.ref.line, 1, known.ref.line, 1).line
    if Definition(name=known.ref.name, path=module.path, line=line) in facts.traced:
        return True
    return is_traced(facts, module, known.around)
