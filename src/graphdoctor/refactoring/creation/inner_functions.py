"""A graph function that is made again inside another function → defined once: a method, or at the top.

What it took from around it becomes an argument; `self` makes it a method.
"""

import ast
import dataclasses
import itertools
import textwrap
from collections.abc import Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.graph_functions import decorator_of, has_option, wrapping_of
from graphdoctor.refactoring.syntax.imports import import_of, tensorflow_at
from graphdoctor.refactoring.tensor_arguments.parameter_uses import state_use
from graphdoctor.source.calls import has_stars
from graphdoctor.source.def_use import Kind, Use
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.resolving import class_around, def_use, method_of
from graphdoctor.source.scopes import FunctionNode
from graphdoctor.source.surroundings import binds, first_line, indent_of, last_line, parents_of

Loop = ast.For | ast.While


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """The line before which a definition is put, its indentation, and the class that it then belongs to."""

    line: int
    indent: str
    owner: ast.ClassDef | None = None


def lifted(function: Function, *, as_tensors: bool = False) -> tuple[Edit, ...] | None:
    """The edits that define a decorated inner function once; None where it is more than called.

    `as_tensors`: what becomes an argument is given as a tensor, so that a number does not trace again.
    """
    module, node = function.home, function.node
    loop = next((each for each in function.placed.loops if isinstance(each, Loop)), None)
    if not isinstance(node, ast.FunctionDef) or not _may_be_lifted(function):
        return None
    names = _taken(function, loop, ("parameter", "value", "item"))
    found, calls = tensorflow_at(module, function.scope), _calls(function)
    if names is None or found is None or calls is None or (as_tensors and not set(names) - {"self"}):
        return None
    in_class = class_around(function.placed.scope) if "self" in names else None
    place, tensorflow = _place(function, loop, in_class), found[0] if as_tensors else ""
    edits = _moved(function, place, names, calls, tensorflow)
    return (*edits, *found[1]) if edits is not None else None


def _moved(
    function: Function, place: Place | None, names: Sequence[str], calls: Sequence[ast.Call], tensorflow: str
) -> tuple[Edit, ...] | None:
    """The definition at its place, and its calls with what it took: as tensors, where TensorFlow is named."""
    name, node = _name_at(place, function) if place is not None else None, function.node
    if place is None or name is None or not isinstance(node, ast.FunctionDef):
        return None
    given = [each for each in names if each != "self" or place.owner is None]
    if given and not _takes_more(node):
        return None
    passed = {each: f"{tensorflow}.convert_to_tensor({each})" if tensorflow else each for each in given}
    called = f"self.{name}" if place.owner is not None else name
    edits = itertools.chain(*(_called(function.home, call, called, passed) for call in calls))
    return _cut(function.home, node), _put(function.home, node, place, name, given), *edits


def _may_be_lifted(function: Function) -> bool:
    """Whether a function in another one, or in a loop, is decorated without a signature."""
    decorator, around = decorator_of(function), function.placed
    inside = around.scope.function is not None or any(isinstance(each, Loop) for each in around.loops)
    plain = decorator is not None and not has_option(decorator, "input_signature")
    return inside and plain and not function.node.args.vararg


def lifted_for_all(function: Function) -> tuple[Edit, ...] | None:
    """A function that is made again for each value that it takes → one for all values, and a partial of it.

    It stands decorated in a factory that gives it away, or is given to `tf.function` there.
    """
    module, node, outer = function.home, function.node, function.placed.scope.function
    known, partial = tensorflow_at(module, function.scope), import_of(module, function.scope, "functools")
    if not isinstance(node, ast.FunctionDef) or outer is None or function.placed.loops:
        return None
    wrapping = wrapping_of(function) if decorator_of(function) is None else None
    place, names = _place(function, None, None), _taken(function, None, ("parameter", "value"))
    if known is None or partial is None or place is None or not names or "self" in names:
        return None
    uses = [one.node for one in def_use(module, outer.node).of(node.name, Kind.READ)]
    wrapped = decorator_of(function) is not None or (wrapping is not None and wrapping.args[:1] == uses)
    if len(uses) != 1 or not wrapped or not _takes_more(node) or _is_used(place, node.name, function):
        return None
    given = ", ".join(f"{name}={_as_tensor(function, name, known[0])}" for name in names)
    head = _decorator(module, wrapping, known[0]) if wrapping is not None else ""
    made = module.replace(wrapping or uses[0], f"{partial[0]}.partial({node.name}, {given})")
    defined = _put(module, node, place, node.name, names, head)
    return _cut(module, node), defined, made, *known[1], *partial[1]


def _decorator(module: Module, wrapping: ast.Call, tensorflow: str) -> str:
    """The line of a decorator with the options of a call of `tf.function`."""
    options = ", ".join(map(module.source_of, wrapping.keywords))
    return f"@{tensorflow}.function{f'({options})' if options else ''}\n"


