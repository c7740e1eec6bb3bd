"""Graph functions that are made again and again → the ways to make them once, the likeliest first."""

import ast

from graphdoctor.model import Edit, Fix, Safety
from graphdoctor.refactoring.creation.graph_wrappings import (
    kept_by_closure,
    kept_wrapping,
    remembered,
    remembering,
)
from graphdoctor.refactoring.creation.hoisting import can_hoist, hoist_call, hoist_statement
from graphdoctor.refactoring.creation.inner_functions import lifted, lifted_for_all
from graphdoctor.refactoring.syntax.graph_functions import decorator_of, wrapping_of
from graphdoctor.source.def_use import Kind, Use
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.resolving import called_function, def_use_around
from graphdoctor.source.scopes import Placed, Scope
from graphdoctor.source.surroundings import name_given, parents_of

REMEMBER = "Remember what it made"
DEFINE_ONCE, MAKE_ONCE = "Define it once, outside", "Make it once, outside"
Fixes = tuple[Fix, tuple[Fix, ...]]


def made_once(function: Function) -> Fixes:
    """Define a decorated function before the loop, or once outside of the function that it stands in."""
    placed, module = function.placed, function.home
    if decorator_of(function) is None:
        wrapping = wrapping_of(function)
        by_hand = Fix(title=MAKE_ONCE, safety=Safety.MANUAL)
        return wrapped_once(module, wrapping) if wrapping is not None else (by_hand, ())
    if placed.loops and can_hoist(function.node, placed):
        edits = hoist_statement(module, function.node, placed.loops[0])
        return Fix(title="Define it before the loop", safety=Safety.SAFE, edits=edits), ()
    ways = (lifted(function), lifted(function, as_tensors=True))
    offered = [Fix(title=DEFINE_ONCE, safety=Safety.UNSAFE, edits=edits) for edits in ways if edits]
    if not offered and placed.scope.function is not None:
        others = (*_one_for_all(function), *_remembered(module, placed.scope.function))
        return Fix(title=DEFINE_ONCE, safety=Safety.MANUAL), others
    if offered and not placed.loops:
        return offered[0], tuple(offered[1:])
    return Fix(title=DEFINE_ONCE, safety=Safety.MANUAL), tuple(reversed(offered))


def made_once_where(function: Function, module: Module, node: ast.AST) -> Fixes:
    """The same, where a decorator of the user's makes the graph function by a call at `node`."""
    by_another = isinstance(node, ast.Call) and node not in function.decorators
    return wrapped_once(module, node) if by_another else made_once(function)


def wrapped_once(module: Module, node: ast.AST) -> Fixes:
    """Make a function that is wrapped by a call before the loop, or once outside."""
    placed = next((each for each in module.walk.calls if each.node is node), None)
    by_hand = Fix(title=MAKE_ONCE, safety=Safety.MANUAL)
    if placed is None or not isinstance(node, ast.Call):
        return by_hand, ()
    edits = _before_loop(module, node, placed) if placed.loops else ()
    if edits:
        return Fix(title="Make it before the loop", safety=Safety.SAFE, edits=edits), ()
    if placed.scope.function is None:
        return by_hand, ()
    closed_over = kept_by_closure(module, node, placed)
    if closed_over is not None:
        return Fix(title=MAKE_ONCE, safety=Safety.UNSAFE, edits=closed_over), ()
    wrapping, kept_by_maker = kept_wrapping(module, node, placed), remembering(module, node, placed)
    others = (Fix(title=REMEMBER, safety=Safety.UNSAFE, edits=kept_by_maker),) if kept_by_maker else ()
    if wrapping is not None:
        return Fix(title=MAKE_ONCE, safety=Safety.UNSAFE, edits=wrapping), others
    wrapped = called_function(ast.Call(node.args[0], [], []), placed.scope) if node.args else None
    inner = _one_for_all(wrapped) if wrapped is not None else ()
    return by_hand, (*inner, *others, *_remembered(module, placed.scope.function))


def _before_loop(module: Module, call: ast.Call, placed: Placed) -> tuple[Edit, ...]:
    kept = _kept_for_iteration(module, call, placed)
    if kept is not None:
        alone = ";" not in module.lines[kept.lineno - 1]
        return hoist_statement(module, kept, placed.loops[0]) if alone else ()
    called_at_once = getattr(parents_of(module).get(call), "func", None) is call
    return hoist_call(module, call, placed) if called_at_once and can_hoist(call, placed) else ()


def _one_for_all(function: Function) -> tuple[Fix, ...]:
    """One function for all the values that it is made for."""
    edits = lifted_for_all(function)
    return (Fix(title=DEFINE_ONCE, safety=Safety.UNSAFE, edits=edits),) if edits else ()


def _remembered(module: Module, scope: Scope) -> tuple[Fix, ...]:
    """Let the function that makes it remember what it made."""
    maker = module.functions.get(scope.node)
    edits = remembered(maker) if maker is not None else None
    return (Fix(title=REMEMBER, safety=Safety.UNSAFE, edits=edits),) if edits else ()


def _kept_for_iteration(module: Module, call: ast.Call, placed: Placed) -> ast.stmt | None:
    """`name = tf.function(f)` at each iteration of a loop, always the same; only the loop calls `name`."""
    name, loop = name_given(placed.statement, call), placed.loops[0]
    if not name or not isinstance(loop, ast.For | ast.While):
        return None
    if placed.statement not in getattr(placed.loops[-1], "body", ()) or not can_hoist(call, placed):
        return None
    if any(isinstance(node, ast.Break) for node in ast.walk(loop)):
        return None  # perhaps there is no second iteration
    uses = def_use_around(module, loop)
    called = all(one.use is Use.CALLED and loop in one.loops for one in uses.of(name, Kind.READ))
    return placed.statement if called and len(uses.of(name, Kind.WRITE)) == 1 else None
