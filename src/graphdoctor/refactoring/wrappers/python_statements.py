"""Run Python statements at each call of the graph: `tf.py_function`."""

import ast
import textwrap

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.formats import is_text
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.source.calls import all_given, called_name
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias
from graphdoctor.source.scopes import Scope
from graphdoctor.source.surroundings import (
    Body,
    around,
    block_of,
    indent_of,
    last_line,
    parents_of,
    statement_of,
)

RECORDING = ("append", "add", "extend", "update", "insert", "write", "writerow", "setdefault", "put")
STATIC = ("shape", "dtype", "name")  # what is known of a tensor without its value
NAMES = ("record", "record_step", "record_call")
SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign)
LIBRARY = ("tensorflow.", "keras.")


def deferred(module: Module, node: ast.AST) -> tuple[Edit, ...] | None:
    """The edits that let the graph run the statement at a node, and those beside it that only record.

    None where a statement also computes what the function goes on with.
    """
    block = _block_around(module, node)
    found = tensorflow_at(module, module.scope_at(node))
    if block is None or found is None:
        return None
    tensorflow, imports = found
    statements, scope = block, module.scope_at(node)
    first, last = statements[0], last_line(statements[-1])
    indent = indent_of(module, first)
    if indent is None or ";" in module.lines[last - 1] or _are_read_again(statements, scope):
        return None
    given = _given(statements, scope)
    collected = getattr(scope.node, "args", None)
    if isinstance(collected, ast.arguments) and _collects(collected) & set(given):
        return None  # no tensor can hold all that `*row` has
    if any(is_text(bound.value, scope) for name in given for bound in scope.bindings[name]):
        return None  # tracing has written the names of tensors into it
    short = _short(module, statements, tensorflow)
    if short is not None:
        return (module.replace(first, short), *imports)
    name = next((name for name in NAMES if scope.lookup(name) is None), None)
    if name is None:
        return None
    lines = module.text.splitlines(keepends=True)[first.lineno - 1 : last]
    body = textwrap.indent(textwrap.dedent("".join(lines)).rstrip("\r\n"), f"{indent}    ")
    outer = "".join(f"{indent}    {line}\n" for line in _declared(statements, scope))
    inputs = ", ".join(given)
    text = (
        f"{indent}def {name}({inputs}):\n{outer}{body}\n\n"
        f"{indent}{tensorflow}.py_function({name}, [{inputs}], [])\n"
    )
    return (module.replace_lines(first.lineno, last, text), *imports)


def _are_read_again(statements: list[ast.stmt], scope: Scope) -> bool:
    """Whether the function goes on with what the statements store."""
    inside = [part for statement in statements for part in ast.walk(statement)]
    stored = {ast.unparse(part) for part in inside if isinstance(getattr(part, "ctx", None), ast.Store)}
    ours = {id(part) for part in inside}
    return any(
        isinstance(part, ast.Name | ast.Attribute | ast.Subscript)
        and isinstance(part.ctx, ast.Load)
        and id(part) not in ours
        and ast.unparse(part) in stored
        for part in ast.walk(scope.node)
    )


def _block_around(module: Module, node: ast.AST) -> list[ast.stmt] | None:
    """The statement of a node, with the statements next to it that only record as well."""
    outside = (each for each in (node, *around(module, node)) if isinstance(each, ast.stmt))
    whole = [each for each in outside if isinstance(each, SIMPLE) or _writes_a_file(each, module)]
    if not whole:
        return None
    called = isinstance(whole[-1], ast.Expr) and isinstance(whole[-1].value, ast.Call)
    block = block_of(module, whole[-1]) if called or _only_records(whole[-1], module) else []
    return _stretch(block, block.index(whole[-1]), module) if block else None


def _writes_a_file(statement: ast.stmt, module: Module) -> bool:
    """Whether it is `with open(…) as file:`, and computes nothing for the graph."""
    if not isinstance(statement, ast.With):
        return False
    scope, parts = module.scope_at(statement), list(ast.walk(statement))
    opens = all(called_name(each.context_expr, scope) == "builtins.open" for each in statement.items)
    leaves = any(isinstance(part, ast.Return | ast.Yield | ast.Break | ast.Continue) for part in parts)
    return opens and not leaves and not any(called_name(part, scope).startswith(LIBRARY) for part in parts)


def _collects(arguments: ast.arguments) -> set[str]:
    """`row` and `options` of `*row, **options`."""
    return {each.arg for each in (arguments.vararg, arguments.kwarg) if each is not None}


def _stretch(block: list[ast.stmt], index: int, module: Module) -> list[ast.stmt]:
    first = last = index
    while first and _only_records(block[first - 1], module):
        first -= 1
    while last + 1 < len(block) and _only_records(block[last + 1], module):
        last += 1
    return block[first : last + 1]


def _only_records(statement: ast.stmt, module: Module) -> bool:
    """Whether a statement changes what Python keeps, and gives the function nothing to go on with."""
    scope = module.scope_at(statement)
    if isinstance(statement, ast.With):
        return _writes_a_file(statement, module)
    if any(called_name(part, scope).startswith(LIBRARY) for part in ast.walk(statement)):
        return isinstance(statement, ast.Expr) and _is_recording(statement.value, scope, outer=True)
    if isinstance(statement, ast.Expr):
        return _is_recording(statement.value, scope, outer=False)
    if isinstance(statement, ast.AugAssign):
        return _is_kept(statement.target, scope)
    return isinstance(statement, ast.Assign) and all(_is_kept(target, scope) for target in statement.targets)


