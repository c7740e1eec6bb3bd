"""What a function makes of its arguments at each call → made once by the object that calls it."""

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.bodies import Body, body_around
from graphdoctor.refactoring.flow import has_attribute
from graphdoctor.refactoring.making import CHANGES, first_value_again, own_name
from graphdoctor.refactoring.parameters import one_more_argument, one_more_parameter
from graphdoctor.refactoring.resolving import called_function, method_of
from graphdoctor.refactoring.statements import drop_statement, insert_lines_after, statement_of, value_given
from graphdoctor.source.calls import bind_arguments
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name


def handed_in(modules: Sequence[Module], helper: Body, made: ast.AST) -> tuple[Edit, ...] | None:
    """The edits for `v = tf.Variable(…)` in a function that one method calls: `__init__` makes it.

    None where the function is used in any other way, or its arguments are not what `__init__` has.
    """
    statement, node = statement_of(helper, made), helper.function.node
    name = _named(statement, made)
    alone = name is not None and len(helper.scope.bindings[name]) == 1
    if statement is None or name is None or not alone or not isinstance(node, ast.FunctionDef):
        return None
    call = _only_call(modules, helper)
    caller = body_around(*call) if call is not None and statement in node.body else None
    this = own_name(caller) if caller is not None else None
    if call is None or caller is None or this is None or not isinstance(made, ast.Call):
        return None
    owner = caller.function.owner
    init = method_of(owner, "__init__") if owner is not None else None
    if owner is None or not isinstance(init, ast.FunctionDef) or has_attribute(owner, name):
        return None
    text = _made_outside(helper, made, caller, call[1], this, init)
    makes = (
        insert_lines_after(Body(caller.home.functions[init]), init.body[-1], f"{this}.{name} = {text}")
        if text is not None
        else None
    )
    again = None if _is_changed_last(node, name) else first_value_again(helper, made, name)
    after = helper.home.replace(statement, again) if again is not None else drop_statement(helper, statement)
    takes = one_more_parameter(helper.function, name)
    gives = one_more_argument(*call, name, f"{this}.{name}")
    edits = (makes, after, takes, gives)
    return tuple(edit for edit in edits if edit is not None) if all(edits) else None


def _named(statement: ast.stmt | None, made: ast.AST) -> str | None:
    """The one name that a statement gives to what is made."""
    plain = isinstance(statement, ast.Assign) and statement.value is made and len(statement.targets) == 1
    target = statement.targets[0] if plain and isinstance(statement, ast.Assign) else None
    return target.id if isinstance(target, ast.Name) else None


def _only_call(modules: Sequence[Module], helper: Body) -> tuple[Module, ast.Call] | None:
    """The one call of a function, in no loop, where nothing else is done with it in the project."""
    name = helper.function.name
    uses = [(module, node) for module in modules if name in module.text for node in _uses(module, name)]
    if len(uses) != 1:
        return None
    module, use = uses[0]
    placed = next((p for p in module.walk.calls if isinstance(p.node, ast.Call) and p.node.func is use), None)
    if placed is None or placed.loops or not isinstance(placed.node, ast.Call):
        return None
    found = called_function(placed.node, placed.scope)
    plain = not any(isinstance(each, ast.Starred) for each in placed.node.args)
    same = found is not None and found.node is helper.function.node
    return (module, placed.node) if same and plain else None


def _uses(module: Module, name: str) -> Iterator[ast.AST]:
    for node in ast.walk(module.tree):
        loaded = isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        renamed = isinstance(node, ast.alias) and node.name == name and node.asname is not None
        if loaded or renamed or (isinstance(node, ast.Attribute) and node.attr == name):
            yield node


def _made_outside(
    helper: Body, made: ast.Call, caller: Body, call: ast.Call, this: str, init: ast.FunctionDef
) -> str | None:
    """What makes the object as `__init__` writes it, at its end; None where it cannot."""
    bound, given = bind_arguments(call, helper.function), dict[str, ast.expr]()
    for part in ast.walk(made):
        if not isinstance(part, ast.Name):
            continue
        if part.id not in helper.scope.bindings:
            name = dotted_name(part, helper.scope)
            if name is None or name != dotted_name(part, caller.scope):
                return None
        elif part.id not in bound or [each.kind for each in helper.scope.bindings[part.id]] != ["parameter"]:
            return None
        else:
            given[part.id] = bound[part.id]
    if not all(_is_known_in_init(each, this, init) for each in given.values()):
        return None
    return ast.unparse(_Replaced(given).visit(copy.deepcopy(made)))


def _is_known_in_init(given: ast.expr, this: str, init: ast.FunctionDef) -> bool:
    """Whether an argument is a constant, or an attribute that `__init__` sets for certain."""
    if isinstance(given, ast.Constant):
        return True
    own = isinstance(given, ast.Attribute) and isinstance(given.value, ast.Name) and given.value.id == this
    plain = [each for each in init.body if isinstance(each, ast.Assign)]
    return own and any(value_given(each, ast.unparse(given)) is not None for each in plain)


class _Replaced(ast.NodeTransformer):
    """Puts arguments where a function writes its parameters."""

    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._given.get(node.id, node)


def _is_changed_last(node: ast.FunctionDef, name: str) -> bool:
    """Whether a Variable is changed when the call has read it: what it is changed to is for the next call."""
    changes = [
        each
        for each in node.body
        if isinstance(each, ast.Expr) and ast.unparse(each).startswith(tuple(f"{name}.{c}(" for c in CHANGES))
    ]
    first = changes[0].lineno if changes else 0
    uses = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == name]
    inside = {id(n) for each in changes for n in ast.walk(each)}
    return bool(changes) and all(use.lineno < first or id(use) in inside for use in uses)
