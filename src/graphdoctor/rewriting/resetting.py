"""A metric that each turn of a loop makes anew → one that each turn resets."""

import ast

from graphdoctor.model import Edit
from graphdoctor.rewriting.control_flow import binds
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name

METRICS = ("tensorflow.keras.metrics.", "keras.metrics.", "tensorflow.metrics.")
LOOPS = (ast.For, ast.While)
KEEPING = ("append", "extend", "add", "insert", "update", "setdefault")


def made_once_and_reset(module: Module, given: ast.AST) -> tuple[Edit, ...] | None:
    """The edits that make the metric of this name before the loop, and reset it where it was made."""
    found = module.scope_at(given).lookup(given.id) if isinstance(given, ast.Name) else None
    statement = found[1][0].node if found is not None and len(found[1]) == 1 else None
    if not isinstance(given, ast.Name) or not isinstance(statement, ast.Assign) or found is None:
        return None
    call, plain = statement.value, len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name)
    if not plain or not isinstance(call, ast.Call):
        return None
    if not (dotted_name(call.func, found[0]) or "").startswith(METRICS):
        return None
    loops = [each for each in ast.walk(found[0].node) if isinstance(each, LOOPS) and _holds(each, statement)]
    used = {part.id for part in ast.walk(call) if isinstance(part, ast.Name)}
    if (
        not loops
        or _is_kept(found[0].node, given.id)
        or any(binds(loop, name) for loop in loops for name in used)
    ):
        return None
    outermost = min(loops, key=lambda loop: loop.lineno)
    indent = module.lines[outermost.lineno - 1][: outermost.col_offset]
    if indent.strip():
        return None
    return (
        module.insert(outermost.lineno, 1, f"{indent}{module.source_of(statement)}\n"),
        module.replace(statement, f"{given.id}.reset_state()"),
    )


def _is_kept(root: ast.AST, name: str) -> bool:
    """Whether anything may hold on to what a name stands for: then it is another one for each turn."""
    parents = {child: each for each in ast.walk(root) for child in ast.iter_child_nodes(each)}
    for part in parents:
        if not isinstance(part, ast.Name) or part.id != name or not isinstance(part.ctx, ast.Load):
            continue
        around = parents[part]
        around = parents[around] if isinstance(around, ast.keyword) else around
        method = around.func if isinstance(around, ast.Call) else None
        if isinstance(method, ast.Attribute) and method.attr in KEEPING:
            return True
        if not isinstance(around, ast.Attribute | ast.Call):
            return True
    return False


def _holds(loop: ast.AST, statement: ast.stmt) -> bool:
    return any(part is statement for part in ast.walk(loop))
