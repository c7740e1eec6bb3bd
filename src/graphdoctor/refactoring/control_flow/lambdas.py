"""Functions without a name: what they bind, and the line they stand on."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.parameters import more_parameters
from graphdoctor.source.def_use import names_bound, names_read
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.surroundings import indent_of, name_given, parents_of, statement_around, target_of


def bind_now(known: Function, name: str) -> Edit | None:
    """The edit that gives a function the value that a name has now: `name=name` among its parameters."""
    module, function = known.home, known.node
    arguments = function.args
    taken = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    if any(argument.arg == name for argument in taken) or arguments.kwarg is not None:
        return None
    written: list[ast.arg | ast.expr] = [*taken, *arguments.defaults]
    written += [default for default in arguments.kw_defaults if default is not None]
    written += [arguments.vararg] if arguments.vararg is not None else []
    last = max(written, key=lambda each: (each.end_lineno or 0, each.end_col_offset or 0), default=None)
    if last is not None:
        return module.insert_behind(last, f", {name}={name}")
    if isinstance(function, ast.Lambda):
        return module.insert(function.lineno, module.span(function).column + len("lambda"), f" {name}={name}")
    return more_parameters(known, [f"{name}={name}"])


def named_lambda(module: Module, node: ast.AST) -> tuple[str, Edit | None] | None:
    """The name that a lambda is assigned to, and the edit that makes it a `def`, where there is one."""
    statement = parents_of(module).get(node)
    name = name_given(statement, node)
    if not isinstance(node, ast.Lambda) or not isinstance(statement, ast.Assign) or not name:
        return None
    return name, _defined(module, statement, node)


def _defined(module: Module, statement: ast.Assign, function: ast.Lambda) -> Edit | None:
    name, lines = module.source_of(statement.targets[0]), module.lines
    line = lines[statement.lineno - 1]
    indent = line[: len(line) - len(line.lstrip())]
    arguments = module.source_of(function).partition(":")[0].removeprefix("lambda").strip()
    single = statement.lineno == statement.end_lineno and not function.args.defaults
    last = statement.lineno >= len(lines)
    if not single or last or len(statement.targets) != 1 or line.strip() != module.source_of(statement):
        return None
    before = "" if not lines[statement.lineno - 2].strip() else "\n"
    after = "" if not lines[statement.lineno].strip() else "\n"
    value = module.source_of(function.body)
    text = f"{before}{indent}def {name}({arguments}):\n{indent}    return {value}\n{after}"
    return module.replace_lines(statement.lineno, statement.lineno, text)


def split_lambdas(module: Module, node: ast.AST) -> tuple[Edit, ...] | None:
    """The edits that put the lambdas of a line on lines of their own."""
    line = getattr(node, "lineno", 0)
    several = _one_for_each(module, statement_around(module, node))
    if several is not None:
        return (several,)
    lambdas = [part for part in ast.walk(module.tree) if isinstance(part, ast.Lambda) and part.lineno == line]
    lambdas.sort(key=lambda part: part.col_offset)
    text = module.lines[line - 1]
    indent = text[: len(text) - len(text.lstrip())] + "    "
    return tuple(module.insert_before(part, f"\n{indent}") for part in lambdas[1:]) or None


def _one_for_each(module: Module, statement: ast.stmt | None) -> Edit | None:
    """`a, b = …, …` as two statements, where what is given reads none of the names."""
    target, value = target_of(statement), getattr(statement, "value", None)
    if statement is None or not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
        return None
    before = indent_of(module, statement)
    stars = any(isinstance(part, ast.Starred) for part in (*target.elts, *value.elts))
    if len(target.elts) != len(value.elts) or before is None or stars:
        return None
    if names_bound(target) & names_read(value):
        return None
    pairs = zip(target.elts, value.elts, strict=True)
    lines = [f"{module.source_of(each)} = {module.source_of(given)}" for each, given in pairs]
    return module.replace(statement, f"\n{before}".join(lines))
