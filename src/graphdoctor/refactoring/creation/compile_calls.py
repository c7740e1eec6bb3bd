"""`model.compile(…)` again and again, for another learning rate at most → only when it is needed."""

import ast
from collections.abc import Iterator, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.statements import has_long_texts
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Binding, Scope

SHIFT = "    "
# Without momentum it keeps nothing from step to step but their number: a new one goes on as the old one.
FORGETFUL = ("keras.optimizers.SGD", "tensorflow.keras.optimizers.SGD", "tensorflow.optimizers.SGD")
RATES = ("learning_rate", "lr")
LIBRARY = ("keras.", "tensorflow.", "tf_keras.")


def compiled_when_needed(modules: Sequence[Module], module: Module, call: ast.AST) -> Edit | None:
    """The edit that compiles a model again only for another optimizer, and else sets its learning rate.

    None where what else `compile` is given may differ, or something is frozen or thawed: that needs it.
    """
    method = call.func if isinstance(call, ast.Call) else None
    statement = next((each for each in _statements(module) if each.value is call), None)
    if statement is None or not isinstance(call, ast.Call) or not isinstance(method, ast.Attribute):
        return None
    optimizer = _optimizer(call)
    given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    others = [each for each in given if each not in (optimizer, _keyword(call))]
    if optimizer is None or not all(_is_always_the_same(module, each) for each in others):
        return None
    if any(_freezes(each) for each in modules):
        return None
    model = module.source_of(method.value)
    if _is_kept(module, optimizer):
        test = f'getattr({model}, "optimizer", None) is not {module.source_of(optimizer)}'
        return _under(module, statement, test)
    rate = _rate_alone(module, optimizer)
    compiled = [each for other in modules for each in compilings(other)]
    if rate is None or len(compiled) != 1 or any("schedules" in each.text for each in modules):
        return None
    setting = f"{model}.optimizer.learning_rate = {module.source_of(rate)}"
    return _under(module, statement, f'getattr({model}, "optimizer", None) is None', setting)


def _statements(module: Module) -> Iterator[ast.Expr]:
    return (each for each in ast.walk(module.tree) if isinstance(each, ast.Expr))


def _keyword(call: ast.Call) -> ast.keyword | None:
    return next((each for each in call.keywords if each.arg == "optimizer"), None)


def _optimizer(call: ast.Call) -> ast.expr | None:
    keyword = _keyword(call)
    if keyword is not None:
        return keyword.value
    return call.args[0] if call.args and not isinstance(call.args[0], ast.Starred) else None


def _is_always_the_same(module: Module, given: ast.expr | ast.keyword) -> bool:
    """Whether nothing that a call computes or is given goes into an argument."""
    if isinstance(given, ast.Starred) or (isinstance(given, ast.keyword) and given.arg is None):
        return False
    value = given.value if isinstance(given, ast.keyword) else given
    scope = module.scope_at(value)
    return all(_is_fixed(part, scope) for part in ast.walk(value))


def _is_fixed(part: ast.AST, scope: Scope) -> bool:
    if isinstance(part, ast.Attribute | ast.Call):
        name = dotted_name(part.func if isinstance(part, ast.Call) else part, scope)
        return name is not None and name.startswith(LIBRARY)
    if isinstance(part, ast.Name):
        found = scope.lookup(part.id)
        return found is None or _is_bound_once_at_top(*found)
    return isinstance(part, ast.Constant | ast.List | ast.Tuple | ast.Dict | ast.keyword | ast.expr_context)


def _is_bound_once_at_top(scope: Scope, bindings: Sequence[Binding]) -> bool:
    if not isinstance(scope.node, ast.Module) or len(bindings) != 1:
        return False
    return bindings[0].kind in ("import", "function", "class") or isinstance(bindings[0].value, ast.Constant)


def _freezes(module: Module) -> bool:
    """Whether a module says anywhere what is to be trained."""
    return any(
        (isinstance(part, ast.Attribute) and part.attr == "trainable" and isinstance(part.ctx, ast.Store))
        or (isinstance(part, ast.Constant) and part.value == "trainable")
        for part in ast.walk(module.tree)
    )


def _is_kept(module: Module, optimizer: ast.expr) -> bool:
    """Whether the optimizer has a name, and is not made again under it just before."""
    if not isinstance(optimizer, ast.Name):
        return False
    scope = module.scope_at(optimizer)
    found = scope.lookup(optimizer.id)
    if found is None:
        return False
    made = [each.value for each in found[1] if isinstance(each.value, ast.Call)]
    reads = [each for each in made if dotted_name(each.func, scope) == "builtins.getattr"]
    return found[0] is not scope or len(made) == len(reads)


def _rate_alone(module: Module, optimizer: ast.expr) -> ast.expr | None:
    """The learning rate of `SGD(rate)`, where nothing else is said of it."""
    if not isinstance(optimizer, ast.Call):
        return None
    if dotted_name(optimizer.func, module.scope_at(optimizer)) not in FORGETFUL:
        return None
    given = [*optimizer.args, *(each.value for each in optimizer.keywords if each.arg in RATES)]
    if len(given) != 1 or len(optimizer.args) + len(optimizer.keywords) != 1:
        return None
    return given[0] if not isinstance(given[0], ast.Call | ast.Lambda | ast.Starred) else None


def compilings(module: Module) -> Iterator[ast.Call]:
    """Where models are compiled; a pattern is no model."""
    for placed in module.walk.calls:
        method = placed.node.func if isinstance(placed.node, ast.Call) else None
        if not isinstance(placed.node, ast.Call) or not isinstance(method, ast.Attribute):
            continue
        if method.attr == "compile" and dotted_name(method, placed.scope) != "re.compile":
            yield placed.node


def _under(module: Module, statement: ast.Expr, test: str, otherwise: str = "") -> Edit | None:
    """The statement under an `if`, with what is done else."""
    last = statement.end_lineno or statement.lineno
    lines = module.text.splitlines(keepends=True)[statement.lineno - 1 : last]
    indent = lines[0][: statement.col_offset]
    alone = not indent.strip() and lines[-1].rstrip().endswith(")")
    if not alone or has_long_texts(statement) or ";" in lines[-1]:
        return None
    body = "".join(f"{SHIFT}{line}" if line.strip() else line for line in lines).rstrip("\r\n")
    end = f"\n{indent}else:\n{indent}{SHIFT}{otherwise}\n" if otherwise else "\n"
    return module.replace_lines(statement.lineno, last, f"{indent}if {test}:\n{body}{end}")