def _as_tensor(function: Function, name: str, tensorflow: str) -> str:
    """A value as a tensor, where the function can take one."""
    takes = state_use(function, name, "float").tensor_would_do
    return f"{tensorflow}.convert_to_tensor({name})" if takes else name


def _takes_more(node: ast.FunctionDef) -> bool:
    """Whether parameters can be added at the end of a function's own."""
    own = node.args
    return not (own.defaults or own.kwonlyargs or own.kwarg or own.vararg)


def _taken(function: Function, loop: Loop | None, kinds: Sequence[str]) -> list[str] | None:
    """The names that an inner function takes from around it; None where one is not bound in these ways."""
    found: dict[str, None] = {}
    for part in ast.walk(function.node):
        bound = function.home.scope_at(part).lookup(part.id) if isinstance(part, ast.Name) else None
        if not isinstance(part, ast.Name) or bound is None or bound[0].within(function.scope):
            continue
        inside = binds(loop, part.id) if loop is not None else isinstance(bound[0].node, FunctionNode)
        if inside and part.id != function.name:
            bindings = {binding.kind for binding in bound[1]} - {"update"}
            if "other" in bindings or (len(bindings) == 1 and not bindings <= set(kinds)):
                return None
            found[part.id] = None
    return list(found)


def _place(function: Function, loop: Loop | None, owner: ast.ClassDef | None) -> Place | None:
    if loop is not None:
        before = indent_of(function.home, loop)
        return Place(loop.lineno, before) if before is not None else None
    holder = function.placed.scope.function
    while holder is not None and holder.parent is not None and holder.parent.node is not owner:
        if isinstance(holder.parent.node, ast.Module):
            break
        holder = holder.parent
    definition = holder.node if holder is not None else None
    if not isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return None
    return Place(first_line(definition), " " * definition.col_offset, owner)


def _name_at(place: Place, function: Function) -> str | None:
    """The name of a definition at its new place: its own, or with an underscore; None if both are taken."""
    names = (function.name, f"_{function.name}")
    return next((name for name in names if not _is_used(place, name, function)), None)


def _is_used(place: Place, name: str, function: Function) -> bool:
    """Whether a name stands for something else where the definition goes."""
    if place.owner is not None:
        return method_of(place.owner, name) is not None
    outside = function.placed.scope.parent if not function.placed.loops else None
    return outside is not None and outside.lookup(name) is not None


def _calls(function: Function) -> list[ast.Call] | None:
    """The calls of an inner function; None where it is also given away, or called with `*`."""
    reads = def_use(function.home, function.placed.scope.node).of(function.name, Kind.READ)
    users = [parents_of(function.home).get(one.node) for one in reads]
    calls = [each for each in users if isinstance(each, ast.Call) and not has_stars(each)]
    plain = all(keyword.arg is not None for each in calls for keyword in each.keywords)
    called = len(calls) == len(reads) and all(one.use is Use.CALLED for one in reads)
    return calls if called and plain else None


def _cut(module: Module, node: ast.FunctionDef) -> Edit:
    last = last_line(node)
    after = last < len(module.lines) and not module.lines[last].strip()
    return module.replace_stretch(first_line(node), 1, last + 1 + after, 1, "")


def _put(
    module: Module, node: ast.FunctionDef, place: Place, name: str, given: Sequence[str], decorator: str = ""
) -> Edit:
    """The definition at its new place, with what it took as parameters."""
    lines = module.text.splitlines(keepends=True)
    head = "".join(lines[first_line(node) - 1 : node.lineno - 1])
    defined = "".join(lines[node.lineno - 1 : node.end_lineno])
    opening = defined.index("(")
    closing = _closing(defined, opening)
    inside = defined[opening + 1 : closing].strip()
    own = [inside.rstrip(",")] if inside else []
    parameters = ", ".join([*(["self"] if place.owner is not None else []), *own, *given])
    start = defined[:opening].replace(node.name, name)
    text = textwrap.dedent(head + f"{start}({parameters}){defined[closing + 1 :]}").rstrip("\r\n")
    blank = "\n\n" if place.owner is not None or place.indent else "\n\n\n"
    return module.insert(place.line, 1, textwrap.indent(decorator + text, place.indent) + blank)


def _closing(text: str, opening: int) -> int:
    depth = 0
    for index in range(opening, len(text)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[index], 0)
        if depth == 0:
            return index
    return len(text) - 1


def _called(module: Module, call: ast.Call, name: str, passed: dict[str, str]) -> list[Edit]:
    """A call by another name, with more arguments at its end: by their names where others are given so."""
    renamed = module.replace(call.func, name)
    if not passed:
        return [renamed]
    span = module.span(call)
    line = module.text_line(span) + span.end_line - span.line
    written = [f"{name}={text}" if call.keywords else text for name, text in passed.items()]
    separator = ", " if call.args or call.keywords else ""
    return [renamed, module.insert(line, span.end_column - 1, separator + ", ".join(written))]
