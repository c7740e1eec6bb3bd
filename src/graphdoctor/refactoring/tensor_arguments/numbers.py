"""Pass a Python number to a graph function as a tensor, always of one dtype."""

import ast
import re

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.source.calls import method_name
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.resolving import bindings_of, called_function, definition_of
from graphdoctor.source.scopes import Scope

DEPTH = 4
PART = re.compile(r"\.(\w+)|\[(\d+)\]|\[(['\"])(.*?)\3\]")
Part = str | int
Place = tuple[Module, ast.expr]


def as_tensor(
    module: Module, expression: ast.expr, path: str, dtype: str | None
) -> tuple[str, tuple[Edit, ...]] | None:
    """The edits that make an argument, or the part of it that `path` names, a tensor; with its text."""
    parts = parts_of(path)
    if not parts:
        return _wrapped([(module, expression)], dtype)
    places = _origins(module, expression, module.scope_at(expression), parts, 0)
    if places:
        return _wrapped(places, dtype)
    return _replaced(module, expression, parts, dtype) if len(parts) == 1 else None


def behind_stars(call: ast.expr, name: str) -> ast.expr | None:
    """`settings` of `loss(x, **settings)`, where nothing else can give the parameter."""
    if not isinstance(call, ast.Call) or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    stars = [keyword.value for keyword in call.keywords if keyword.arg is None]
    named = any(keyword.arg == name for keyword in call.keywords)
    return stars[0] if len(stars) == 1 and not named else None


def parts_of(path: str) -> list[Part]:
    """The way from a parameter to a part of it: `["lr"]` for `config.lr`."""
    return [
        int(found[2]) if found[2] is not None else (f".{found[1]}" if found[1] is not None else found[4])
        for found in PART.finditer(path)
    ]


def _wrapped(places: list[Place], dtype: str | None) -> tuple[str, tuple[Edit, ...]] | None:
    edits: list[Edit] = []
    text = ""
    for module, expression in places:
        found = tensorflow_at(module, module.scope_at(expression))
        if found is None or isinstance(expression, ast.Starred):
            return None
        text = _constant(module.source_of(expression), found[0], dtype)
        edits += [module.replace(expression, text), *found[1]]
    return text, tuple(edits)


def _constant(text: str, tensorflow: str, dtype: str | None) -> str:
    return f"{tensorflow}.constant({text}{f', {tensorflow}.{dtype}' if dtype else ''})"


def _origins(
    module: Module, node: ast.expr, scope: Scope, parts: list[Part], depth: int
) -> list[Place] | None:
    """The expressions that give a part of a value; None where the text does not show all of them."""
    if not parts or depth > DEPTH:
        return [(module, node)] if not parts else None
    value = _element(node, parts[0], scope)
    if value is not None:
        return _origins(module, value, scope, parts[1:], depth + 1)
    places: list[Place] = []
    for given, known in _given_by(node, scope, depth):
        found = _origins(known.home, given, known, parts, depth + 1) if given and known.home else None
        if not found:
            return None
        places += found
    return places or None


def _given_by(node: ast.expr, scope: Scope, depth: int) -> list[tuple[ast.expr | None, Scope]]:
    """What a name that is no argument itself gets, or a function of the project returns, and its scope."""
    if isinstance(node, ast.Call):
        function = called_function(node, scope)
        return [(each.value, function.scope) for each in function.returns] if function is not None else []
    found = bindings_of(node.id, scope) if isinstance(node, ast.Name) and depth else None
    values = [(each.value if each.index is None else None, found[0]) for each in found[1]] if found else []
    return values if len(values) == 1 and found and found[1][0].kind == "value" else []


def _element(node: ast.expr, part: Part, scope: Scope) -> ast.expr | None:
    """The expression of one element, where a container or record is written out."""
    if isinstance(node, ast.Dict) and isinstance(part, str):
        keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
        return node.values[keys.index(part)] if keys.count(part) == 1 else None
    if isinstance(node, ast.Tuple | ast.List) and isinstance(part, int):
        plain = not any(isinstance(element, ast.Starred) for element in node.elts)
        return node.elts[part] if plain and part < len(node.elts) else None
    if isinstance(node, ast.Call) and isinstance(part, str) and part.startswith("."):
        return _field(node, part[1:], _fields(node.func, scope))
    return None


def _field(made: ast.Call, name: str, fields: list[str]) -> ast.expr | None:
    """What a record is given for one of its fields, by its name or its place."""
    given = next((keyword.value for keyword in made.keywords if keyword.arg == name), None)
    if given is not None and (fields or method_name(made) == "_replace"):
        return given
    index = fields.index(name) if name in fields else len(made.args)
    return made.args[index] if index < len(made.args) else None


def _fields(maker: ast.expr, scope: Scope) -> list[str]:
    """The fields of a named tuple or dataclass, in their order."""
    if not isinstance(maker, ast.Name):
        return []
    defined = definition_of(maker.id, scope)
    if defined is not None and isinstance(defined[1], ast.ClassDef):
        annotated = (s.target for s in defined[1].body if isinstance(s, ast.AnnAssign))
        return [target.id for target in annotated if isinstance(target, ast.Name)]
    found = bindings_of(maker.id, scope)
    value = found[1][0].value if found and len(found[1]) == 1 else None
    if not isinstance(value, ast.Call) or found is None or len(value.args) < 2:
        return []
    if dotted_name(value.func, found[0]) not in ("collections.namedtuple", "typing.NamedTuple"):
        return []
    names = value.args[1]
    if isinstance(names, ast.Constant) and isinstance(names.value, str):
        return names.value.replace(",", " ").split()
    elements = names.elts if isinstance(names, ast.List | ast.Tuple) else []
    return [str(e.value) for e in elements if isinstance(e, ast.Constant)]


def _replaced(
    module: Module, node: ast.expr, parts: list[Part], dtype: str | None
) -> tuple[str, tuple[Edit, ...]] | None:
    """A copy of what is given, with one part as a tensor: of a dict, or of a named tuple."""
    part, found = parts[0], tensorflow_at(module, module.scope_at(node))
    if found is None or not isinstance(node, ast.Name | ast.Attribute) or not isinstance(part, str):
        return None
    text = module.source_of(node)
    if part.startswith("."):
        value = _constant(f"{text}{part}", found[0], dtype)
        return value, (module.replace(node, f"{text}._replace({part[1:]}={value})"), *found[1])
    value = _constant(f"{text}[{part!r}]".replace("'", '"'), found[0], dtype)
    # Three pieces, of which the edits for other entries of the same dict share the first and the last.
    pieces = (module.insert_behind(node, f', "{part}": {value}'), module.insert_behind(node, "}"))
    return value, (module.insert_before(node, "{**"), *pieces, *found[1])


MAKERS = {"tensorflow.constant", "tensorflow.convert_to_tensor"}


def with_dtype(module: Module, node: ast.AST, dtype: str) -> tuple[Edit, ...] | None:
    """The edits that give an argument one dtype: where it is made a tensor, else by a cast."""
    scope = module.scope_at(node)
    found = tensorflow_at(module, scope)
    if found is None:
        return None
    tensorflow, imports = found
    text = module.source_of(node)
    makes = isinstance(node, ast.Call) and dotted_name(node.func, scope) in MAKERS
    if makes and isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        return (module.replace(node, f"{text[:-1].rstrip().rstrip(',')}, {tensorflow}.{dtype})"), *imports)
    return (module.replace(node, f"{tensorflow}.cast({text}, {tensorflow}.{dtype})"), *imports)
