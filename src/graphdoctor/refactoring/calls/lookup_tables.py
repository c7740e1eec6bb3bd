"""A Python dict that a tensor asks → a lookup table of TensorFlow with the same pairs."""

import ast
import dataclasses
from collections.abc import Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.expressions import is_number_literal
from graphdoctor.refactoring.syntax.graph_functions import decorator_of
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.refactoring.syntax.statements import insert_lines_after
from graphdoctor.source.calls import method_name
from graphdoctor.source.def_use import Access, Kind, names_read, place_of
from graphdoctor.source.module import Module
from graphdoctor.source.resolving import accesses_of, class_around, has_name, init_of, is_self, uses_of
from graphdoctor.source.surroundings import Body, around, body_around, target_of

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
    if asked.default is None and not (_is_mapped(modules, body) and _holds_numbers(made)):
        return None
    pairs = place_of(asked.holder)
    name = pairs.rpartition(".")[2]
    table = f"{pairs}{'_TABLE' if name.isupper() else '_table'}"
    changed = (one for _, one in accesses_of(modules, (name,)) if one.node not in made.targets)
    if has_name(module, table) or any(map(_changes, changed)):
        return None
    values, default, text = f"list({pairs}.values())", "-1", f"{table}.lookup({module.source_of(asked.key)})"
    if asked.default is not None:
        default = module.source_of(asked.default)
    else:
        values, text = f"list(range(len({pairs})))", f"{found[0]}.gather({values}, {text})"
    makes = insert_lines_after(
        module,
        made,
        f"{table} = {found[0]}.lookup.StaticHashTable(",
        f"    {found[0]}.lookup.KeyValueTensorInitializer(list({pairs}), {values}),",
        f"    default_value={default},",
        ")",
    )
    return (makes, module.replace(node, text), *found[1]) if makes is not None else None


def _asked(node: ast.AST) -> _Asked | None:
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        plain = isinstance(node.slice, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
        return _Asked(node.value, node.slice) if plain else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "get":
        return None
    plain = len(node.args) == 2 and not node.keywords and is_number_literal(node.args[1])
    return _Asked(node.func.value, *node.args) if plain else None


def _is_mapped(modules: Sequence[Module], body: Body) -> bool:
    """Whether the one use of a function is in what a pipeline maps."""
    uses = [(module, use) for module in modules for use in uses_of([module], body.function.name)]
    return len(uses) == 1 and any(method_name(outer) in MAPPING for outer in around(*uses[0]))


def _holds_numbers(made: ast.Assign) -> bool:
    """Whether the values of a dict are numbers, as far as the text tells: one tensor can hold them."""
    value = made.value
    if isinstance(value, ast.Dict):
        return bool(value.values) and all(map(is_number_literal, value.values))
    return isinstance(value, ast.DictComp) and _counts(value)


def _counts(made: ast.DictComp) -> bool:
    """`{name: i for i, name in enumerate(names)}`."""
    each = made.generators[0]
    plain = isinstance(each.iter, ast.Call) and place_of(each.iter.func) == "enumerate"
    pair = each.target.elts if isinstance(each.target, ast.Tuple) else []
    number = pair[0].id if len(pair) == 2 and isinstance(pair[0], ast.Name) else ""
    calls = any(isinstance(part, ast.Call) for part in ast.walk(made.value))
    return plain and len(made.generators) == 1 and names_read(made.value) == {number} and not calls


def _made(module: Module, holder: ast.expr) -> ast.Assign | None:
    """The one statement that makes the dict: in `__init__`, at the top of the file, or of a function."""
    scope, block = module.scope_at(holder), list[ast.stmt]()
    if isinstance(holder, ast.Attribute) and is_self(holder.value):
        init = init_of(class_around(scope))
        block = init.body if init is not None else []
    elif isinstance(holder, ast.Name) and scope.only(holder.id) is not None:
        found = scope.lookup(holder.id)
        outer = found[0] if found is not None and found[0] is not scope else module.walk.root
        if found is not None and found[0] is outer and not _is_graph(module, outer.node):
            block = getattr(outer.node, "body", [])
    made = [each for each in block if isinstance(each, ast.Assign) and isinstance(each.value, WRITTEN)]
    named = [each for each in made if place_of(target_of(each) or each) == place_of(holder)]
    return named[0] if len(named) == 1 else None


def _is_graph(module: Module, node: ast.AST) -> bool:
    function = module.functions.get(node)
    return node is not module.tree and (function is None or decorator_of(function) is not None)


def _is_traced_only(modules: Sequence[Module], body: Body) -> bool:
    """Whether it is a graph function that asks, or one place uses the function: where it is traced."""
    graph = decorator_of(body.function) is not None
    return graph or len(list(uses_of(modules, body.function.name))) <= 1


def _changes(access: Access) -> bool:
    """Whether a dict is changed, or another one put there; a name of another scope is another one."""
    if access.kind is Kind.CHANGE:
        return True
    return access.kind is not Kind.READ and not access.place.isidentifier()
