"""Names that nothing binds: code that uses one has never run to its end."""

import ast
import builtins

from graphdoctor.source.remembering import remembered

# What may bind names that no statement shows, or lets a missing one pass.
DYNAMIC = frozenset(("exec", "eval", "globals", "locals", "vars", "__getattr__", "NameError", "get_ipython"))
GIVEN = frozenset(dir(builtins)) | {"__file__", "__builtins__", "__path__", "__class__", "WindowsError"}
SETTING = frozenset(("setattr", "__setattr__", "vars", "exec", "eval", "__dict__"))
Function = ast.FunctionDef | ast.AsyncFunctionDef
SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
PLAIN = (*SIMPLE, ast.Call, ast.keyword, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Starred)


@remembered(256)
def bound_names(tree: ast.Module) -> frozenset[str] | None:
    """The names that a module or one of its functions has; None where something may bind others."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, Function | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name):
            found |= {node.id} if isinstance(node.ctx, ast.Store) or node.id in DYNAMIC else set()
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            found.add(node.rest)
    return None if "*" in found or not DYNAMIC.isdisjoint(found) else frozenset(found)


@remembered(256)
def stored_attributes(tree: ast.Module) -> frozenset[str] | None:
    """The attributes that a module gives to objects; None where something may give them others."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            found |= {node.attr} if isinstance(node.ctx, ast.Store) or node.attr in SETTING else set()
        elif isinstance(node, ast.Name) and node.id in SETTING:
            found.add(node.id)
    return None if not SETTING.isdisjoint(found) else frozenset(found)


def missing_before(tree: ast.Module, line: int, bound: frozenset[str]) -> str:
    """The name that nothing binds and that code needs before it comes to a line, however it goes."""
    around = [block for block in _blocks(tree) if block is tree or _holds(block, line)]
    first = (_first_missing(block, bound) for block in around)
    return next((name for name, end in first if name and end < line), "")


@remembered(256)
def _blocks(tree: ast.Module) -> list[ast.AST]:
    """What runs from its top: a module, its `__main__` block, functions."""
    return [
        node
        for node in ast.walk(tree)
        if node is tree or isinstance(node, Function) or (isinstance(node, ast.If) and _is_main_block(node))
    ]


def _holds(node: ast.AST, line: int) -> bool:
    first = getattr(node, "lineno", 0)
    return bool(first <= line <= (getattr(node, "end_lineno", None) or first))


def _is_main_block(node: ast.If) -> bool:
    return "__name__" in ast.unparse(node.test)


@remembered(8192)
def _first_missing(block: ast.AST, bound: frozenset[str]) -> tuple[str, int]:
    """The first name in a block that nothing binds, and the last line of the statement that needs it."""
    body: list[ast.stmt] = block.body  # type: ignore[attr-defined]
    missing = (
        (node.id, statement.end_lineno or statement.lineno)
        for statement in body
        if isinstance(statement, SIMPLE)
        for node in _evaluated(statement)
        if isinstance(node, ast.Name) and node.id not in bound and node.id not in GIVEN
    )
    return next(missing, ("", 0))


def _evaluated(statement: ast.AST) -> list[ast.AST]:
    """The parts of a statement that certainly run when it does: calls and displays, nothing conditional."""
    found = [statement]
    for node in found:
        if isinstance(node, ast.AnnAssign):
            found += [node.value] if node.value is not None else []
        elif isinstance(node, PLAIN):
            found += ast.iter_child_nodes(node)
    return found
