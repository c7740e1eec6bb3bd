"""A script's text and a function's name → the statements that `explain` has to run: no training.

What a function needs are the names that it reads, what they were made of, and what was set up on them
before the program first ran the function. What comes after that, such as another `model`, it never saw.
"""

import ast
import builtins
import symtable
from collections.abc import Iterable, Iterator
from typing import NamedTuple

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
# These train, evaluate or save what was made before; they make nothing that a trace would read.
RUNS = {
    "fit",
    "evaluate",
    "predict",
    "train_on_batch",
    "test_on_batch",
    "predict_on_batch",
    "save",
    "summary",
}
# These prepare a model; other methods of an object may run what is asked for.
PREPARES = {"add", "adapt", "build", "compile", "load_weights", "set_weights"}


class Needed(NamedTuple):
    """The module to run, and the lines of those statements that are left out."""

    tree: ast.Module
    skipped: tuple[tuple[int, int], ...]


def needed_statements(text: str, name: str, given: Iterable[str] = ()) -> Needed | None:
    """What to run for one name of a script, and for expressions that the user gave; None: everything."""
    tree = ast.parse(text)
    defined = next((at for at, one in enumerate(tree.body) if name in _bound(one)), None)
    if defined is None or any(_is_star(one) for one in tree.body):
        return None
    first = _first_use(tree.body, name, defined)
    wanted = set().union(*(_names_in(one) for one in given))
    kept = _closure(tree.body, first, wanted | {name})
    left = [one for at, one in enumerate(tree.body) if at not in kept and not _is_text(one)]
    body = [one for at, one in enumerate(tree.body) if at in kept or _is_text(one)]
    return Needed(ast.Module(body, tree.type_ignores), tuple(_lines(left)))


def _closure(body: list[ast.stmt], first: int, wanted: set[str]) -> set[int]:
    """The statements that bind, or set up, what is wanted before `first`, and all that these want."""
    kept = {at for at, one in enumerate(body) if isinstance(one, IMPORTS)}
    modules = {each for at in kept for each in _bound(body[at])}
    while True:
        more = {
            at
            for at, one in enumerate(body[:first])
            if at not in kept and (_bound(one) & wanted or _sets_up(one, wanted | modules))
        }
        missing = wanted - modules - set().union(*(_bound(one) for one in body[:first]))
        later = (
            next((at for at in range(first, len(body)) if name in _bound(body[at])), None) for name in missing
        )
        more |= {at for at in later if at is not None and at not in kept}
        if not more:
            return kept
        kept |= more
        wanted = wanted.union(*(_read(body[at]) for at in more))


def _first_use(body: list[ast.stmt], name: str, defined: int) -> int:
    """The first statement that runs the function, itself or through functions that it calls."""
    runners = {name}
    while more := {
        one.name
        for one in body
        if isinstance(one, DEFINITIONS) and one.name not in runners and _read(one) & runners
    }:
        runners |= more
    for at, one in enumerate(body):
        later = at > defined and not isinstance(one, (*DEFINITIONS, *IMPORTS)) and not _is_main(one)
        if later and _read(one) & runners and not _prepares(one):
            return at
    return len(body)


def _sets_up(statement: ast.stmt, wanted: set[str]) -> bool:
    """Whether it changes something wanted: `model.add(…)`, `config["rate"] = 1`, `tf.random.set_seed(1)`."""
    if isinstance(statement, ast.Expr):
        call = statement.value
        name = call.func if isinstance(call, ast.Call) else None
        return isinstance(name, ast.Attribute) and name.attr not in RUNS and _root(name) in wanted
    targets = [each for each in ast.walk(statement) if isinstance(each, ast.Attribute | ast.Subscript)]
    return any(isinstance(each.ctx, ast.Store) and _root(each) in wanted for each in targets) or (
        isinstance(statement, ast.For | ast.With | ast.If)
        and any(_sets_up(one, wanted) for one in statement.body)
    )


def _bound(statement: ast.stmt) -> set[str]:
    """The names of the module that a statement binds."""
    if isinstance(statement, DEFINITIONS):
        return {statement.name}
    if isinstance(statement, IMPORTS):
        return {(each.asname or each.name).partition(".")[0] for each in statement.names}
    if _is_main(statement):
        return set()
    inner = {node for part in ast.walk(statement) if isinstance(part, DEFINITIONS) for node in ast.walk(part)}
    names = {
        n.id
        for n in ast.walk(statement)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n not in inner
    }
    parts = (
        part
        for part in ast.walk(statement)
        if isinstance(part, (*DEFINITIONS, *IMPORTS)) and part not in inner
    )
    return names.union(*(_bound(part) for part in parts))


def _read(tree: ast.AST) -> set[str]:
    """The names of the module that code reads, when it is defined, run or called."""
    tables = [symtable.symtable(ast.unparse(tree), "", "exec")]
    for table in tables:
        tables += table.get_children()
    found = {one.get_name() for table in tables for one in table.get_symbols() if _is_outer(table, one)}
    return found - vars(builtins).keys()


def _is_outer(table: symtable.SymbolTable, symbol: symtable.Symbol) -> bool:
    if symbol.is_declared_global():  # `counter += 1` only assigns, says the table
        return True
    return symbol.is_referenced() and (table.get_type() == "module" or symbol.is_global())


def _names_in(expression: str) -> set[str]:
    try:
        return _read(ast.parse(expression, mode="eval"))
    except SyntaxError:  # which is said when it is evaluated
        return set()


def _prepares(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    name = call.func if isinstance(call, ast.Call) else None
    return isinstance(name, ast.Attribute) and name.attr in PREPARES


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _is_star(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and any(each.name == "*" for each in statement.names)


def _is_main(statement: ast.stmt) -> bool:
    """`if __name__ == "__main__":`, which is not run when a file is imported."""
    return isinstance(statement, ast.If) and "__name__" in _read(statement.test)


def _is_text(statement: ast.stmt) -> bool:
    """A docstring or a comparable expression without effect, and what an import does not run."""
    return _is_main(statement) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _lines(statements: list[ast.stmt]) -> Iterator[tuple[int, int]]:
    """The lines of statements; those on neighbouring lines are one range."""
    first = last = 0
    for one in statements:
        if isinstance(one, DEFINITIONS):
            continue
        if last and one.lineno > last + 1:
            yield first, last
        first = one.lineno if not last or one.lineno > last + 1 else first
        last = one.end_lineno or one.lineno
    if last:
        yield first, last
