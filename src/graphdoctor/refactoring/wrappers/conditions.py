"""An `if` or a conditional expression that a tensor decides → `keras.ops.cond`."""

import ast
import dataclasses
from collections.abc import Iterable

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.statements import drop_statement
from graphdoctor.source.functions import Function
from graphdoctor.source.names import module_alias
from graphdoctor.source.scopes import Scope, parameters
from graphdoctor.source.surroundings import Body, block_of, indent_of, is_elif, stored_names

LONGEST_LINE = 88
RETURN = "return "
# Where Keras keeps `ops`, by the module that the file may know.
HOMES = (("keras.ops", ""), ("keras", ".ops"), ("tensorflow", ".keras.ops"))
# Tests that ask for the value of a tensor beside their own.
PYTHON_TESTS = (ast.BoolOp, ast.Not, ast.IfExp)
# What a lambda cannot hold, and what `cond` cannot give from both sides.
NOT_IN_LAMBDA = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
NO_TENSORS = (ast.Tuple, ast.List, ast.Dict, ast.Set, ast.Lambda, ast.JoinedStr, ast.Starred)


@dataclasses.dataclass(frozen=True, slots=True)
class Choice:
    """What is done with what is chosen (`return `, `name = `), the choice as text, and all it may give.

    `tests` are those that decide; `arguments` what `cond` is given. `keeps`: one way leaves the name alone.
    """

    head: str
    text: str
    values: tuple[ast.expr, ...] = ()
    tests: tuple[ast.expr, ...] = ()
    arguments: tuple[str, ...] = ()
    keeps: bool = False


def is_given_a_variable(function: Function) -> bool:
    """Whether Keras calls a function with a variable of its own, which `tf.function` cannot take.

    That is `__call__` with one argument: a learning rate schedule, a constraint, a regularizer. Run on Keras
    3 with TensorFlow 2.21: "numpy() is only available when eager execution is enabled".
    """
    own = function.name == "__call__" and function.owner is not None
    return own and len([*parameters(function.node)]) == 2


def by_cond(body: Body, test: ast.AST) -> tuple[Edit, ...] | None:
    """The edits that choose with `keras.ops.cond`; None unless each way only gives one value."""
    statement, cond = body.parents.get(test), _cond_at(body.scope)
    if cond is None or not isinstance(statement, ast.If | ast.IfExp) or statement.test is not test:
        return None
    if isinstance(statement, ast.IfExp):
        choice = _expression(body, statement, cond)
        return (body.home.replace(statement, choice.text),) if _is_plain(choice) else None
    block, indent = block_of(body.home, statement), indent_of(body.home, statement)
    after = block[block.index(statement) + 1 :]
    last = after[0] if len(after) == 1 and isinstance(after[0], ast.Return) else None
    found = _branches(body, statement, cond, last)
    if found is None or indent is None or is_elif(body.home, statement) or not _is_plain(found):
        return None
    if "#" in body.home.source_of(statement) or (found.keeps and not _has_value(body, statement, found)):
        return None  # a comment would be lost, or a name that has no value be read
    replaced = body.home.replace(statement, f"{found.head}{_in_lines(found, cond, indent)}")
    if last is None or last.value not in found.values:
        return (replaced,)
    dropped = drop_statement(body.home, last)
    return (replaced, dropped) if dropped is not None else None


def _cond_at(scope: Scope) -> str | None:
    names = ((module_alias(module, scope), rest) for module, rest in HOMES)
    return next((f"{name}{rest}.cond" for name, rest in names if name is not None), None)


def _expression(body: Body, node: ast.expr, cond: str) -> Choice:
    """One value, or the choice that a conditional expression makes."""
    if not isinstance(node, ast.IfExp):
        return Choice("", body.home.source_of(node), (node,))
    ways = [_expression(body, each, cond) for each in (node.body, node.orelse)]
    return _between(body, node.test, ways, cond)


def _branches(body: Body, node: ast.If, cond: str, last: ast.Return | None) -> Choice | None:
    """The choice between both ways of an `if`; a way that ends without one goes on to the last `return`."""
    first = _way(body, node.body, cond, last)
    if first is None:
        return None
    other = _way(body, node.orelse, cond, last) if node.orelse else _otherwise(body, first.head, last)
    if other is None or other.head != first.head:
        return None
    return _between(body, node.test, [first, other], cond)


def _way(body: Body, block: list[ast.stmt], cond: str, last: ast.Return | None) -> Choice | None:
    only = block[0] if len(block) == 1 else None
    if isinstance(only, ast.If):
        return _branches(body, only, cond, last)
    if isinstance(only, ast.Return) and only.value is not None:
        return dataclasses.replace(_expression(body, only.value, cond), head=RETURN)
    if isinstance(only, ast.Assign) and len(only.targets) == 1 and isinstance(only.targets[0], ast.Name):
        return dataclasses.replace(_expression(body, only.value, cond), head=f"{only.targets[0].id} = ")
    return None


def _otherwise(body: Body, head: str, last: ast.Return | None) -> Choice | None:
    if head != RETURN:
        return Choice(head, head.removesuffix(" = "), keeps=True)
    if last is None or last.value is None or isinstance(last.value, ast.IfExp):
        return None
    return Choice(head, body.home.source_of(last.value), (last.value,))


def _between(body: Body, test: ast.expr, ways: list[Choice], cond: str) -> Choice:
    arguments = (body.home.source_of(test), *(f"lambda: {way.text}" for way in ways))
    return Choice(
        ways[0].head,
        f"{cond}({', '.join(arguments)})",
        tuple(value for way in ways for value in way.values),
        (test, *(each for way in ways for each in way.tests)),
        arguments,
        any(way.keeps for way in ways),
    )


def _is_plain(choice: Choice) -> bool:
    """Whether what is chosen are tensors or numbers of one kind, and each test is one comparison."""
    tests = [part for test in choice.tests for part in ast.walk(test)]
    parts = [part for value in choice.values for part in ast.walk(value)]
    several = any(isinstance(part, ast.Compare) and len(part.ops) > 1 for part in tests)
    bare = any(getattr(part, "id", "") == "super" for part in parts)
    if several or bare or _holds(tests, PYTHON_TESTS) or _holds(parts, NOT_IN_LAMBDA):
        return False
    # `0` is an int32 on one side, where the other gives a float: no Python number becomes what the other is.
    constants = [value.value for value in choice.values if isinstance(value, ast.Constant)]
    return not _holds(choice.values, NO_TENSORS) and all(isinstance(each, float) for each in constants)


def _holds(parts: Iterable[ast.AST], kinds: tuple[type[ast.AST], ...]) -> bool:
    return any(isinstance(part, kinds) for part in parts)


def _has_value(body: Body, statement: ast.If, choice: Choice) -> bool:
    """Whether the name surely has a value before the `if`."""
    name = choice.head.removesuffix(" = ")
    block = block_of(body.home, statement)
    before = [each for each in block[: block.index(statement)] if isinstance(each, ast.Assign)]
    return name in {each.arg for each in parameters(body.function.node)} or name in stored_names([*before])


def _in_lines(choice: Choice, cond: str, indent: str) -> str:
    """The choice on one line, or its test and its ways on a line each."""
    if len(indent) + len(choice.head) + len(choice.text) <= LONGEST_LINE:
        return choice.text
    lines = "".join(f"{indent}    {each},\n" for each in choice.arguments)
    return f"{cond}(\n{lines}{indent})"
