"""A switch that keeps a program out of graphs → left out, or ended with its context manager."""

import ast
import os

from graphdoctor.model import Edit
from graphdoctor.refactoring.options.function_options import keyword_with, left_out
from graphdoctor.source.calls import all_given, called_name
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.parts import part_of
from graphdoctor.source.surroundings import around, indent_of, is_docstring, last_line, parents_of

SWITCHES = {"tensorflow.config.run_functions_eagerly", "tensorflow.config.experimental_run_functions_eagerly"}
MANAGERS = {"contextlib.contextmanager"}
# Names of files, classes and functions that say that the switch is meant, or that another one ends it.
MEANT = ("debug", "eager", "test", "setup", "enter", "fixture")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def graphs_again(module: Module, call: ast.Call) -> tuple[str, Edit] | None:
    """The order and the edit for a switch that is `True` by the text; None where somebody may want it so."""
    if not _is_always_there(module, call):
        return None
    meant = _is_meant(module, call)
    if called_name(call, module.scope_at(call)) not in SWITCHES:
        return _without_option(module, call) if not meant else None
    statement, given = parents_of(module).get(call), all_given(call)
    if not isinstance(statement, ast.Expr) or len(given) != 1 or not _is_true(given[0]):
        return None
    holder = parents_of(module)[statement]
    if not isinstance(holder, FUNCTIONS):
        return _taken_out(module, statement) if not meant else None
    if any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(holder)):
        return _ended(module, call, statement, holder)
    does_more = any(each is not statement and not is_docstring(each) for each in holder.body)
    return _taken_out(module, statement) if does_more and not meant else None


def _is_true(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


def _is_always_there(module: Module, call: ast.Call) -> bool:
    """Whether no condition stands around it, but that of a main program."""
    inside = (ast.expr, ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Match)
    return not any(isinstance(outer, inside) and not _is_main(outer) for outer in around(module, call))


def _is_meant(module: Module, call: ast.Call) -> bool:
    """Whether the name of the file, of its folder, of a class or of a function says so."""
    definitions = (each for each in around(module, call) if isinstance(each, (*FUNCTIONS, ast.ClassDef)))
    names = [each.name for each in definitions]
    names.append(os.path.splitext(os.path.basename(module.path))[0])
    said = any(word in name.lower() for name in names for word in MEANT)
    return said or part_of(module.path) == "tests"


def _is_main(statement: ast.AST) -> bool:
    return isinstance(statement, ast.If) and ast.unparse(statement.test) == "__name__ == '__main__'"


def _without_option(module: Module, call: ast.Call) -> tuple[str, Edit] | None:
    given = next((each.value for each in call.keywords if each.arg == "run_eagerly"), None)
    option = keyword_with(module, given, "run_eagerly") if given is not None and _is_true(given) else None
    edit = left_out(option) if option is not None else None
    return ("Leave `run_eagerly` out", edit) if edit is not None else None


def _taken_out(module: Module, statement: ast.stmt) -> tuple[str, Edit] | None:
    """The module without the line of a statement, and without one of the empty lines around it."""
    first, last = statement.lineno, last_line(statement)
    text = "\n".join(module.lines[first - 1 : last]).partition("#")[0]
    if text.strip() != module.source_of(statement):
        return None
    around = [module.lines[line] for line in (first - 2, last) if 0 <= line < len(module.lines)]
    empty = len(around) == 2 and not any(each.strip() for each in around)
    return "Take it out", module.replace_lines(first - empty, last, "")


def _ended(
    module: Module, call: ast.Call, statement: ast.Expr, holder: ast.FunctionDef | ast.AsyncFunctionDef
) -> tuple[str, Edit] | None:
    """`finally` around what a context manager is used for: the only `yield` after the switch."""
    managers = {dotted_name(each, module.scope_at(holder)) for each in holder.decorator_list}
    yields = [each for each in ast.walk(holder) if isinstance(each, ast.Yield | ast.YieldFrom)]
    after = holder.body[holder.body.index(statement) + 1 :]
    used = [each for each in after if isinstance(each, ast.Expr) and each.value in yields]
    if not managers & MANAGERS or len(yields) != 1 or len(used) != 1:
        return None
    indent = indent_of(module, used[0])
    if indent is None or used[0].lineno != used[0].end_lineno:
        return None
    lines = (
        "try:",
        f"    {module.source_of(used[0])}",
        "finally:",
        f"    {module.source_of(call.func)}(False)",
    )
    return "End it after the `yield`", module.replace(used[0], f"\n{indent}".join(lines))
