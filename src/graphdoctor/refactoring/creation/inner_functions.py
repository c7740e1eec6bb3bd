"""A graph function that is made again inside another function → made once: a method, or at the top.

What it took from around it becomes an argument; `self` makes it a method.
"""

import ast
import dataclasses
import textwrap
from collections.abc import Iterator

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.control_flow import binds
from graphdoctor.refactoring.syntax.function_flow import has_attribute
from graphdoctor.refactoring.syntax.graph_functions import TF_FUNCTION, decorator_of, has_option, wrapping_of
from graphdoctor.refactoring.syntax.imports import import_of, tensorflow_at
from graphdoctor.refactoring.syntax.resolving import class_around, definition_of, method_of
from graphdoctor.refactoring.tensor_arguments.parameter_uses import state_use
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Placed, Scope

MAKER = "graph_function_of"


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
    module, node, outer = function.home, function.node, function.placed.scope.function
    loops = [loop for loop in function.placed.loops if isinstance(loop, ast.For | ast.While)]
    decorator = decorator_of(function)
    if not isinstance(node, ast.FunctionDef) or decorator is None or (outer is None and not loops):
        return None
    if has_option(decorator, "input_signature"):
        return None
    taken = list(dict.fromkeys(_taken(function, outer, loops)))
    names = [name for name, _ in taken]
    if any(kind not in ("parameter", "value", "item") for _, kind in taken) or node.args.vararg:
        return None
    in_class = class_around(function.placed.scope) if "self" in names else None
    place = _place(module, outer, loops[0] if loops else None, in_class)
    calls = _calls(function)
    if place is None or calls is None or (as_tensors and names in ([], ["self"])):
        return None
    name = node.name
    if _is_used(place, name, module, function):
        name = f"_{name}"
        if _is_used(place, name, module, function):
            return None
    given = [each for each in names if each != "self" or place.owner is None]
    if given and not _takes_more(node):
        return None
    found = tensorflow_at(module, function.scope)
    if found is None:
        return None
    passed = [f"{found[0]}.convert_to_tensor({each})" if as_tensors else each for each in given]
    edits = [_cut(module, node), _put(module, node, place, name, given), *found[1]]
    for call in calls:
        edits += _called(module, call, f"self.{name}" if place.owner is not None else name, passed)
    return tuple(edits)


def _takes_more(node: ast.FunctionDef) -> bool:
    """Whether parameters can be added at the end of a function's own."""
    own = node.args
    return not (own.defaults or own.kwonlyargs or own.kwarg or own.vararg)


def lifted_for_all(function: Function) -> tuple[Edit, ...] | None:
    """A function that is made again for each value that it takes → one for all values, and a partial of it.

    It stands decorated in a factory that gives it away, or is given to `tf.function` there.
    """
    module, node, outer = function.home, function.node, function.placed.scope.function
    if not isinstance(node, ast.FunctionDef) or outer is None or function.placed.loops:
        return None
    wrapping = wrapping_of(function) if decorator_of(function) is None else None
    taken = list(dict.fromkeys(_taken(function, outer, [])))
    names = [name for name, _ in taken]
    known, partial = tensorflow_at(module, function.scope), import_of(module, function.scope, "functools")
    place = _place(module, outer, None, None)
    plain = all(kind in ("parameter", "value") for _, kind in taken) and "self" not in names
    if known is None or partial is None or place is None or not names or not plain or not _takes_more(node):
        return None
    if (wrapping is None) == (decorator_of(function) is None) or _is_used(place, node.name, module, function):
        return None
    uses = [use for use in _given_away(function) if wrapping is None or use in wrapping.args]
    if len(uses) != 1 or len(uses) != len(_given_away(function)):
        return None
    tensors = [name for name in names if state_use(function, name, "float").tensor_would_do]
    given = ", ".join(
        f"{name}={known[0]}.convert_to_tensor({name})" if name in tensors else f"{name}={name}"
        for name in names
    )
    made = f"{partial[0]}.partial({node.name}, {given})"
    options = ", ".join(module.source_of(each) for each in wrapping.keywords) if wrapping else ""
    decorator = f"@{known[0]}.function{f'({options})' if options else ''}\n" if wrapping else ""
    return (
        _cut(module, node),
        _put(module, node, place, node.name, names, decorator),
        module.replace(wrapping if wrapping is not None else uses[0], made),
        *known[1],
        *partial[1],
    )


def _given_away(function: Function) -> list[ast.Name]:
    """The uses of an inner function."""
    nodes = ast.walk(function.placed.scope.node)
    named = (node for node in nodes if isinstance(node, ast.Name) and node.id == function.name)
    return [node for node in named if isinstance(node.ctx, ast.Load)]


