"""Optimizers: their variables made before the graph, and one of them for each model."""

import ast
import itertools

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.expressions import with_others
from graphdoctor.refactoring.syntax.statements import insert_lines_after
from graphdoctor.source.calls import all_given, bind_arguments, method_name
from graphdoctor.source.def_use import Kind, Use, names_read
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.resolving import called_function, def_use, only_value
from graphdoctor.source.scopes import Scope, parameters
from graphdoctor.source.surroundings import Body, around, name_given, statement_around, target_of

APPLY = ("apply_gradients", "apply", "minimize")


def build_first(module: Module, made: ast.AST, step: Function) -> Edit | None:
    """`optimizer.build(variables)` after the line that makes it: of the variables that the step gives it."""
    statement, target = _kept_as(module, made)
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
    return insert_lines_after(module, statement, f"{ast.unparse(target)}.build({ast.unparse(variables)})")


def _of_its_object(
    target: ast.expr, variables: ast.expr, step: Function, around: ast.AST
) -> tuple[ast.expr, ast.stmt] | None:
    """`self.weights` for `player.weights`, where `__init__` makes `player.optimizer`; its last line."""
    if not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Name):
        return None
    if not isinstance(around, ast.FunctionDef) or around.name != "__init__":
        return None
    names = names_read(variables)
    given = names & {each.arg for each in parameters(step.node)}
    owner = next(iter(given)) if len(names) == len(given) == 1 else None
    if owner is None or not def_use(step.home, step.node).of(f"{owner}.{target.attr}", Kind.READ):
        return None
    return with_others(variables, {owner: target.value}), around.body[-1]


def _kept_as(module: Module, made: ast.AST) -> tuple[ast.stmt | None, ast.expr | None]:
    """The statement that gives what is made a name or attribute, and that; also as one of several."""
    statement = statement_around(module, made)
    target, value = target_of(statement), getattr(statement, "value", None)
    if value is made:
        return statement, target
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple) or made not in value.elts:
        return None, None
    plain = len(target.elts) == len(value.elts)
    return (statement, target.elts[value.elts.index(made)]) if plain else (None, None)


def _given_with(module: Module, optimizer: ast.expr, variables: ast.expr, step: Function) -> ast.expr | None:
    """The variables of the model that the step is called with wherever it is given the optimizer."""
    found: dict[str, ast.expr] = {}
    own = names_read(variables) & set(step.scope.bindings)
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
    for name in names_read(variables):
        found = scope.lookup(name)
        lines = [getattr(binding.node, "lineno", 0) for binding in found[1]] if found is not None else []
        if found is None or (found[0] is scope and min(lines) > statement.lineno):
            return False
    return True


def variables_of(step: Function) -> ast.expr | None:
    """What a step gives to `apply_gradients` as variables."""
    found = None
    for call in ast.walk(step.node):
        if not isinstance(call, ast.Call) or method_name(call) not in APPLY:
            continue
        given = all_given(call)
        if given and isinstance(given[0], ast.Call) and len(given[0].args) == 2:
            found = given[0].args[1]  # zip(gradients, variables)
        elif len(given) > 1:
            found = given[1]
    own = isinstance(found, ast.Name) and found.id in step.scope.bindings
    return only_value(found, step.scope) if own else found


def _means_the_same(variables: ast.expr, step: Function, scope: Scope) -> bool:
    """Whether the names of an expression mean the same where the optimizer is made."""
    owner = step.home.walk.scopes.get(step.owner) if step.owner is not None else None
    inside = owner is not None and scope.within(owner)
    for name in names_read(variables):
        there, here = step.scope.lookup(name), scope.lookup(name)
        same = there is not None and here is not None and there[0] is here[0]
        if not same and not (inside and name == step.receiver):
            return False
    return True


def one_for_each(body: Body | None, module: Module, made: ast.AST) -> tuple[Edit, ...] | None:
    """The call that makes an optimizer, written again where it is given to the next model."""
    root = body.function.node if body is not None else module.tree
    scope = body.scope if body is not None else module.walk.root
    name = name_given(statement_around(module, made), made)
    if len(scope.bindings.get(name, ())) != 1 or (body is not None and _reads_own(made, scope)):
        return None
    uses = def_use(module, root).of(name, Kind.READ)
    given = [one.node for one in uses if isinstance(one.node, ast.Name)]
    repeated = any(_is_in_loop(module, each, root) for each in given)
    if any(one.use is not Use.GIVEN for one in uses) or len(given) < (1 if repeated else 2):
        return None
    text = module.source_of(made)
    return tuple(module.replace(part, text) for part in (given if repeated else given[1:]))


def _reads_own(made: ast.AST, scope: Scope) -> bool:
    """Whether a call reads what the function around it computes, or is given."""
    names = (part for part in ast.walk(made) if isinstance(part, ast.Name) and part.id in scope.bindings)
    return any(dotted_name(each, scope) is None for each in names)


def _is_in_loop(module: Module, node: ast.AST, root: ast.AST) -> bool:
    inside = itertools.takewhile(lambda each: each is not root, around(module, node))
    return any(isinstance(each, ast.For | ast.While) for each in inside)
