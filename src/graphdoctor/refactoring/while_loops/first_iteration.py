"""`init if t == 0 else previous`: what a loop does at its first iteration alone, as what it begins with."""

import ast
import dataclasses

from graphdoctor.refactoring.while_loops.filled_lists import FilledList
from graphdoctor.refactoring.while_loops.loop_counts import Count, CountedLoop
from graphdoctor.refactoring.while_loops.loop_effects import python_tests
from graphdoctor.source.def_use import names_read
from graphdoctor.source.surroundings import stored_names

NAME, LIST = "t", "values"
# With the loop's counter as `t` and an empty list as `values`: true at the first iteration alone, or false.
TRUE_FIRST = ("t == 0", "not t", "t < 1", "not values", "len(values) == 0", "not len(values)", "values == []")
FALSE_FIRST = (
    "t > 0",
    "t != 0",
    "t",
    "t >= 1",
    "0 < t",
    "values",
    "len(values) > 0",
    "len(values)",
    "values != []",
)


@dataclasses.dataclass(frozen=True)
class FirstChoice:
    """The node that chooses, what is first, the name of what is later, and the name that an `if` sets."""

    node: ast.AST
    first: ast.expr
    later: str
    target: str = ""


def first_choices(loop: CountedLoop, count: Count, lists: list[FilledList]) -> list[FirstChoice] | None:
    """The choices between the first iteration and the others; None where a test asks for something else."""
    empty = {each.name for each in lists if not each.first}
    asked = {*stored_names(loop.body), *count.counters(loop), *(each.name for each in lists)}
    found = []
    for node, test in python_tests(loop):
        if not names_read(test) & asked or _asks_for_none(test):
            continue
        is_first = _is_first(test, count, empty)
        choice = _choice(node, is_first, count, empty) if is_first is not None else None
        if choice is None:
            return None
        found.append(choice)
    return found


def _asks_for_none(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and all(isinstance(each, ast.Is | ast.IsNot) for each in test.ops)


def _is_first(test: ast.expr, count: Count, empty: set[str]) -> bool | None:
    """Whether a test is true at the first iteration alone; False if at all others; None if neither."""
    names = {count.name: NAME} if count.start == "0" else {}
    names |= dict.fromkeys(empty, LIST)
    text = ast.unparse(_Renamed(names).visit(ast.parse(ast.unparse(test), mode="eval")))
    if text in TRUE_FIRST or text in FALSE_FIRST:
        return text in TRUE_FIRST
    return None


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(
            self.names.get(node.id, f"_{node.id}" if node.id in (NAME, LIST) else node.id), node.ctx
        )


def _choice(node: ast.AST, is_first: bool, count: Count, empty: set[str]) -> FirstChoice | None:
    ways, target = _ways(node)
    if len(ways) != 2:
        return None
    first, later = ways if is_first else ways[::-1]
    name = _previous(later, count, empty)
    if name is None or first.lineno != first.end_lineno:
        return None
    return FirstChoice(node, first, name, target)


def _ways(node: ast.AST) -> tuple[list[ast.expr], str]:
    """Both values that a conditional expression gives, or an `if` gives to one name."""
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse], ""
    blocks = [node.body, node.orelse] if isinstance(node, ast.If) else []
    only = [block[0] for block in blocks if len(block) == 1]
    given = [each for each in only if isinstance(each, ast.Assign) and len(each.targets) == 1]
    names = {ast.unparse(each.targets[0]) for each in given if isinstance(each.targets[0], ast.Name)}
    return ([each.value for each in given], names.pop()) if len(given) == 2 and len(names) == 1 else ([], "")


def _previous(node: ast.expr, count: Count, empty: set[str]) -> str | None:
    """The list whose last element is read, or the name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in empty:
        return node.value.id if ast.unparse(node.slice) in ("-1", f"{count.name} - 1") else None
    return None
