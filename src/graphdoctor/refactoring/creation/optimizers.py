"""Optimizers: their variables made before the graph, and one of them for each model."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body
from graphdoctor.refactoring.syntax.expressions import with_others
from graphdoctor.refactoring.syntax.resolving import called_function
from graphdoctor.source.calls import bind_arguments
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope, parameters

APPLY = ("apply_gradients", "apply", "minimize")


def build_first(module: Module, made: ast.AST, step: Function) -> Edit | None:
    """`optimizer.build(variables)` after the line that makes it: of the variables that the step gives it."""
    kept, target = _kept_as(module, made)
    statement: ast.stmt | None = kept
    variables = variables_of(step)
    if statement is None or variables is None or not isinstance(target, ast.Name | ast.Attribute):
        return None
    beside = _of_its_object(target, variables, step, module.scope_at(statement).node)
    if beside is not None:  # which has all that is asked for when it is made
        variables, statement = beside
    elif not _means_the_same(variables, step, module.scope_at(statement)):
        if module is not step.home:
            return None
        given = _given_with(module, target, variables, step)
        if given is None or not _is_bound_before(module, given, statement):
            return None
        variables = given
    indent = module.lines[statement.lineno - 1][: statement.col_offset]
    last = statement.end_lineno or statement.lineno
    if indent.strip() or last >= len(module.lines):
        return None
    return module.insert_after(last, f"{indent}{ast.unparse(target)}.build({ast.unparse(variables)})\n")


def _of_its_object(
    target: ast.expr, variables: ast.expr, step: Function, around: ast.AST
) -> tuple[ast.expr, ast.stmt] | None:
    """`self.weights` for `player.weights`, where `__init__` makes `player.optimizer`; its last line."""
    if not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Name):
        return None
    if not isinstance(around, ast.FunctionDef) or around.name != "__init__":
        return None
    names = {part.id for part in ast.walk(variables) if isinstance(part, ast.Name)}
    given = names & {each.arg for each in parameters(step.node)}
    owner = next(iter(given)) if len(names) == len(given) == 1 else None
    asked = {ast.unparse(part) for part in ast.walk(step.node) if isinstance(part, ast.Attribute)}
    if owner is None or f"{owner}.{target.attr}" not in asked:
        return None
    return with_others(variables, {owner: target.value}), around.body[-1]


def _kept_as(module: Module, made: ast.AST) -> tuple[ast.Assign | None, ast.expr | None]:
    """The statement that gives what is made a name or attribute, and that; also as one of several."""
    for each in ast.walk(module.tree):
        if not isinstance(each, ast.Assign) or len(each.targets) != 1:
            continue
        target, value = each.targets[0], each.value
        if value is made:
            return each, target
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and made in value.elts:
            plain = len(target.elts) == len(value.elts)
            return (each, target.elts[value.elts.index(made)]) if plain else (None, None)
    return None, None


def _given_with(module: Module, optimizer: ast.expr, variables: ast.expr, step: Function) -> ast.expr | None:
    """The variables of the model that the step is called with wherever it is given the optimizer."""
    found: dict[str, ast.expr] = {}
    own = {part.id for part in ast.walk(variables) if isinstance(part, ast.Name)} & set(step.scope.bindings)
    for placed in module.walk.calls:
        call = placed.node
        if not isinstance(call, ast.Call) or called_function(call, placed.scope) is not step:
            continue
        given = bind_arguments(call, step)
        if any(ast.unparse(each) == ast.unparse(optimizer) for each in given.values()):
            if not own <= given.keys():
                return None
            written = with_others(variables, given)
            found[ast.unparse(written)] = written
    return next(iter(found.values())) if len(found) == 1 else None


def _is_bound_before(module: Module, variables: ast.expr, statement: ast.stmt) -> bool:
    """Whether all names of an expression have a value when a statement is done."""
    scope = module.scope_at(statement)
    for part in ast.walk(variables):
        found = scope.lookup(part.id) if isinstance(part, ast.Name) else None
        if isinstance(part, ast.Name) and found is None:
            return False
        if found is not None and found[0] is scope:
            lines = [getattr(binding.node, "lineno", 0) for binding in found[1]]
            if not lines or min(lines) > statement.lineno:
                return False
    return True


def variables_of(step: Function) -> ast.expr | None:
    """What a step gives to `apply_gradients` as variables."""
    found = None
    for call in ast.walk(step.node):
        if not isinstance(call, ast.Call) or getattr(call.func, "attr", "") not in APPLY:
            continue
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if given and isinstance(given[0], ast.Call) and len(given[0].args) == 2:
            found = given[0].args[1]  # zip(gradients, variables)
        elif len(given) > 1:
            found = given[1]
    if isinstance(found, ast.Name) and found.id in step.scope.bindings:
        bindings = step.scope.bindings[found.id]
        found = bindings[0].value if len(bindings) == 1 and bindings[0].index is None else None
    return found


def _means_the_same(variables: ast.expr, step: Function, scope: Scope) -> bool:
    """Whether the names of an expression mean the same where the optimizer is made."""
    for part in ast.walk(variables):
        if not isinstance(part, ast.Name):
            continue
        there, here = step.scope.lookup(part.id), scope.lookup(part.id)
        first = next((name for name, b in step.scope.bindings.items() if b[0].kind == "parameter"), None)
        owner = step.home.walk.scopes.get(step.owner) if step.owner is not None else None
        own = owner is not None and part.id == first and scope.within(owner)
        if not own and (there is None or here is None or there[0] is not here[0]):
            return False
    return True


def one_for_each(body: Body | None, module: Module, made: ast.AST) -> tuple[Edit, ...] | None:
    """The call that makes an optimizer, written again where it is given to the next model."""
    scope = body.scope if body is not None else module.walk.root
    root = body.function.node if body is not None else module.tree
    statement = next(
        (each for each in ast.walk(root) if isinstance(each, ast.Assign) and each.value is made), None
    )
    target = statement.targets[0] if statement is not None and len(statement.targets) == 1 else None
    if not isinstance(target, ast.Name) or len(scope.bindings.get(target.id, ())) != 1:
        return None
    if any(isinstance(part, ast.Name) and part.id in scope.bindings and not _is_global(part, scope, module)
           for part in ast.walk(made)):  # fmt: skip
        return None
    uses = [
        part
        for part in ast.walk(root)
        if isinstance(part, ast.Name) and part.id == target.id and isinstance(part.ctx, ast.Load)
        if (found := module.scope_at(part).lookup(part.id)) is not None and found[0] is scope
    ]
    given = [
        part
        for call in ast.walk(root)
        if isinstance(call, ast.Call)
        for part in (*call.args, *(keyword.value for keyword in call.keywords))
        if part in uses
    ]
    loops = [each for each in ast.walk(root) if isinstance(each, ast.For | ast.While)]
    repeated = any(use in ast.walk(loop) for loop in loops for use in given)
    if len(given) != len(uses) or not given or (len(given) == 1 and not repeated):
        return None
    given.sort(key=lambda part: (part.lineno, part.col_offset))
    text = module.source_of(made)
    return tuple(module.replace(part, text) for part in (given if repeated else given[1:]))


def _is_global(part: ast.Name, scope: Scope, module: Module) -> bool:
    return scope is module.walk.root or dotted_name(part, scope) is not None
