"""What a function reads from around it, and what unknown code may do with what it gets."""

import ast
from collections.abc import Iterable, Iterator

from graphdoctor.dryrun.core.context import Scope
from graphdoctor.dryrun.core.heap import Heap, forget_items
from graphdoctor.dryrun.values import (
    UNKNOWN,
    AbstractNumber,
    Array,
    BoundMethod,
    Constant,
    Dictionary,
    Function,
    Instance,
    Library,
    LibraryObject,
    Method,
    Partial,
    Sequence,
    Tape,
    Tensor,
    Unknown,
    Value,
)
from graphdoctor.dryrun.values.joining import perhaps_replaced
from graphdoctor.source.def_use import CHANGING_METHODS
from graphdoctor.source.nodes import walk
from graphdoctor.source.remembering import remembered


def captured_names(function: Function) -> Iterator[tuple[Scope, str]]:
    """The names from around it that a function reads."""
    for name in names_read(function.node):
        scope: Scope | None = function.scope
        while scope is not None:
            if name in scope.cells:
                yield scope, name
                break
            scope = scope.parent


@remembered(4096)
def names_read(node: ast.AST) -> tuple[str, ...]:
    """The names that are read somewhere inside and come from outside."""
    own: set[str] = set()
    found: dict[str, None] = {}
    for each in walk(node):
        if isinstance(each, ast.Name):
            if _is_read(each):
                found[each.id] = None
            else:
                own.add(each.id)
        elif isinstance(each, ast.arg):
            own.add(each.arg)
    return tuple([name for name in found if name not in own])


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


@remembered(4096)
def names_bound(node: ast.AST) -> frozenset[str]:
    """The names that are given a value somewhere inside."""
    return frozenset(each.id for each in walk(node) if isinstance(each, ast.Name) and not _is_read(each))


@remembered(4096)
def own_attributes(node: ast.AST) -> frozenset[str] | None:
    """The attributes that a method names of its first parameter; None where it hands that on."""
    parameters = getattr(node, "args", None)
    if parameters is None or not parameters.args:
        return None
    own = parameters.args[0].arg
    named = [each for each in walk(node) if isinstance(each, ast.Attribute)]
    bases = {id(each.value) for each in named if isinstance(each.value, ast.Name) and each.value.id == own}
    uses = [each for each in walk(node) if isinstance(each, ast.Name) and each.id == own]
    if any(id(each) not in bases for each in uses):
        return None
    return frozenset(each.attr for each in named if id(each.value) in bases)


@remembered(4096)
def is_only_computed(node: ast.AST, name: str) -> bool:
    """Whether a name is nothing but a number in sums and comparisons: nobody calls it or looks into it."""
    operands = {
        id(part)
        for each in walk(node)
        if isinstance(each, (ast.BinOp, ast.UnaryOp, ast.Compare))
        for part in ast.iter_child_nodes(each)
    }
    uses = [each for each in walk(node) if isinstance(each, ast.Name) and each.id == name]
    return all(id(each) in operands for each in uses)


DEEPEST = 3
HOLDERS = (Instance, LibraryObject)
ESCAPED = "__escaped__"
HARMLESS = frozenset(
    (Constant, AbstractNumber, Unknown, Tensor, Array, Library)
)  # others can do nothing to them


def mark_escaped(heap: Heap, value: object, depth: int = 0) -> None:
    """Unknown code gets a value: mark what it may change as escaped."""
    if value.__class__ in HARMLESS:
        return
    if isinstance(value, Tape):
        value.loose = value.escaped = True
    elif depth > DEEPEST:
        return
    elif isinstance(value, Sequence):
        for item in value.items or ():
            mark_escaped(heap, item, depth + 1)
    elif isinstance(value, Function):
        _forget_globals(heap, value)
        for scope, name in captured_names(value):
            if scope.kind != "module" or isinstance(scope.cells[name], HOLDERS):
                mark_escaped(heap, scope.cells[name], depth + 1)
    elif isinstance(value, BoundMethod):
        if isinstance(value.receiver, Instance) and isinstance(value.function, Function):
            _forget_set_by(heap, value.receiver, value.function)
        mark_escaped(heap, value.receiver, depth + 1)
    elif isinstance(value, Method):
        if isinstance(value.receiver, (Sequence, Dictionary)) and value.name in CHANGING_METHODS:
            forget_items(heap, value.receiver)
    elif isinstance(value, Partial):
        for given in (value.function, *value.positional, *value.keywords.values()):
            mark_escaped(heap, given, depth + 1)
    elif isinstance(value, HOLDERS):
        _mark_parts(heap, value, depth)


def _forget_set_by(heap: Heap, receiver: Instance, method: Function) -> None:
    """Others may call a method, now or later: what it sets may have become something else."""
    for name in _set_by(method.node):
        old = receiver.cells.get(name, receiver.cls.find(name))
        if isinstance(old, (Constant, AbstractNumber)):
            heap.put(receiver.cells, name, UNKNOWN)


def _forget_globals(heap: Heap, function: Function) -> None:
    """The same of the names of the module that a function says it sets."""
    scope = function.scope
    while scope.kind != "module" and scope.parent is not None:
        scope = scope.parent
    for name in _global_names(function.node):
        if isinstance(scope.cells.get(name), (Constant, AbstractNumber)):
            heap.put(scope.cells, name, UNKNOWN)


@remembered(4096)
def _global_names(function: ast.AST) -> frozenset[str]:
    return frozenset(name for part in walk(function) if isinstance(part, ast.Global) for name in part.names)


@remembered(4096)
def _set_by(function: ast.AST) -> frozenset[str]:
    """The attributes of its first argument that a function sets."""
    arguments = getattr(function, "args", None)
    if arguments is None or not arguments.args:
        return frozenset()
    own = arguments.args[0].arg
    return frozenset(
        part.attr
        for part in walk(function)
        if isinstance(part, ast.Attribute)
        and isinstance(part.ctx, ast.Store)
        and isinstance(part.value, ast.Name)
        and part.value.id == own
    )


def _mark_parts(heap: Heap, holder: Instance | LibraryObject, depth: int) -> None:
    """An object escapes with all that it has now."""
    known, count = holder.cells.get(ESCAPED), len(holder.cells.keys() - {ESCAPED})
    if isinstance(known, Constant) and known.value == count:
        return
    heap.put(holder.cells, ESCAPED, Constant(count))
    for part in list(holder.cells.values()):
        mark_escaped(heap, part, depth + 1)


def forget_given(heap: Heap, values: Iterable[Value]) -> None:
    """The function that gets these is unknown: it may fill a list, and change what a dict says."""
    for value in values:
        if isinstance(value, Dictionary):
            for key, old in perhaps_replaced(value.cells, UNKNOWN).items():
                heap.put(value.cells, key, old)
        elif isinstance(value, Sequence) and value.items == ():
            forget_items(heap, value)
