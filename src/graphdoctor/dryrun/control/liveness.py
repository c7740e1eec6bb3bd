"""Whether a name is still read after a statement: AutoGraph asks the same before it complains."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.source.nodes import walk
from graphdoctor.source.remembering import remembered

# What the code after a place does first with a name; ENDS: it sets it, or the way ends there.
READS, ENDS, NEITHER = "reads", "ends", ""
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def is_read_later(machine: Machine, name: str, after: ast.stmt) -> bool:
    """Whether a name may be read after a statement, before it is set again."""
    function = machine.activation.function
    body: ast.AST = function.node if function is not None else machine.module.syntax.tree
    parents = _parents(body)
    inner: ast.AST = after
    while inner in parents:
        outer, following = parents[inner]
        found = _in_order(following, name)
        if found == NEITHER and isinstance(outer, (ast.For, ast.While, ast.AsyncFor)):
            again = _loop_again(outer, name)
            if again == READS:
                return True
        if found:
            return found == READS
        inner = outer
    return False


def is_handed_on(machine: Machine, name: str, loop: ast.For | ast.While) -> bool:
    """Whether a loop hands a name on, to its next iteration or to the code after it."""
    return _loop_again(loop, name) == READS or is_read_later(machine, name, loop)


@remembered(512)
def _parents(body: ast.AST) -> dict[ast.AST, tuple[ast.AST, tuple[ast.AST, ...]]]:
    """For each statement, handler and case: what it stands in, and what follows it there."""
    found: dict[ast.AST, tuple[ast.AST, tuple[ast.AST, ...]]] = {}
    todo: list[ast.AST] = [body]
    while todo:
        outer = todo.pop()
        for field in BLOCKS:
            block = getattr(outer, field, None)
            if not isinstance(block, list):
                continue
            for position, inner in enumerate(block):
                plain = field not in ("handlers", "cases")
                rest = tuple(block[position + 1 :]) if plain else ()
                if isinstance(outer, ast.Try) and field != "finalbody":
                    rest = (*rest, *outer.finalbody)
                found[inner] = (outer, rest)
                if not isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    todo.append(inner)
    return found


def _loop_again(loop: ast.For | ast.While | ast.AsyncFor, name: str) -> str:
    """What the next iteration does with a name."""
    if isinstance(loop, ast.While):
        return _reading(loop.test, name) or _in_order(loop.body, name)
    return _sets(loop.target, name) or _in_order(loop.body, name)


def _in_order(statements: Iterable[ast.AST], name: str) -> str:
    for statement in statements:
        found = _first_use(statement, name)
        if found:
            return found
    return NEITHER


def _first_use(node: ast.AST, name: str) -> str:
    """What a statement does first with a name, over all ways through it."""
    if isinstance(node, ast.If):
        return _reading(node.test, name) or _on_all_ways([node.body, node.orelse], name)
    if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
        start = node.test if isinstance(node, ast.While) else node.iter
        inner = NEITHER if isinstance(node, ast.While) else _sets(node.target, name)
        found = _reading(start, name) or inner or _in_order(node.body, name)
        return READS if READS in (found, _in_order(node.orelse, name)) else NEITHER
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return _in_order([item.context_expr for item in node.items], name) or _in_order(node.body, name)
    if isinstance(node, ast.Try):
        blocks = [node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody]
        return READS if READS in [_in_order(block, name) for block in blocks] else NEITHER
    if isinstance(node, ast.Match):
        blocks = [case.body for case in node.cases]
        return _reading(node.subject, name) or _on_all_ways([*blocks, []], name)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return _reading(node, name) or (ENDS if node.name == name else NEITHER)
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
        return READS
    ends = isinstance(node, (ast.Return, ast.Raise)) or _sets(node, name)
    return _reading(node, name) or (ENDS if ends else NEITHER)


def _on_all_ways(blocks: list[list[ast.stmt]], name: str) -> str:
    found = [_in_order(block, name) for block in blocks]
    return READS if READS in found else NEITHER if NEITHER in found else ENDS


def _reading(node: ast.AST, name: str) -> str:
    return READS if name in _names(node)[0] else NEITHER


def _sets(node: ast.AST, name: str) -> str:
    return ENDS if name in _names(node)[1] else NEITHER


@remembered(20_000)
def _names(node: ast.AST) -> tuple[frozenset[str], frozenset[str]]:
    """The names that are read, and those that are set, anywhere in a node."""
    names = [part for part in walk(node) if isinstance(part, ast.Name)]
    return (
        frozenset(part.id for part in names if isinstance(part.ctx, ast.Load)),
        frozenset(part.id for part in names if not isinstance(part.ctx, ast.Load)),
    )
