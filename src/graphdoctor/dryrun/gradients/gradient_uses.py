"""How the program uses the gradients of a tape: compared with None, only printed, or anything else."""

import ast
from collections.abc import Iterator

from graphdoctor.source.nodes import spelled, walk
from graphdoctor.source.remembering import remembered

CHECKED, SHOWN_ONLY, BESIDE_OTHERS = "checked", "shown", "compared"
SHOWING = ("print", "tf.print", "pprint", "display")
LOGGING = ("debug", "info", "warning", "error", "log")
TESTS_FOR_NONE = ("assertIsNone", "is_none")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@remembered(1024)
def use_of_gradient(answer: ast.AST, around: ast.AST, tree: ast.AST) -> str:
    """`checked`: a condition asks whether it is None · `shown`: nothing but a message gets it · empty.

    `around` is the function or module in which a tape is asked, in the file `tree`. An assertion that it is
    not None expects a gradient, and is no such question; a function that it is handed to may ask.
    """
    statement = _statement_of(answer, around)
    if statement is None:
        return ""
    if any(answer in walk(each) for each in _given_to_askers(statement, tree)):
        return CHECKED
    if not isinstance(statement, ast.Assign):
        inside = isinstance(statement, ast.Expr) and _is_shown(answer, statement)
        return SHOWN_ONLY if inside else ""
    if statement.value is not answer:
        return ""
    names = {part.id for target in statement.targets for part in walk(target) if isinstance(part, ast.Name)}
    if any(isinstance(part, (ast.Attribute, ast.Subscript)) for t in statement.targets for part in walk(t)):
        return ""
    derived = names | set(_loop_names(around, names))
    if any(_asks_for_none(node, derived) for node in walk(around)) or _expects_none(around, derived):
        return CHECKED
    if any(_mentions(each, names) for each in _given_to_askers(around, tree)):
        return CHECKED
    named = [n for n in walk(around) if isinstance(n, ast.Name) and n.id in names]
    uses = [n for n in named if isinstance(n.ctx, ast.Load)]
    return SHOWN_ONLY if all(_is_shown_somewhere(use, around) for use in uses) else ""


def _given_to_askers(around: ast.AST, tree: ast.AST) -> Iterator[ast.expr]:
    """What functions of the file are given that ask whether something is None."""
    askers = _askers(tree)
    for node in walk(around) if askers else ():
        if isinstance(node, ast.Call) and spelled(node.func).rpartition(".")[2] in askers:
            yield from node.args


@remembered(64)
def _askers(tree: ast.AST) -> frozenset[str]:
    """The functions that ask for None of what they are given, or of the parts of it."""
    return frozenset(
        node.name for node in walk(tree) if isinstance(node, ast.FunctionDef) and _asks_about_given(node)
    )


def _asks_about_given(function: ast.FunctionDef) -> bool:
    parts = set(_loop_names(function, {each.arg for each in function.args.args}))
    return any(_asks_for_none(node, parts) for node in walk(function))


def _statement_of(answer: ast.AST, around: ast.AST) -> ast.stmt | None:
    """The innermost statement around an expression."""
    found, line = None, getattr(answer, "lineno", 0)
    for node in walk(around):
        near = isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or line)
        if near and not isinstance(node, FUNCTIONS) and answer in walk(node):
            found = node
    return found  # type: ignore[return-value]


def _loop_names(around: ast.AST, names: set[str]) -> Iterator[str]:
    """The names that loops over the answers give to each of them."""
    for node in walk(around):
        if isinstance(node, (ast.For, ast.comprehension)) and _mentions(node.iter, names):
            yield from (part.id for part in walk(node.target) if isinstance(part, ast.Name))


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for part in walk(node))


def _asks_for_none(node: ast.AST, names: set[str]) -> bool:
    """`if g is None`, `if g is not None`, `None in gradients`; not `assert g is not None`."""
    tests: list[ast.expr] = []
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        tests = [node.test]
    elif isinstance(node, ast.comprehension):
        tests = node.ifs
    return any(_compares(part, names) for test in tests for part in walk(test))


def _compares(node: ast.AST, names: set[str]) -> bool:
    if not isinstance(node, ast.Compare) or len(node.comparators) != 1:
        return False
    sides = (node.left, node.comparators[0])
    none = any(isinstance(side, ast.Constant) and side.value is None for side in sides)
    return none and any(_mentions(side, names) for side in sides)


def _expects_none(around: ast.AST, names: set[str]) -> bool:
    """`assert g is None`, `self.assertIsNone(g)`."""
    for node in walk(around):
        if isinstance(node, ast.Assert):
            compared = [part for part in walk(node.test) if _compares(part, names)]
            if any(isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.Is) for part in compared):
                return True
        if isinstance(node, ast.Call) and spelled(node.func).rpartition(".")[2] in TESTS_FOR_NONE:
            return any(_mentions(argument, names) for argument in node.args)
    return False


def _is_shown_somewhere(use: ast.AST, around: ast.AST) -> bool:
    return any(_is_shown(use, node) for node in walk(around) if isinstance(node, ast.Expr))


def _is_shown(part: ast.AST, statement: ast.Expr) -> bool:
    """Whether an expression is part of what a message shows, or is what a cell of a notebook does."""
    call = statement.value
    if part is call or (isinstance(call, ast.Tuple) and part in call.elts):
        return True
    if not isinstance(call, ast.Call) or part not in walk(call):
        return False
    name = spelled(call.func)
    return name in SHOWING or ("log" in name and name.rpartition(".")[2] in LOGGING)
