"""What is done at few iterations of a loop, or stays small however often it is filled."""

import ast
from collections.abc import Iterator
from typing import Final

from graphdoctor.dryrun.control.carried_state import NESTED
from graphdoctor.dryrun.core.context import LoopRun
from graphdoctor.dryrun.core.escape_analysis import names_bound
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import Dictionary
from graphdoctor.dryrun.values.terms import MOST_FEW
from graphdoctor.source.control_flow_graph import Loop
from graphdoctor.source.def_use import def_use_of
from graphdoctor.source.nodes import spelled, walk
from graphdoctor.source.remembering import remembered

OFTEN: Final = 8  # what is done at every iteration of fewer than so many is done again and again


def is_for_one_iteration(loop: LoopRun) -> bool:
    """Whether what a loop over some things runs now is under a question for one of them: `key == "ekf"`."""
    node, statement = loop.node, loop.activation.statement
    if not isinstance(node, ast.For) or loop.count is None or statement is None:
        return False
    names = names_bound(node.target)
    return any(_asks_for_one(test, names) for test in questions(node, statement))


def is_seldom(loop: LoopRun, at: ast.AST) -> bool:
    """Whether a place in a loop is under a question for every n-th of its iterations: `step % 100 == 0`."""
    return any(map(_asks_for_every, questions(loop.node, at)))


@remembered(256)
def waits(loop: ast.AST) -> bool:
    """Whether a loop asks somebody to type something: `input("next? ")`."""
    calls = [part.func for part in walk(loop) if isinstance(part, ast.Call)]
    return any(isinstance(called, ast.Name) and called.id == "input" for called in calls)


def is_seen_by_later_iterations(loop: LoopRun, at: ast.AST) -> bool:
    """Whether what is changed at a place in a loop is changed for its later iterations, which reach it.

    They do not where the loop is left behind it; and what is done at the first iteration alone is done.
    """
    names = names_bound(loop.node.target) if isinstance(loop.node, ast.For) else frozenset[str]()
    first = any(_asks_for_first(test, names) for test in questions(loop.node, at))
    return not first and not is_left_behind(loop, at)


def is_left_behind(loop: LoopRun, at: ast.AST) -> bool:
    """Whether a loop surely ends, by `break` or `return`, behind a place in it."""
    function = loop.activation.function
    owner = function.node if function is not None else loop.module.syntax.tree
    return isinstance(loop.node, Loop) and not def_use_of(owner).comes_again(loop.node, at)


def questions(loop: ast.AST, at: ast.AST) -> list[ast.expr]:
    """The conditions in a loop that must hold for a place in it to be reached."""
    return _questions(loop).get(at, [])


@remembered(256)
def _questions(loop: ast.AST) -> dict[ast.AST, list[ast.expr]]:
    found: dict[ast.AST, list[ast.expr]] = {}
    for part in walk(loop):
        if isinstance(part, ast.If):
            for inner in (inner for each in part.body for inner in walk(each)):
                found.setdefault(inner, []).append(part.test)
    return found


def _asks_for_one(test: ast.expr, names: frozenset[str]) -> bool:
    sides = _compared(test)
    return any(isinstance(side, ast.Name) and side.id in names for side in sides) and any(
        isinstance(side, ast.Constant) for side in sides
    )


def _asks_for_first(test: ast.expr, names: frozenset[str]) -> bool:
    """`i == 0`, `not i`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return isinstance(test.operand, ast.Name) and test.operand.id in names
    zero = any(isinstance(side, ast.Constant) and side.value == 0 for side in _compared(test))
    return zero and _asks_for_one(test, names)


def _asks_for_every(test: ast.expr) -> bool:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(map(_asks_for_every, test.values))
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _is_rest(test.operand)
    return any(map(_is_rest, _compared(test)))


def _is_rest(side: ast.expr) -> bool:
    """Whether it is the rest of a division by a number that is large, or that a setting gives."""
    if not isinstance(side, ast.BinOp) or not isinstance(side.op, ast.Mod):
        return False
    number = side.right.value if isinstance(side.right, ast.Constant) else OFTEN
    return isinstance(number, int) and number >= OFTEN


def _compared(test: ast.expr) -> list[ast.expr]:
    """The two sides of `a == b`."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        return [test.left, test.comparators[0]]
    return []


def is_lasting(machine: Machine, holder: Dictionary) -> bool:
    """Whether a dict was there before the innermost loop began, and has had few keys since."""
    before = not machine.loops or machine.loops[-1] not in holder.origin.loops
    return before and len(holder.cells) <= MOST_FEW


def is_asked_for(machine: Machine, holder: ast.expr) -> bool:
    """Whether the function that stores in a dict, or else the loop, asks before whether it has the key."""
    function = machine.activation.function
    around = function.node if function is not None else machine.loops[-1].node if machine.loops else None
    return around is not None and spelled(holder) in _asked(around)


@remembered(4096)
def _asked(around: ast.AST) -> frozenset[str]:
    """The dicts of which some code asks whether they have a key."""
    found: set[str] = set()
    for node in walk(around):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            found.add(spelled(node.comparators[0]).removesuffix(".keys()"))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            found.add(spelled(node.func.value))
        elif isinstance(node, ast.Try):
            read = [each for part in node.body for each in walk(part) if isinstance(each, ast.Subscript)]
            found.update(spelled(each.value) for each in read if isinstance(each.ctx, ast.Load))
    return frozenset(found)


EMPTY = ("list", "deque", "collections.deque")


def is_reset(machine: Machine, call: ast.AST) -> bool:
    """Whether the loop that fills a list, or else the function, also sets its name to an empty one."""
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return False
    held, activation = call.func.value, machine.activation
    if not isinstance(held, (ast.Name, ast.Attribute)):
        return False
    loop = machine.loops[-1] if machine.loops else None
    if loop is not None and loop.activation is activation:
        return spelled(held) in _emptied(loop.node)
    function = activation.function.node if activation.function is not None else None
    return isinstance(held, ast.Attribute) and function is not None and spelled(held) in _emptied(function)


@remembered(4096)
def _emptied(node: ast.AST) -> frozenset[str]:
    """The names and attributes that are set to an empty list, in a loop or function but not inside others."""
    if getattr(node, "name", "") == "__init__":
        return frozenset()
    return frozenset(name for child in ast.iter_child_nodes(node) for name in _emptied_by(child))


def _emptied_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, (*NESTED, ast.For, ast.While)):
        return
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _pairs(target, node.value)
    for child in ast.iter_child_nodes(node):
        yield from _emptied_by(child)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for inner, part in zip(target.elts, value.elts, strict=True):
            yield from _pairs(inner, part)
    elif isinstance(target, (ast.Name, ast.Attribute)) and _is_empty(value):
        yield spelled(target)


def _is_empty(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return spelled(value.func) in EMPTY and not value.args
    return isinstance(value, ast.List) and not value.elts
