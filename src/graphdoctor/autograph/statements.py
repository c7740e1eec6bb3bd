"""Source text → which statement owns a line, and what kind it is."""

import ast
import functools
import linecache
import types

SILENT = (ast.Pass, ast.Global, ast.Nonlocal, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)
LOOPS = (ast.For, ast.AsyncFor, ast.While)


@functools.lru_cache(maxsize=64)
def statements_of(path: str) -> dict[int, ast.stmt]:
    """Line → the innermost statement that it belongs to; a compound statement owns its header only."""
    tree = parse(path)
    owners: dict[int, ast.stmt] = {}
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.stmt):
            for line in range(_first_line(node), _last_line(node) + 1):
                if line not in owners or _first_line(owners[line]) <= _first_line(node):
                    owners[line] = node
    return owners


def parse(path: str) -> ast.Module | None:
    """The syntax tree of a file as Python sees it now, or None when it is not Python."""
    try:
        return ast.parse("".join(linecache.getlines(path)))
    except SyntaxError:
        return None


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _last_line(node: ast.stmt) -> int:
    if isinstance(node, ast.Match):
        return max(node.lineno, node.cases[0].pattern.lineno - 1)
    body: list[ast.stmt] = getattr(node, "body", [])
    if body:
        return max(node.lineno, _first_line(body[0]) - 1)
    return node.end_lineno or node.lineno


def first_line(path: str, line: int) -> int:
    """The first line of the statement that a line belongs to."""
    owner = statements_of(path).get(line)
    return owner.lineno if owner is not None else line


def function_node(
    path: str, line: int, name: str
) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None:
    """The definition whose code starts on a line (its first decorator's), by name where several do."""
    tree = parse(path)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if _first_line(node) == line and node.name == name:
                return node
        elif isinstance(node, ast.Lambda) and node.lineno == line and name == "<lambda>":
            return node
    return None


def assigned_names(statement: ast.stmt) -> tuple[str, ...]:
    """The local names that a simple assignment binds."""
    if isinstance(statement, ast.Assign):
        targets = list(statement.targets)
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        targets = [statement.target]
    else:
        return ()
    flat = [
        part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])
    ]
    return tuple(part.id for part in flat if isinstance(part, ast.Name))


def line_range(code: types.CodeType) -> range:
    """The lines of a function's source, from its first decorator to its end."""
    node = function_node(code.co_filename, code.co_firstlineno, code.co_name)
    if node is None:
        last = max((line for _, _, line in code.co_lines() if line is not None), default=code.co_firstlineno)
        return range(code.co_firstlineno, last + 1)
    return range(code.co_firstlineno, (node.end_lineno or code.co_firstlineno) + 1)
