"""`for … else` and `while … else` without the `else`."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.bodies import Body
from graphdoctor.refactoring.control_flow import LOOPS, NESTED
from graphdoctor.refactoring.statements import free_name, indent_of, insert_lines
from graphdoctor.source.names import module_alias

LoopStatement = ast.For | ast.While


def loop_of_else(body: Body, node: ast.AST) -> LoopStatement | None:
    """The loop whose `else` begins with a node."""
    loop = body.parents.get(node)
    return loop if isinstance(loop, ast.For | ast.While) else None


def without_else(body: Body, loop: LoopStatement) -> tuple[Edit, ...] | None:
    """The edits that put what follows `else` behind the loop; under a flag, where a `break` goes past it."""
    first, last = loop.orelse[0], loop.orelse[-1]
    above = range(first.lineno - 1, loop.body[-1].end_lineno or 0, -1)
    keyword = next((line for line in above if body.home.lines[line - 1].strip() == "else:"), None)
    if keyword is None:
        return None
    breaks = list(_breaks(loop.body))
    if breaks:
        return _with_flag(body, loop, keyword, breaks)
    step = first.col_offset - loop.col_offset
    end = last.end_lineno or last.lineno
    lines = body.home.lines[keyword:end]
    text = "".join(f"{line[step:] if line[:step].isspace() else line}\n" for line in lines)
    return (body.home.replace_lines(keyword, end, text),)


def _breaks(block: list[ast.stmt]) -> list[ast.Break]:
    """The `break`s that leave this loop."""
    found: list[ast.Break] = []
    waiting: list[ast.AST] = list(block)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Break):
            found.append(node)
        elif isinstance(node, LOOPS):
            waiting += node.orelse
        elif not isinstance(node, NESTED):
            waiting += ast.iter_child_nodes(node)
    return found


def _with_flag(
    body: Body, loop: LoopStatement, keyword: int, breaks: list[ast.Break]
) -> tuple[Edit, ...] | None:
    tensorflow = module_alias("tensorflow", body.scope)
    flag = free_name(body, "completed", "ran_through")
    indents = [indent_of(body, each) for each in breaks]
    begins = insert_lines(body, loop, f"{flag} = {tensorflow}.constant(True)")
    if tensorflow is None or flag is None or begins is None or None in indents:
        return None
    column = body.home.lines[keyword - 1].index("else:") + 1
    return (
        begins,
        *(
            body.home.replace(each, f"{flag} = {tensorflow}.constant(False)\n{indent}break")
            for each, indent in zip(breaks, indents, strict=True)
        ),
        body.home.replace_columns(keyword, column, column + len("else:"), f"if {flag}:"),
    )
