"""Lines before and after a statement, and statements taken out."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.module import Module
from graphdoctor.source.surroundings import block_of, first_line, indent_of, last_line


def insert_lines(module: Module, statement: ast.stmt, *lines: str) -> Edit | None:
    """The edit that puts lines before a statement, indented as it is."""
    indent = indent_of(module, statement)
    if indent is None:
        return None
    return module.insert(first_line(statement), 1, "".join(f"{indent}{line}\n" for line in lines))


def insert_lines_after(module: Module, statement: ast.stmt, *lines: str) -> Edit | None:
    """The edit that puts lines after a statement, indented as it is; None where others share its line."""
    indent, last = indent_of(module, statement), last_line(statement)
    rest = module.lines[last - 1].encode()[statement.end_col_offset or 0 :].decode(errors="ignore").strip()
    if indent is None or (rest and not rest.startswith("#")):
        return None
    if last == len(module.lines):
        end = len(module.lines[last - 1]) + 1
        return module.insert(last, end, "".join(f"\n{indent}{line}" for line in lines))
    return module.insert_after(last, "".join(f"{indent}{line}\n" for line in lines))


def drop_statement(module: Module, statement: ast.stmt) -> Edit | None:
    """The edit that takes a statement with its lines out; `pass` stays where it was the only one."""
    if indent_of(module, statement) is None:
        return None
    if len(block_of(module, statement)) == 1:
        return module.replace(statement, "pass")
    return module.replace_lines(statement.lineno, last_line(statement), "")
