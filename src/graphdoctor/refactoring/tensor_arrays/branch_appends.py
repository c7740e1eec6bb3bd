"""`append` in both branches of an `if` → one after it."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body
from graphdoctor.refactoring.syntax.statements import free_name, insert_lines_after, is_elif


def append_after(body: Body, node: ast.AST) -> tuple[Edit, ...] | None:
    """The edits that choose the item in the branches, and append it after the `if`; each must append once."""
    branch = next((outer for outer in body.ancestors(node) if isinstance(outer, ast.If)), None)
    name = free_name(body, "item", "appended")
    if branch is None or name is None or is_elif(body.home, branch) or not branch.orelse:
        return None
    appends = [_appends(block) for block in (branch.body, branch.orelse)]
    holders = {ast.unparse(call.func.value) for calls in appends for call in calls}  # type: ignore[attr-defined]
    if any(len(calls) != 1 for calls in appends) or len(holders) != 1:
        return None
    after = insert_lines_after(body.home, branch, f"{holders.pop()}.append({name})")
    if after is None:
        return None
    chosen = [body.home.replace(call, f"{name} = {body.home.source_of(call.args[0])}") for (call,) in appends]
    return (*chosen, after)


def _appends(block: list[ast.stmt]) -> list[ast.Call]:
    """The calls of `append` that stand in a block as statements, last; none where others lie deeper."""
    calls = [
        node
        for statement in block
        for node in ast.walk(statement)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "append"
        and len(node.args) == 1
    ]
    last = block[-1]
    return calls if isinstance(last, ast.Expr) and len(calls) == 1 and calls[0] is last.value else []
