"""Lists that a loop fills, one element at each iteration: where they are made, filled and read."""

import ast
import dataclasses

from graphdoctor.refactoring.tensor_arrays.lists import Accumulator, accumulator_at
from graphdoctor.refactoring.while_loops.loop_counts import CountedLoop
from graphdoctor.source.def_use import exposed_reads
from graphdoctor.source.surroundings import Body, block_of, stored_names, value_given

Reads = list[ast.Name]


@dataclasses.dataclass(eq=False, slots=True)
class FilledList:
    """A list with what it begins with, the statement that makes it, and who reads it when."""

    accumulator: Accumulator
    made: ast.Assign | ast.AnnAssign
    first: list[ast.expr]
    inside: Reads
    after: Reads

    @property
    def name(self) -> str:
        """The name of the list."""
        return self.accumulator.name


def lists_of_iteration(body: Body, loop: CountedLoop) -> set[str]:
    """The names of the lists that each iteration makes for itself: nothing else can have filled them."""
    inner = set(ast.walk(loop))
    found = stored_names(loop.body) - exposed_reads(loop.body)
    return {
        name
        for name in found
        if all(
            each.node in inner and isinstance(each.node, ast.stmt) and _is_new(value_given(each.node, name))
            for each in body.scope.bindings.get(name, ())
        )
    }


def _is_new(value: ast.expr | None) -> bool:
    return isinstance(value, ast.List | ast.ListComp)


def filled_lists(body: Body, loop: CountedLoop, own: set[str]) -> list[FilledList] | None:
    """The lists that a loop fills once at each iteration; None where one is filled in another way.

    `own` are those that an iteration makes for itself.
    """
    found: list[FilledList] = []
    for node in ast.walk(loop):
        if _fills(body, node) and _filled_name(node) not in own:
            each = _filled_list(body, loop, node)
            if each is None or any(each.name == other.name for other in found):
                return None
            found.append(each)
    return found


def _fills(body: Body, node: ast.AST) -> bool:
    """Whether a node may put something into a list: `append`, or `+= […]`."""
    if isinstance(node, ast.AugAssign):
        return isinstance(node.value, ast.List)
    called = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(called, ast.Attribute)
        and called.attr in ("append", "extend", "insert")
        and isinstance(body.parents.get(node), ast.Expr)
    )


def _filled_name(node: ast.AST) -> str:
    """The name of the list that a node fills; empty where it has none."""
    filled = node.target if isinstance(node, ast.AugAssign) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        filled = node.func.value  # type: ignore[assignment]
    return filled.id if isinstance(filled, ast.Name) else ""


def _filled_list(body: Body, loop: CountedLoop, node: ast.AST) -> FilledList | None:
    found = accumulator_at(body, node)
    if found is None or found.filling not in loop.body:
        return None  # under a condition, or in an inner loop: not one element at each iteration
    first = found.created.elts if isinstance(found.created, ast.List) else []
    made = _made(body, loop, found)
    if made is None or any(isinstance(each, ast.Starred) for each in first):
        return None
    inner = {part for part in ast.walk(loop) if isinstance(part, ast.Name)}
    inside = [use for use in found.other_uses if use in inner]
    after = [use for use in found.other_uses if use not in inner]
    if any(use.lineno < loop.lineno for use in after):
        return None
    return FilledList(found, made, list(first), inside, after)


def _made(body: Body, loop: CountedLoop, found: Accumulator) -> ast.Assign | ast.AnnAssign | None:
    """The statement above the loop that makes the list, where nothing but a `with` is between the two."""
    inner: ast.stmt = loop
    while True:
        block = block_of(body.home, inner)
        above = block[: block.index(inner)] if inner in block else []
        for node in above:
            if isinstance(node, ast.Assign | ast.AnnAssign) and any(
                part is found.created for part in ast.walk(node)
            ):
                return node
        outer = body.parents.get(inner)
        if not isinstance(outer, ast.With):
            return None
        inner = outer