def _taken(
    function: Function, outer: Scope | None, loops: list[ast.For | ast.While]
) -> Iterator[tuple[str, str]]:
    """The names that an inner function takes from around it, and how they are bound there."""
    for part in ast.walk(function.node):
        if not isinstance(part, ast.Name) or not isinstance(part.ctx, ast.Load):
            continue
        found = function.home.scope_at(part).lookup(part.id)
        if found is None or found[0].within(function.scope) or part.id == function.name:
            continue
        in_loop = bool(loops) and binds(loops[0], part.id)
        in_function = isinstance(found[0].node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if in_loop or (in_function and not loops and outer is not None):
            kinds = {binding.kind for binding in found[1]} - {"update"}
            yield part.id, kinds.pop() if len(kinds) == 1 else "value" if "other" not in kinds else "other"


def _place(
    module: Module, outer: Scope | None, loop: ast.For | ast.While | None, owner: ast.ClassDef | None
) -> Place | None:
    if loop is not None:
        before = module.lines[loop.lineno - 1][: loop.col_offset]
        return Place(loop.lineno, before) if not before.strip() else None
    assert outer is not None
    holder: Scope = outer
    while holder.parent is not None and holder.parent.node is not owner:
        if isinstance(holder.parent.node, ast.Module):
            break
        holder = holder.parent
    definition = holder.node
    if not isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return None
    line = min([definition.lineno, *(each.lineno for each in definition.decorator_list)])
    return Place(line, " " * definition.col_offset, owner)


def _is_used(place: Place, name: str, module: Module, function: Function) -> bool:
    """Whether a name stands for something else where the definition goes."""
    if place.owner is not None:
        return method_of(place.owner, name) is not None
    scope = function.placed.scope
    bound = scope.parent.lookup(name) if scope.parent is not None and not function.placed.loops else None
    return bound is not None


def _calls(function: Function) -> list[ast.Call] | None:
    """The calls of an inner function; None where it is also given away, or called with `*`."""
    scope, name = function.placed.scope, function.name
    nodes = list(ast.walk(scope.node))
    calls = {id(node.func): node for node in nodes if isinstance(node, ast.Call)}
    found: list[ast.Call] = []
    for node in nodes:
        if not isinstance(node, ast.Name) or node.id != name or not isinstance(node.ctx, ast.Load):
            continue
        call = calls.get(id(node))
        if call is None or any(isinstance(each, ast.Starred) for each in call.args):
            return None
        if any(keyword.arg is None for keyword in call.keywords):
            return None
        found.append(call)
    return found


def _cut(module: Module, node: ast.FunctionDef) -> Edit:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    last = node.end_lineno or node.lineno
    lines = module.lines
    after = last < len(lines) and not lines[last].strip()
    return module.replace_stretch(first, 1, last + 1 + after, 1, "")


def _put(
    module: Module, node: ast.FunctionDef, place: Place, name: str, given: list[str], decorator: str = ""
) -> Edit:
    """The definition at its new place, with what it took as parameters."""
    lines = module.text.splitlines(keepends=True)
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    head = "".join(lines[first - 1 : node.lineno - 1])
    defined = "".join(lines[node.lineno - 1 : node.end_lineno])
    opening = defined.index("(")
    closing = _closing(defined, opening)
    inside = defined[opening + 1 : closing].strip()
    own = [inside.rstrip(",")] if inside else []
    parameters = ", ".join([*(["self"] if place.owner is not None else []), *own, *given])
    start = defined[:opening].replace(node.name, name)
    text = textwrap.dedent(head + f"{start}({parameters}){defined[closing + 1 :]}").rstrip("\r\n")
    text = decorator + text
    blank = "\n\n" if place.owner is not None or place.indent else "\n\n\n"
    return module.insert(place.line, 1, textwrap.indent(text, place.indent) + blank)


def _closing(text: str, opening: int) -> int:
    depth = 0
    for index in range(opening, len(text)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[index], 0)
        if depth == 0:
            return index
    return len(text) - 1


def _called(module: Module, call: ast.Call, name: str, passed: list[str]) -> list[Edit]:
    edits = [module.replace(call.func, name)]
    if passed:
        span = module.span(call)
        line = module.text_line(span) + span.end_line - span.line
        plain = not call.keywords
        written = [each if plain else f"{_keyword(each)}={each}" for each in passed]
        separator = ", " if call.args or call.keywords else ""
        edits.append(module.insert(line, span.end_column - 1, separator + ", ".join(written)))
    return edits


def _keyword(passed: str) -> str:
    return passed.rpartition("(")[2].rstrip(")")


def kept_wrapping(module: Module, call: ast.Call, placed: Placed) -> tuple[Edit, ...] | None:
    """`tf.function(f)` in a function → the same object each time: beside `f`, or in `__init__`."""
    scope, wrapped = placed.scope, call.args[0] if call.args else None
    if dotted_name(call.func, scope) != TF_FUNCTION or placed.scope.function is None:
        return None
    if isinstance(wrapped, ast.Name):
        return _beside(module, call, wrapped, scope)
    if (
        isinstance(wrapped, ast.Attribute)
        and isinstance(wrapped.value, ast.Name)
        and wrapped.value.id == "self"
    ):
        return _in_init(module, call, f"_graph_{wrapped.attr.lstrip('_')}", scope)
    if isinstance(wrapped, ast.Lambda) and _takes_only_self(module, call):
        return _in_init(module, call, "_graph_function", scope)
    return None


def _takes_only_self(module: Module, call: ast.Call) -> bool:
    """Whether nothing is used of the method around but its `self`."""
    used = {
        part.id: module.scope_at(part)
        for part in ast.walk(call)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
    }
    around = module.scope_at(call)
    found = {name: scope.lookup(name) for name, scope in used.items()}
    from_around = {name for name, each in found.items() if each is not None and each[0] is around}
    return from_around == {"self"}


def _beside(module: Module, call: ast.Call, wrapped: ast.Name, scope: Scope) -> tuple[Edit, ...] | None:
    found = scope.lookup(wrapped.id)
    definition = found[1][0].node if found is not None and len(found[1]) == 1 else None
    at_top = found is not None and isinstance(found[0].node, ast.Module)
    name = f"graph_{wrapped.id}"
    if not at_top or not isinstance(definition, ast.FunctionDef) or scope.lookup(name) is not None:
        return None
    last = definition.end_lineno or definition.lineno
    if any(
        isinstance(part, ast.Name) for each in (*call.args[1:], *call.keywords) for part in ast.walk(each)
    ):
        return None
    text = f"\n\n{name} = {module.source_of(call)}\n"
    return (module.insert_after(last, text), module.replace(call, name))


def _in_init(module: Module, call: ast.Call, name: str, scope: Scope) -> tuple[Edit, ...] | None:
    owner = class_around(scope)
    init = method_of(owner, "__init__") if owner is not None else None
    if not isinstance(init, ast.FunctionDef) or scope.function is None or scope.function.node is init:
        return None
    if owner is None or has_attribute(owner, name):
        return None
    last = init.body[-1]
    indent = module.lines[last.lineno - 1][: len(module.lines[last.lineno - 1].rstrip()) and last.col_offset]
    text = f"{indent}self.{name} = {module.source_of(call)}\n"
    return (module.insert_after(last.end_lineno or last.lineno, text), module.replace(call, f"self.{name}"))


def remembering(module: Module, call: ast.Call, placed: Placed) -> tuple[Edit, ...] | None:
    """`tf.function(f)` for any `f` → a function beside that makes one for each `f`, and remembers it."""
    found = import_of(module, placed.scope, "functools")
    known = tensorflow_at(module, placed.scope)
    wrapped = call.args[0] if len(call.args) == 1 else None
    top = _top_around(module, call)
    if found is None or known is None or top is None or placed.scope.lookup(MAKER) is not None:
        return None
    if dotted_name(call.func, placed.scope) != TF_FUNCTION or not isinstance(
        wrapped, ast.Name | ast.Attribute
    ):
        return None
    local = definition_of(wrapped.id, placed.scope) if isinstance(wrapped, ast.Name) else None
    if local is not None and local[1] not in module.tree.body:
        return None  # a new function at each call, which nobody meets again
    options = "".join(f", {module.source_of(each)}" for each in call.keywords)
    line = min([top.lineno, *(each.lineno for each in getattr(top, "decorator_list", []))])
    text = (
        f"@{found[0]}.lru_cache(maxsize=None)\ndef {MAKER}(function):\n"
        f"    return {known[0]}.function(function{options})\n\n\n"
    )
    return (
        module.insert(line, 1, text),
        module.replace(call, f"{MAKER}({module.source_of(wrapped)})"),
        *found[1],
        *known[1],
    )


def _top_around(module: Module, node: ast.AST) -> ast.stmt | None:
    return next((s for s in module.tree.body if any(part is node for part in ast.walk(s))), None)


def remembered(function: Function) -> tuple[Edit, ...] | None:
    """A factory or property that makes a graph function → one that remembers what it made."""
    module, node, scope = function.home, function.node, function.placed.scope
    if not isinstance(node, ast.FunctionDef):
        return None
    found = import_of(module, scope, "functools")
    if found is None:
        return None
    functools, imports = found
    for decorator in node.decorator_list:
        if dotted_name(decorator, scope) == "builtins.property":
            return (module.replace(decorator, f"{functools}.cached_property"), *imports)
    if node.decorator_list or function.owner is not None:
        return None
    before = module.lines[node.lineno - 1][: node.col_offset]
    return (module.insert(node.lineno, 1, f"{before}@{functools}.lru_cache(maxsize=None)\n"), *imports)