def _is_recording(value: ast.expr, scope: Scope, *, outer: bool) -> bool:
    if not isinstance(value, ast.Call):
        return False
    if isinstance(value.func, ast.Attribute) and value.func.attr in RECORDING:
        return _is_kept(value.func, scope)
    return not outer and dotted_name(value.func, scope) in ("builtins.print", "numpy.save", "json.dump")


def _is_kept(target: ast.expr, scope: Scope) -> bool:
    """Whether what is changed lives on outside the function."""
    root: ast.expr = target
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    if not isinstance(root, ast.Name):
        return False
    own = scope.bindings.get(root.id)
    if root.id == "self" or root.id in scope.outer_names or own is None:
        return root is not target or root.id in scope.outer_names
    return False


def _given(statements: list[ast.stmt], scope: Scope) -> list[str]:
    """The local names whose values are needed: the tensors among them have one only in the graph."""
    found: dict[str, None] = {}
    # A file is opened by what Python has: its name is no tensor, and neither is the file.
    files = [item for each in statements if isinstance(each, ast.With) for item in each.items]
    python = {part.id for item in files for part in ast.walk(item) if isinstance(part, ast.Name)}
    parents = parents_of(scope.home) if scope.home is not None else {}
    for part in (part for each in statements for part in ast.walk(each) if isinstance(part, ast.Name)):
        around_it = parents.get(part)
        static = isinstance(around_it, ast.Attribute) and around_it.attr in STATIC
        local = part.id in scope.bindings and part.id not in scope.outer_names and part.id != "self"
        if isinstance(part.ctx, ast.Load) and local and part.id not in python and not static:
            found.setdefault(part.id)
    return list(found)


def _declared(statements: list[ast.stmt], scope: Scope) -> list[str]:
    """`global count`, where the statements assign names from outside."""
    stored = {
        part.id
        for statement in statements
        for part in ast.walk(statement)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part.id in scope.outer_names
    }
    found = []
    for name in sorted(stored):
        home = scope.parent.lookup(name) if scope.parent is not None else None
        at_top = home is None or isinstance(home[0].node, ast.Module)
        found.append(f"{'global' if at_top else 'nonlocal'} {name}")
    return found


def _short(module: Module, statements: list[ast.stmt], tensorflow: str) -> str | None:
    """`tf.py_function(losses.append, [loss], [])` for `losses.append(loss)` alone.

    What may be another list at the next call (`self.losses`, new in each epoch) is asked for then.
    """
    value = statements[0].value if len(statements) == 1 and isinstance(statements[0], ast.Expr) else None
    if not isinstance(value, ast.Call) or len(value.args) != 1 or value.keywords:
        return None
    argument, scope = value.args[0], module.scope_at(value)
    if not isinstance(value.func, ast.Attribute) or not isinstance(argument, ast.Name | ast.Call):
        return None
    method, given = module.source_of(value.func), module.source_of(argument)
    if _is_one_for_all(value.func.value, scope):
        return f"{tensorflow}.py_function({method}, [{given}], [])"
    name = argument.id if isinstance(argument, ast.Name) else "value"
    named = [part.id for part in ast.walk(value.func) if isinstance(part, ast.Name)]
    if name in named:
        return None
    local = [each for each in dict.fromkeys(named) if each in scope.bindings and each != "self"]
    now = "".join(f", {each}={each}" for each in local if each not in scope.outer_names)
    return f"{tensorflow}.py_function(lambda {name}{now}: {method}({name}), [{given}], [])"


def _is_one_for_all(receiver: ast.expr, scope: Scope) -> bool:
    """Whether an object has a name from outside the function, and no other one ever has it."""
    found = scope.lookup(receiver.id) if isinstance(receiver, ast.Name) else None
    return found is not None and found[0] is not scope and len(found[1]) == 1


READS = ("numpy", "item", "tolist")


def in_python(body: Body, node: ast.AST) -> Edit | None:
    """A call whose result nobody takes, made by Python at each run of the graph; the last way there is."""
    statement, tensorflow = statement_of(body, node), module_alias("tensorflow", body.scope)
    call = statement.value if isinstance(statement, ast.Expr) else None
    if tensorflow is None or not isinstance(call, ast.Call) or call.lineno != call.end_lineno:
        return None
    parts = list(ast.walk(call))
    given = [each for part in parts if isinstance(part, ast.Call) for each in all_given(part)]
    given += [part.value for part in parts if isinstance(part, ast.Attribute) and part.attr in READS]
    names_given = {each.id for each in given if isinstance(each, ast.Name)}
    local = names_given & set(body.scope.bindings) - {body.function.receiver}
    if not local:
        return None
    names = ", ".join(sorted(local))
    text = f"{tensorflow}.py_function(lambda {names}: {body.home.source_of(call)}, [{names}], [])"
    return body.home.replace(call, text)
