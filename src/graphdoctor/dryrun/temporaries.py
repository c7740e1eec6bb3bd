"""Graph methods of objects that nobody keeps: TensorFlow holds the object weakly, and finds it gone."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.definitions import underlying
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.values import BoundMethod, Class, Function, GraphFunction, Instance, Value


def note_temporary(machine: Machine, callee: Value, node: ast.Call) -> None:
    """Write down that `Model().step(x)` reads something of an object that is gone by then."""
    if not isinstance(callee, BoundMethod) or not isinstance(callee.function, GraphFunction):
        return
    read = node.func if isinstance(node.func, ast.Attribute) else callee.origin.node
    made, owner = read.value if isinstance(read, ast.Attribute) else None, callee.receiver
    if not isinstance(made, ast.Call) or not isinstance(owner, Instance) or owner.origin.node is not made:
        return
    function = underlying(callee.function)
    if function is not None and _reads_itself(function) and not _may_be_kept(owner.cls):
        machine.log.applied("temporary", owner, made, method=function.name)


def _reads_itself(function: Function) -> bool:
    first = function.node.args.args[0].arg if function.node.args.args else ""
    return any(
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == first
        for node in ast.walk(function.node)
    )


def _may_be_kept(cls: Class) -> bool:
    """Whether a base that nobody knows, or the constructor, may hand the object to somebody who keeps it."""
    if not all(isinstance(each, Class) for each in cls.ancestry):
        return True
    begin = underlying(cls.find("__init__"))
    if begin is None:
        return False
    first = begin.node.args.args[0].arg if begin.node.args.args else ""
    named = [n for n in ast.walk(begin.node) if isinstance(n, ast.Name) and n.id == first]
    through = [n.value for n in ast.walk(begin.node) if isinstance(n, ast.Attribute)]
    return any(not any(name is holder for holder in through) for name in named)
