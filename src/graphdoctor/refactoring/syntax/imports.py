"""The name under which TensorFlow can be used at a place, and the import that it may need."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias
from graphdoctor.source.scopes import Scope
from graphdoctor.source.surroundings import is_docstring

IMPORT = "import tensorflow as tf\n"


def tensorflow_at(module: Module, scope: Scope) -> tuple[str, tuple[Edit, ...]] | None:
    """The name of TensorFlow, and the edits that make it known; None when `tf` is something else."""
    name = module_alias("tensorflow", scope)
    if name is not None:
        return name, ()
    line = _line_for_import(module)
    if scope.lookup("tf") is not None or line is None:
        return None
    if line == 1 or not _follows_imports(module, line):
        return "tf", (module.insert(line, 1, f"{IMPORT}\n"),)
    return "tf", (module.insert_after(line - 1, IMPORT),)


def _follows_imports(module: Module, line: int) -> bool:
    imports = (s for s in module.tree.body if isinstance(s, ast.Import | ast.ImportFrom))
    return any((each.end_lineno or each.lineno) == line - 1 for each in imports)


def import_of(module: Module, scope: Scope, package: str) -> tuple[str, tuple[Edit, ...]] | None:
    """The name of a package of the standard library, and the edits that make it known."""
    name = module_alias(package, scope)
    if name is not None:
        return name, ()
    first = next((s for s in module.tree.body if isinstance(s, ast.Import | ast.ImportFrom)), None)
    future = isinstance(first, ast.ImportFrom) and first.module == "__future__"
    if scope.lookup(package) is not None or first is None or future:
        return None
    return package, (module.insert(first.lineno, 1, f"import {package}\n"),)


def _line_for_import(module: Module) -> int | None:
    """The line after the first imports of the module; without any, the one after its docstring."""
    last: ast.stmt | None = None
    for statement in module.tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom) or (is_docstring(statement) and last is None):
            last = statement
        elif last is not None:
            break
    if last is None and module.tree.body:
        return module.tree.body[0].lineno
    line = (last.end_lineno or last.lineno) + 1 if last is not None else 1
    alone = last is None or not module.lines[line - 2].rstrip().endswith(";")
    return line if alone and last is not None and line <= len(module.lines) else None
