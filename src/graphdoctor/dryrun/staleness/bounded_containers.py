"""What stays small however often it is filled: a cache with few keys, a list that is reset."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphdoctor.dryrun.control.carried_state import NESTED
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import Dictionary
from graphdoctor.dryrun.values.terms import MOST_FEW
from graphdoctor.source.nodes import spelled, walk
from graphdoctor.source.remembering import remembered


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
