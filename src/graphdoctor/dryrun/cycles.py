"""Numbers that a loop turns round and round, as `n = -n` or `a, b = b, a` do: they come to few values.

The assignments of the loop are carried out on the numbers that the names have before it.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

from graphdoctor.dryrun.carried import NESTED
from graphdoctor.dryrun.fewness import MOST_FEW
from graphdoctor.source.nodes import spelled
from graphdoctor.source.remembering import remembered

TURNS: Final = 24
NAMED: Final = (ast.Name, ast.Attribute)
LARGEST: Final = 1e9
BINARY: Final[dict[type[ast.AST], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
}  # fmt: skip
UNARY: Final[dict[type[ast.AST], Callable[[Any], Any]]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_,
}  # fmt: skip
FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "max": max, "min": min, "abs": abs, "int": int, "float": float, "round": round,
}  # fmt: skip
Names = dict[str, Any]


class NoNumberError(Exception):
    """An expression that is not reckoned from such numbers alone."""


def values_in_turn(loop: ast.AST, name: str, names: Names) -> set[Any] | None:
    """The values of a name in a loop that finds the names with these numbers, or more than a few of them.

    For an attribute, it is a method that sets it, and is called again and again. None: nobody knows.
    """
    assignments = _assignments(loop)
    needed = {name}
    for _ in assignments:
        needed |= {read for each in assignments if needed & _targets(each) for read in _read(each)}
    steps = [each for each in assignments if needed & _targets(each)]
    if not steps or _is_bound_otherwise(loop, needed, steps):
        return None
    now, seen = dict(names), {names.get(name)}
    try:
        for _ in range(TURNS):
            for step in steps:
                _carry_out(step, now)
            seen.add(now[name])
            if len(seen) > MOST_FEW:
                break
    except (NoNumberError, KeyError, ArithmeticError, TypeError, ValueError):
        return None
    return seen


@remembered(2048)
def _assignments(loop: ast.AST) -> tuple[ast.Assign | ast.AugAssign, ...]:
    return tuple(each for each in _own_nodes(loop) if isinstance(each, (ast.Assign, ast.AugAssign)))


@remembered(2048)
def _own_nodes(loop: ast.AST) -> tuple[ast.AST, ...]:
    """All in a loop, in the order of the text, but what stands in functions inside."""
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(loop):
        if not isinstance(child, NESTED):
            found += [child, *_own_nodes(child)]
    return tuple(found)


def _targets(statement: ast.Assign | ast.AugAssign) -> set[str]:
    given = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    nodes = [node for target in given for node in ast.walk(target)]
    return {spelled(node) for node in nodes if isinstance(node, NAMED) and isinstance(node.ctx, ast.Store)}


def _read(statement: ast.Assign | ast.AugAssign) -> set[str]:
    own = _targets(statement) if isinstance(statement, ast.AugAssign) else set()
    names = {spelled(node) for node in ast.walk(statement.value) if isinstance(node, NAMED)}
    return own | (names - FUNCTIONS.keys())


def _is_bound_otherwise(loop: ast.AST, names: set[str], steps: list[ast.Assign | ast.AugAssign]) -> bool:
    """Whether the loop sets one of the names by more than these assignments: as its target, by `:=`."""
    ours = {id(node) for step in steps for node in ast.walk(step)}
    return any(
        isinstance(node, NAMED)
        and isinstance(node.ctx, (ast.Store, ast.Del))
        and spelled(node) in names
        and id(node) not in ours
        for node in _own_nodes(loop)
    )


def _carry_out(statement: ast.Assign | ast.AugAssign, names: Names) -> None:
    if isinstance(statement, ast.AugAssign):
        name = spelled(statement.target)
        names[name] = _combined(statement.op, names[name], _value(statement.value, names))
        return
    value = _value(statement.value, names)
    for target in statement.targets:
        _assign(target, value, names)


def _assign(target: ast.expr, value: Any, names: Names) -> None:
    if isinstance(target, NAMED):
        names[spelled(target)] = value
    elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, tuple):
        for inner, part in zip(target.elts, value, strict=True):
            _assign(inner, part, names)
    else:
        raise NoNumberError


def _value(node: ast.expr, names: Names) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, NAMED):
        return names[spelled(node)]
    if isinstance(node, ast.Tuple):
        return tuple([_value(each, names) for each in node.elts])
    if isinstance(node, ast.UnaryOp) and type(node.op) in UNARY:
        return UNARY[type(node.op)](_value(node.operand, names))
    if isinstance(node, ast.BinOp):
        return _combined(node.op, _value(node.left, names), _value(node.right, names))
    called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    if isinstance(node, ast.Call) and called in FUNCTIONS and called not in names and not node.keywords:
        return FUNCTIONS[called](*[_value(each, names) for each in node.args])
    raise NoNumberError


def _combined(op: ast.operator, left: Any, right: Any) -> Any:
    if type(op) not in BINARY:
        raise NoNumberError
    found = BINARY[type(op)](left, right)
    if abs(found) > LARGEST:
        raise NoNumberError
    return found
