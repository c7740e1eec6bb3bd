"""A Python dict that a tensor asks → a lookup table of TensorFlow with the same pairs."""

import ast
from collections.abc import Iterator, Sequence

from graphdoctor.model import Edit
from graphdoctor.rewriting.bodies import Body, body_around
from graphdoctor.rewriting.decorators import decorator_of
from graphdoctor.rewriting.imports import tensorflow_at
from graphdoctor.rewriting.resolving import class_around, is_self, method_of
from graphdoctor.rewriting.statements import insert_lines_after
from graphdoctor.source.module import Module

CHANGING = ("update", "pop", "popitem", "clear", "setdefault")
WRITTEN = (ast.Dict, ast.DictComp)


def looked_up(modules: Sequence[Module], module: Module, node: ast.AST) -> tuple[Edit, ...] | None:
    """The edits for `self.index.get(word, 1)`, or the same of a dict at the top of the file.

    None where the dict may change after it is made, or Python asks here as well, which needs no tensor.
    """
    method = node.func if isinstance(node, ast.Call) else None
    if not isinstance(node, ast.Call) or not isinstance(method, ast.Attribute) or method.attr != "get":
        return None
    if len(node.args) != 2 or node.keywords or not _is_number(node.args[1]):
        return None
    holder, body = method.value, body_around(module, node)
    made = _made(module, holder)
    found = tensorflow_at(module, module.scope_at(node))
    if made is None or found is None or body is None or not _is_traced_only(modules, body):
        return None
    name = _last_name(holder)
    table = f"{ast.unparse(holder)}{'_TABLE' if name.isupper() else '_table'}"
    parts = [part for each in modules for part in ast.walk(each.tree)]
    if table in module.text or any(part is not made and _changes(part, name) for part in parts):
        return None
    pairs, default = ast.unparse(holder), module.source_of(node.args[1])
    lines = (
        f"{table} = {found[0]}.lookup.StaticHashTable(",
        f"    {found[0]}.lookup.KeyValueTensorInitializer(list({pairs}), list({pairs}.values())),",
        f"    default_value={default},",
        ")",
    )
    makes = _insert_after(module, made, lines)
    asks = module.replace(node, f"{table}.lookup({module.source_of(node.args[0])})")
    return (makes, asks, *found[1]) if makes is not None else None


def _is_number(node: ast.expr) -> bool:
    number = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(number, ast.Constant) and type(number.value) in (int, float)


def _last_name(holder: ast.expr) -> str:
    return ast.unparse(holder).rpartition(".")[2]


def _made(module: Module, holder: ast.expr) -> ast.Assign | None:
    """The one statement that makes the dict: in `__init__`, or at the top of the file."""
    if isinstance(holder, ast.Attribute) and is_self(holder.value):
        owner = class_around(module.scope_at(holder))
        init = method_of(owner, "__init__") if owner is not None else None
        block = init.body if isinstance(init, ast.FunctionDef) else []
    elif isinstance(holder, ast.Name):
        found = module.scope_at(holder).lookup(holder.id)
        alone = found is not None and found[0] is module.walk.root and len(found[1]) == 1
        block = module.tree.body if alone else []
    else:
        return None
    made = [each for each in block if isinstance(each, ast.Assign) and _makes(each, ast.unparse(holder))]
    return made[0] if len(made) == 1 else None


def _makes(statement: ast.Assign, text: str) -> bool:
    return [ast.unparse(each) for each in statement.targets] == [text] and isinstance(
        statement.value, WRITTEN
    )


def _insert_after(module: Module, statement: ast.Assign, lines: Sequence[str]) -> Edit | None:
    around = body_around(module, statement)
    if around is not None:
        return insert_lines_after(around, statement, *lines)
    last = statement.end_lineno or statement.lineno
    alone = not statement.col_offset and ";" not in module.lines[last - 1]
    return module.insert_after(last, "".join(f"{line}\n" for line in lines)) if alone else None


def _is_traced_only(modules: Sequence[Module], body: Body) -> bool:
    """Whether it is a graph function that asks, or one place uses the function: where it is traced."""
    graph = decorator_of(body.function) is not None
    return graph or len(list(_uses(modules, body.function.name))) <= 1


def _uses(modules: Sequence[Module], name: str) -> Iterator[ast.AST]:
    for module in modules:
        for part in ast.walk(module.tree) if name in module.text else ():
            named = isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load)
            if named or (isinstance(part, ast.Attribute) and part.attr == name):
                yield part


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
