"""Dicts in which a program keeps what it made for a key: each is made once, when its key is first met."""

from __future__ import annotations

import ast

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
