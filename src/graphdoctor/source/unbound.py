"""Names that nothing binds: code that uses one has never run to its end."""

import ast
import builtins
import symtable
from collections.abc import Iterator

# What may bind names that no statement shows, or lets a missing one pass.
DYNAMIC = frozenset(("exec", "eval", "globals", "locals", "vars", "__getattr__", "NameError", "get_ipython"))
UNNAMED = frozenset(("lambda", "listcomp", "genexpr", "setcomp", "dictcomp"))
GIVEN = frozenset(dir(builtins)) | {"__file__", "__builtins__", "__path__", "WindowsError", "display"}


def bound_names(tree: ast.Module) -> frozenset[str] | None:
    """The names that a module has; None where something may bind others."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name):
            found |= {node.id} if isinstance(node.ctx, ast.Store) or node.id in DYNAMIC else set()
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            found.add(node.rest)
    return None if "*" in found or not DYNAMIC.isdisjoint(found) else frozenset(found)


def uses_of_unbound(text: str, path: str) -> dict[str, frozenset[int]]:
    """The names that nothing binds, and the lines where the functions begin that use each."""
    try:
        tree = ast.parse(text)
        bound = bound_names(tree)
        table = symtable.symtable(text, path, "exec")
    except (SyntaxError, ValueError, RecursionError):
        return {}
    if bound is None:
        return {}
    found: dict[str, set[int]] = {}
    for scope, line in _functions(table, 0):
        for symbol in scope.get_symbols():
            name = symbol.get_name()
            if symbol.is_referenced() and symbol.is_global() and name not in bound and name not in GIVEN:
                found.setdefault(name, set()).add(line)
    return {name: frozenset(lines) for name, lines in found.items()}


def _functions(table: symtable.SymbolTable, around: int) -> Iterator[tuple[symtable.SymbolTable, int]]:
    """The scopes of functions with the line where each begins; what has no name belongs to the one around."""
    for child in table.get_children():
        line = around if child.get_name() in UNNAMED else child.get_lineno()
        if child.get_type() == "function" and line:
            yield child, line
        yield from _functions(child, line if child.get_type() == "function" else around)
