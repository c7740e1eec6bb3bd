"""A Python dict that a tensor asks → a lookup table of TensorFlow with the same pairs."""

import ast
import dataclasses
from collections.abc import Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body, body_around
from graphdoctor.refactoring.syntax.function_flow import has_name
from graphdoctor.refactoring.syntax.graph_functions import decorator_of
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.refactoring.syntax.resolving import class_around, is_self, method_of, uses_of
from graphdoctor.refactoring.syntax.statements import insert_lines_after
from graphdoctor.source.module import Module

CHANGING = ("update", "pop", "popitem", "clear", "setdefault")
WRITTEN = (ast.Dict, ast.DictComp)
MAPPING = ("map", "filter", "flat_map", "interleave")


@dataclasses.dataclass(frozen=True)
class _Asked:
    """A dict, the key that it is asked with, and what it gives for others; without that it raises."""

    holder: ast.expr
    key: ast.expr
    default: ast.expr | None = None


def looked_up(modules: Sequence[Module], module: Module, node: ast.AST) -> tuple[Edit, ...] | None:
    """The edits for `self.index.get(word, 1)` or `self.index[word]`, or the same of a dict of the file.

    None where the dict may change after it is made, or Python asks here as well, which needs no tensor.
    Without a value for others they raise, as the dict does: for sure in a pipeline alone, which is never on
    a GPU.
    """
    asked, body = _asked(node), body_around(module, node)
    made = _made(module, asked.holder) if asked is not None else None
    found = tensorflow_at(module, module.scope_at(node))
    if asked is None or made is None or found is None or body is None or not _is_traced_only(modules, body):
        return None
    if asked.default is None and not (_is_mapped(modules, body) and _holds_numbers(made.value)):
        return None
    pairs, name = ast.unparse(asked.holder), _last_name(asked.holder)
    table = f"{pairs}{'_TABLE' if name.isupper() else '_table'}"
    parts = [part for each in modules for part in ast.walk(each.tree)]
    if has_name(module, table) or any(part is not made and _changes(part, name) for part in parts):
        return None
    values = f"list({pairs}.values())" if asked.default is not None else f"list(range(len({pairs})))"
    default = module.source_of(asked.default) if asked.default is not None else "-1"
    lines = (
        f"{table} = {found[0]}.lookup.StaticHashTable(",
        f"    {found[0]}.lookup.KeyValueTensorInitializer(list({pairs}), {values}),",
        f"    default_value={default},",
        ")",
    )
    makes = _insert_after(module, made, lines)
    text = f"{table}.lookup({module.source_of(asked.key)})"
    if asked.default is None:
        text = f"{found[0]}.gather(list({pairs}.values()), {text})"
    return (makes, module.replace(node, text), *found[1]) if makes is not None else None


def _asked(node: ast.AST) -> _Asked | None:
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        plain = isinstance(node.slice, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
        return _Asked(node.value, node.slice) if plain else None
    method = node.func if isinstance(node, ast.Call) else None
    if not isinstance(node, ast.Call) or not isinstance(method, ast.Attribute) or method.attr != "get":
        return None
    if len(node.args) != 2 or node.keywords or not _is_number(node.args[1]):
        return None
    return _Asked(method.value, node.args[0], node.args[1])


def _is_mapped(modules: Sequence[Module], body: Body) -> bool:
    """Whether the one use of a function is in what a pipeline maps."""
    mapping = [
        part
        for module in modules
        for part in ast.walk(module.tree)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in MAPPING
    ]
    given = {id(part) for call in mapping for each in call.args for part in ast.walk(each)}
    uses = list(uses_of(modules, body.function.name))
    return len(uses) == 1 and id(uses[0]) in given


def _holds_numbers(value: ast.expr) -> bool:
    """Whether the values of a dict are numbers, as far as the text tells: one tensor can hold them."""
    if isinstance(value, ast.Dict):
        return bool(value.values) and all(_is_number(each) for each in value.values)
    return isinstance(value, ast.DictComp) and _counts(value)


def _counts(made: ast.DictComp) -> bool:
    """`{name: i for i, name in enumerate(names)}`."""
    each = made.generators[0]
    plain = isinstance(each.iter, ast.Call) and ast.unparse(each.iter.func) == "enumerate"
    pair = each.target.elts if isinstance(each.target, ast.Tuple) else []
    number = pair[0].id if len(pair) == 2 and isinstance(pair[0], ast.Name) else None
    names = {part.id for part in ast.walk(made.value) if isinstance(part, ast.Name)}
    calls = any(isinstance(part, ast.Call) for part in ast.walk(made.value))
    return plain and len(made.generators) == 1 and names == {number} and not calls


def _is_number(node: ast.expr) -> bool:
    number = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(number, ast.Constant) and type(number.value) in (int, float)


def _last_name(holder: ast.expr) -> str:
    return ast.unparse(holder).rpartition(".")[2]


def _made(module: Module, holder: ast.expr) -> ast.Assign | None:
    """The one statement that makes the dict: in `__init__`, at the top of the file, or of a function."""
    if isinstance(holder, ast.Attribute) and is_self(holder.value):
        owner = class_around(module.scope_at(holder))
        init = method_of(owner, "__init__") if owner is not None else None
        block = init.body if isinstance(init, ast.FunctionDef) else []
    elif isinstance(holder, ast.Name):
        found = module.scope_at(holder).lookup(holder.id)
        around = found[0].node if found is not None and len(found[1]) == 1 else None
        outside = around is module.tree or (
            found is not None and found[0] is not module.scope_at(holder) and not _is_graph(module, around)
        )
        block = around.body if outside and isinstance(around, ast.Module | ast.FunctionDef) else []
    else:
        return None
    made = [each for each in block if isinstance(each, ast.Assign) and _makes(each, ast.unparse(holder))]
    return made[0] if len(made) == 1 else None


def _is_graph(module: Module, node: ast.AST | None) -> bool:
    function = module.functions.get(node) if node is not None else None
    return function is None or decorator_of(function) is not None


def _makes(statement: ast.Assign, text: str) -> bool:
    return [ast.unparse(each) for each in statement.targets] == [text] and isinstance(
        statement.value, WRITTEN
    )


def _insert_after(module: Module, statement: ast.Assign, lines: Sequence[str]) -> Edit | None:
    around = body_around(module, statement)
    if around is not None:
        return insert_lines_after(around.home, statement, *lines)
    last = statement.end_lineno or statement.lineno
    alone = not statement.col_offset and ";" not in module.lines[last - 1]
    return module.insert_after(last, "".join(f"{line}\n" for line in lines)) if alone else None


def _is_traced_only(modules: Sequence[Module], body: Body) -> bool:
    """Whether it is a graph function that asks, or one place uses the function: where it is traced."""
    graph = decorator_of(body.function) is not None
    return graph or len(list(uses_of(modules, body.function.name))) <= 1


def _changes(part: ast.AST, name: str) -> bool:
    """Whether a dict of this name is changed: by an item, a method, or `|=`."""
    whole: ast.AST | None = None
    if isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load):
        whole = part.value
    elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in CHANGING:
        whole = part.func.value
    elif isinstance(part, ast.AugAssign):
        whole = part.target
    elif isinstance(part, ast.Assign):  # a name of another scope is another one
        whole = next((each for each in part.targets if isinstance(each, ast.Attribute)), None)
    return isinstance(whole, ast.Name | ast.Attribute) and _last_name(whole) == name
