"""What a function inside another makes at each call of the other's names → made once, by the other."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body
from graphdoctor.refactoring.syntax.statements import drop_statement, indent_of, statement_of
from graphdoctor.source.module import Module
from graphdoctor.source.scopes import Placed

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def kept_by_closure(module: Module, call: ast.Call, placed: Placed) -> tuple[Edit, ...] | None:
    """`graph = tf.function(f)` in the function that a decorator returns → before it, where `f` is known.

    None unless all that it is made of are what the function around is given, and gives no other value.
    """
    inner = module.functions.get(placed.scope.node)
    outer = inner.placed.scope if inner is not None else None
    if inner is None or outer is None or not isinstance(outer.node, FUNCTIONS) or placed.loops:
        return None
    names = {part.id for part in ast.walk(call) if isinstance(part, ast.Name)}
    own = [name for name in names if name in outer.bindings]
    if not own or any(name in placed.scope.bindings for name in names):
        return None
    if any([binding.kind for binding in outer.bindings[name]] != ["parameter"] for name in own):
        return None
    body, node = Body(inner), inner.node
    statement = statement_of(body, call)
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
    if statement is None or indent_of(body.home, statement) is None or not isinstance(node, FUNCTIONS):
        return None
    target = statement.targets[0] if isinstance(statement, ast.Assign) and statement.value is call else None
    name = target.id if isinstance(target, ast.Name) else "graph_function"
    bound = len(placed.scope.bindings.get(name, ()))
    if outer.lookup(name) is not None or bound != (1 if isinstance(target, ast.Name) else 0):
        return None
    plain = target is None or (isinstance(statement, ast.Assign) and len(statement.targets) == 1)
    after = (
        drop_statement(body.home, statement) if isinstance(target, ast.Name) else module.replace(call, name)
    )
    if after is None or not plain:
        return None
    indent = " " * node.col_offset
    return (module.insert(first, 1, f"{indent}{name} = {module.source_of(call)}\n\n"), after)
