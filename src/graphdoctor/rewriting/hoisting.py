"""Move what is made in a loop to the line before the loop, when nothing in the loop is needed for it."""

import ast
import textwrap

from graphdoctor.model import Edit
from graphdoctor.rewriting.control_flow import binds
from graphdoctor.source.module import Module
from graphdoctor.source.scopes import FunctionNode, Placed


def can_hoist(node: ast.AST, placed: Placed) -> bool:
    """Whether a node directly in the body of a loop uses nothing that the loop gives a value."""
    loop = placed.loops[0] if placed.loops else None
    if not isinstance(loop, ast.For | ast.While):
        return False
    if len(placed.loops) > 1 and not isinstance(placed.loops[-1], ast.For | ast.While):
        return False
    own = {getattr(node, "name", None)} | _own_names(node)
    used = {
        name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load)
    }
    return not any(binds(loop, name) or _defines(loop, name, node) for name in used - own)


def _own_names(node: ast.AST) -> set[str]:
    names = {a.arg for a in ast.walk(node) if isinstance(a, ast.arg)}
    stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names | stored


def _defines(loop: ast.AST, name: str, node: ast.AST) -> bool:
    """Whether the loop defines or imports a function or class of this name, other than the node."""
    for inner in ast.walk(loop):
        if inner is not node and getattr(inner, "name", None) == name:
            return True
        names = inner.names if isinstance(inner, ast.Import | ast.ImportFrom) else []
        if any((alias.asname or alias.name).split(".")[0] == name for alias in names):
            return True
    return False


def hoist_statement(module: Module, node: FunctionNode | ast.Assign, placed: Placed) -> tuple[Edit, ...]:
    """Cut a function or an assignment, with its lines, out of the outermost loop; put it before the loop."""
    loop = placed.loops[0]
    assert isinstance(loop, ast.For | ast.While)
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    last = node.end_lineno or node.lineno
    indent = " " * loop.col_offset
    lines = module.text.splitlines(keepends=True)
    body = textwrap.dedent("".join(lines[first - 1 : last]))
    is_function = not isinstance(node, ast.Assign)
    text = textwrap.indent(body.rstrip("\r\n"), indent) + ("\n\n" if is_function else "\n")
    first_blank = first - 1 if is_function and first > 1 and not lines[first - 2].strip() else first
    cut_to = last + 1
    return (
        module.insert(loop.lineno, 1, text),
        module.replace_stretch(first_blank, 1, cut_to, 1, ""),
    )


def hoist_call(module: Module, call: ast.Call, placed: Placed) -> tuple[Edit, ...]:
    """Give `tf.function(f)` a name before the outermost loop, and call it by that name."""
    loop = placed.loops[0]
    wrapped = call.args[0]
    short = wrapped.id if isinstance(wrapped, ast.Name) else "function"
    name = _free_name(f"graph_{short}", module)
    indent = " " * getattr(loop, "col_offset", 0)
    statement = f"{indent}{name} = {module.source_of(call)}\n"
    return (module.insert(getattr(loop, "lineno", 1), 1, statement), module.replace(call, name))


def _free_name(wish: str, module: Module) -> str:
    taken = {node.id for node in ast.walk(module.tree) if isinstance(node, ast.Name)}
    while wish in taken:
        wish += "_"
    return wish
