"""Graph methods of objects that nobody keeps: TensorFlow holds the object weakly, and finds it gone."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.core.definitions import underlying
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.core.scopes import holder_of
from graphdoctor.dryrun.values import (
    BoundMethod,
    Class,
    Function,
    GraphFunction,
    Instance,
    Library,
    Partial,
    Value,
)
from graphdoctor.source.nodes import walk


def note_temporary(machine: Machine, callee: Value, node: ast.Call) -> None:
    """Write down that `Model().step(x)` reads something of an object that is gone by then."""
    while isinstance(callee, Partial):
        callee = callee.function  # it keeps the method, and the method does not keep the object
    if not isinstance(callee, BoundMethod) or not isinstance(callee.function, GraphFunction):
        return
    read = node.func if isinstance(node.func, ast.Attribute) else callee.origin.node
    made, owner = read.value if isinstance(read, ast.Attribute) else None, callee.receiver
    if not isinstance(made, ast.Call) or not isinstance(owner, Instance):
        return
    if owner.origin.node is not made and not _is_made_by(machine, made, owner):
        return
    function = underlying(callee.function)
    if function is not None and _reads_itself(function) and not _may_be_kept(owner.cls):
        machine.log.applied("temporary", owner, made, method=function.name)


def _is_made_by(machine: Machine, call: ast.Call, owner: Instance) -> bool:
    """Whether a call gives a new object at once: a plain function that returns it as it makes it."""
    holder = holder_of(machine, call.func.id) if isinstance(call.func, ast.Name) else None
    function = holder.cells[call.func.id] if holder is not None else None  # type: ignore[attr-defined]
    if not isinstance(function, Function):
        return False
    if isinstance(function.node, ast.Lambda):
        return function.node.body is owner.origin.node
    returned = (node.value for node in walk(function.node) if isinstance(node, ast.Return))
    return any(value is owner.origin.node for value in returned)


def _reads_itself(function: Function) -> bool:
    first = function.node.args.args[0].arg if function.node.args.args else ""
    return any(
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == first
        for node in walk(function.node)
    )


def _may_be_kept(cls: Class) -> bool:
    """Whether a base that is unknown, or the constructor, may hand the object to somebody who keeps it."""
    if not all(isinstance(each, Class) or _keeps_nothing(each) for each in cls.ancestry):
        return True
    begin = underlying(cls.find("__init__"))
    if begin is None:
        return False
    first = begin.node.args.args[0].arg if begin.node.args.args else ""
    named = [n for n in walk(begin.node) if isinstance(n, ast.Name) and n.id == first]
    through = [n.value for n in walk(begin.node) if isinstance(n, ast.Attribute)]
    return any(not any(name is holder for holder in through) for name in named)


def _keeps_nothing(base: Value) -> bool:
    """Run on 2.21: a `tf.Module` is gone as any object is; a layer of Keras' is kept by its own parts."""
    return isinstance(base, Library) and base.name == "tensorflow.Module"
