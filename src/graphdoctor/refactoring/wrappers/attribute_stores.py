"""A tensor that traced code keeps in an attribute → its value, which the graph puts there at each call."""

import ast
from collections.abc import Callable, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.source.calls import called_name
from graphdoctor.source.def_use import Kind, place_of
from graphdoctor.source.module import Module
from graphdoctor.source.resolving import accesses_of, only_value
from graphdoctor.source.scopes import Scope
from graphdoctor.source.surroundings import has_long_texts, indent_of, last_line

CONTAINERS = (ast.Dict, ast.DictComp, ast.List, ast.ListComp, ast.Tuple)
# Operations of TensorFlow that give no tensor, or more than one.
SEVERAL = (
    *("split", "unstack", "meshgrid", "moments", "top_k", "unique", "unique_with_counts"),
    *("svd", "eigh", "qr", "lu", "while_loop", "cond", "case", "switch_case", "map_fn", "scan"),
    *("py_function", "numpy_function", "gradients", "custom_gradient", "function"),
)
NOT_TENSORS = tuple(f"tensorflow.{name}." for name in ("keras", "data", "nest", "train", "ragged"))
NAMES = ("record", "record_value", "record_step")


def handed_out(
    modules: Sequence[Module],
    module: Module,
    statement: ast.AST,
    is_traced: Callable[[Module, ast.AST | None], bool],
) -> tuple[Edit, ...] | None:
    """The edits for `self.hidden = tensor`, whose value code outside the graph is to read.

    The function goes on with a name of its own. None where other traced code reads or sets the attribute.
    """
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, scope = statement.targets[0], module.scope_at(statement)
    if not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Name):
        return None
    found = tensorflow_at(module, scope)
    many = isinstance(statement.value, CONTAINERS)
    local = _local(statement.value, target.attr, scope)
    record = next((name for name in NAMES if scope.lookup(name) is None), None)
    if found is None or local is None or record is None or scope.function is not scope:
        return None
    if not (many or _is_operation(statement.value, scope)) or is_without_python(modules):
        return None
    later = _read_later(modules, (module, target), statement, is_traced)
    lines = _lines(module, statement, local, record, found[0], many=many)
    if later is None or lines is None:
        return None
    last = statement.end_lineno or statement.lineno
    renamed = (module.replace(each, local) for each in later)
    return (module.replace_lines(statement.lineno, last, lines), *renamed, *found[1])


def is_without_python(modules: Sequence[Module]) -> bool:
    """Whether a graph of the program may run where no Python runs: compiled by XLA, or saved to a file."""
    parts = (part for module in modules for part in ast.walk(module.tree))
    return any(
        (isinstance(part, ast.keyword) and part.arg == "jit_compile")
        or (isinstance(part, ast.Attribute) and part.attr in ("saved_model", "export"))
        for part in parts
    )


def _local(value: ast.expr, wish: str, scope: Scope) -> str | None:
    """The name under which the function itself goes on: the one that the tensor has, or a new one."""
    if isinstance(value, ast.Name):
        return value.id
    return wish if scope.lookup(wish) is None and wish.isidentifier() else None


def _is_operation(value: ast.expr | None, scope: Scope) -> bool:
    """Whether a value is one tensor for sure: what an operation of TensorFlow gives."""
    if isinstance(value, ast.Name):
        value = only_value(value, scope) if value.id in scope.bindings else None
    name = called_name(value, scope)
    last = name.rpartition(".")[2]
    of_tensorflow = name.startswith("tensorflow.") and not name.startswith(NOT_TENSORS)
    return of_tensorflow and last.islower() and last not in SEVERAL


def _read_later(
    modules: Sequence[Module],
    kept: tuple[Module, ast.Attribute],
    statement: ast.stmt,
    is_traced: Callable[[Module, ast.AST | None], bool],
) -> list[ast.AST] | None:
    """Where the function reads the attribute again; None where traced code does otherwise."""
    home, target = kept
    own, later = home.scope_at(target).function, []
    for module, one in accesses_of(modules, (target.attr,)):
        around = module.scope_at(one.node).function
        if one.node is target or one.place.isidentifier() or one.place.endswith("[]"):
            continue
        inside = module is home and around is not None and own is not None and around.within(own)
        again = one.kind is Kind.READ and getattr(one.node, "lineno", 0) > last_line(statement)
        if inside and again and one.place == place_of(target):
            later.append(one.node)
        elif inside or is_traced(module, around.node if around is not None else None):
            return None
    return later


def _lines(
    module: Module, statement: ast.Assign, local: str, record: str, tensorflow: str, *, many: bool
) -> str | None:
    first, last = statement.lineno, statement.end_lineno or statement.lineno
    indent = indent_of(module, statement)
    if indent is None or has_long_texts(statement) or ";" in module.lines[last - 1]:
        return None
    target, value = module.source_of(statement.targets[0]), module.source_of(statement.value)
    given = f"{tensorflow}.nest.flatten({local})" if many else f"[{local}]"
    stored = f"{tensorflow}.nest.pack_sequence_as({local}, values)" if many else "value"
    before = [""] if module.lines[first - 2].strip() else []
    lines = before if local == value else [f"{local} = {value}", ""]
    lines += [f"def {record}({'*values' if many else 'value'}):", f"    {target} = {stored}", ""]
    lines += [f"{tensorflow}.py_function({record}, {given}, [])"]
    return "".join(f"{indent}{line}\n" if line else "\n" for line in lines)
