"""Move what is made in a loop to the line before the loop, when nothing in the loop is needed for it."""

import ast
import textwrap
from collections.abc import Iterator, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.statements import insert_lines_after
from graphdoctor.source.calls import called_name
from graphdoctor.source.def_use import CHANGING_METHODS, Kind, Use, names_bound, names_read, place_of
from graphdoctor.source.module import Module
from graphdoctor.source.resolving import class_around, def_use_around, has_name, init_of
from graphdoctor.source.scopes import Placed
from graphdoctor.source.surroundings import (
    around,
    first_line,
    indent_of,
    last_line,
    name_given,
    statement_around,
)

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
MAKING = (ast.Call, ast.Lambda, ast.Attribute)
METRICS = ("tensorflow.keras.metrics.", "keras.metrics.", "tensorflow.metrics.")
# What is done with a metric that nobody keeps: all else may hold on to it.
TRANSIENT = (Use.METHOD, Use.ATTRIBUTE, Use.CALLED, Use.GIVEN)
LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
Edits = tuple[Edit, ...]


def can_hoist(node: ast.AST, placed: Placed) -> bool:
    """Whether a node directly in the body of a loop uses nothing that the loop gives a value."""
    loop = placed.loops[0] if placed.loops else None
    if not isinstance(loop, ast.For | ast.While) or not isinstance(placed.loops[-1], ast.For | ast.While):
        return False
    home = placed.scope.home
    return home is not None and not def_use_around(home, loop).varies_in(loop, node)


def hoist_statement(module: Module, node: ast.AST, loop: ast.AST) -> Edits:
    """Cut a statement, with its lines, out of a loop; put it before the loop."""
    first, last = first_line(node), last_line(node)
    lines = module.text.splitlines(keepends=True)
    is_function = isinstance(node, FUNCTIONS)
    body = textwrap.dedent("".join(lines[first - 1 : last])).rstrip("\r\n")
    text = textwrap.indent(body, " " * getattr(loop, "col_offset", 0)) + ("\n\n" if is_function else "\n")
    first -= is_function and first > 1 and not lines[first - 2].strip()
    cut = module.replace_stretch(first, 1, last + 1, 1, "")
    return module.insert(getattr(loop, "lineno", 1), 1, text), cut


def hoist_call(module: Module, call: ast.Call, placed: Placed) -> Edits:
    """Give `tf.function(f)` a name before the outermost loop, and call it by that name."""
    loop, wrapped = placed.loops[0], call.args[0]
    name = f"graph_{wrapped.id if isinstance(wrapped, ast.Name) else 'function'}"
    while has_name(module, name):
        name += "_"
    statement = f"{' ' * getattr(loop, 'col_offset', 0)}{name} = {module.source_of(call)}\n"
    return module.insert(getattr(loop, "lineno", 1), 1, statement), module.replace(call, name)


def hoist_made(module: Module, node: ast.expr, wish: str) -> Edits | None:
    """The same for what an expression makes itself: a call, a lambda, a bound method."""
    return hoist_value(module, node, wish) if isinstance(node, MAKING) else None


def hoist_value(module: Module, node: ast.expr, wish: str) -> Edits | None:
    """Name an object before the loop that makes it for each call; None where it differs by iteration."""
    inside, function = _inside(module, node)
    loops = [each for each in inside if isinstance(each, LOOPS)]
    statements = [each for each in inside if isinstance(each, ast.stmt)]
    used, scope, name = names_read(node), module.scope_at(node), wish
    if not statements or any(_gives(module, loop, node) for loop in loops):
        return None
    while scope.lookup(name) is not None or name in used:
        name += "_"
    if loops:
        anchor = loops[-1] if isinstance(loops[-1], ast.stmt) else statements[-1]
        indent = indent_of(module, anchor)
        made = _named(module, node, name, indent) if indent is not None else None
        return (module.insert(anchor.lineno, 1, made), module.replace(node, name)) if made else None
    if not isinstance(function, ast.FunctionDef):
        return None
    return _kept_by_its_object(module, node, wish, used) or _kept_by_its_module(module, node, name, used)


def hoist_making(module: Module, node: ast.AST) -> Edits | None:
    """Move the statement that makes something before the outermost loop; None where it differs by iteration.

    That is an assignment, a call such as `model.compile(…)`, or what a `for` in the loop goes over.
    """
    inside = [node, *_inside(module, node)[0]]
    statement = next((each for each in inside if isinstance(each, ast.stmt)), None)
    loops = [each for each in inside if isinstance(each, ast.For | ast.While) and each is not statement]
    name = name_given(statement)
    if statement is None or not loops:
        return None
    if isinstance(statement, ast.For):
        return hoist_value(module, statement.iter, "dataset")
    if not isinstance(statement, ast.Expr) and not name:
        return None
    written = def_use_around(module, loops[-1]).of(name, Kind.WRITE)
    several = sum(loops[-1] in one.loops for one in written) > 1
    alone = loops[0].body == [statement] or statement not in loops[0].body
    if several or alone or any(_gives(module, loop, statement) for loop in loops):
        return None
    return hoist_statement(module, statement, loops[-1])


def hoist_compiling(module: Module, node: ast.AST) -> Edits | None:
    """Move the one `model.compile(…)` of the model that a node uses before the loop."""
    models = {place_of(method.value) for method, _ in _methods_called(node)}
    called = _methods_called(module.tree)
    found = [call for method, call in called if method.attr == "compile" and place_of(method.value) in models]
    return hoist_making(module, found[0]) if len(found) == 1 else None


def made_once_and_reset(module: Module, given: ast.AST) -> Edits | None:
    """A metric that each iteration makes again → one made before the loop, and reset at each iteration.

    None where anything may hold on to it: then it is another one for each iteration.
    """
    name = place_of(given) if isinstance(given, ast.Name) else ""
    uses = def_use_around(module, given)
    writes = uses.of(name, Kind.WRITE)
    statement = statement_around(module, writes[0].node) if len(writes) == 1 else None
    loops = writes[0].loops if writes else ()
    call = statement.value if isinstance(statement, ast.Assign) else None
    if statement is None or call is None or name_given(statement, call) != name or not loops:
        return None
    if not called_name(call, module.scope_at(statement)).startswith(METRICS):
        return None
    kept = any(
        one.use not in TRANSIENT or (one.use is Use.GIVEN and one.method in CHANGING_METHODS)
        for one in uses.of(name, Kind.READ)
    )
    indent = indent_of(module, loops[0])
    if kept or indent is None or any(uses.varies_in(loop, call) for loop in loops):
        return None
    made = module.insert(loops[0].lineno, 1, f"{indent}{module.source_of(statement)}\n")
    return made, module.replace(statement, f"{name}.reset_state()")


def _methods_called(node: ast.AST) -> Iterator[tuple[ast.Attribute, ast.Call]]:
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            yield call.func, call


def _inside(module: Module, node: ast.AST) -> tuple[Sequence[ast.AST], ast.AST | None]:
    """What stands around a node within its function, the innermost first, and that function."""
    found: list[ast.AST] = []
    for outer in around(module, node):
        if isinstance(outer, FUNCTIONS):
            return found, outer
        found.append(outer)
    return found, None


def _gives(module: Module, loop: ast.AST, node: ast.AST) -> bool:
    """Whether a loop or comprehension gives something in it other values at each iteration."""
    if isinstance(loop, ast.For | ast.While):
        return def_use_around(module, loop).varies_in(loop, node)
    targets = (names_bound(each.target) for each in getattr(loop, "generators", []))
    return not names_read(node).isdisjoint(name for each in targets for name in each)


def _named(module: Module, node: ast.expr, name: str, indent: str) -> str:
    """The statement that gives a value a name; a lambda becomes a function."""
    if isinstance(node, ast.Lambda) and not node.args.defaults and not node.args.kw_defaults:
        arguments = module.source_of(node).removeprefix("lambda").partition(":")[0].strip()
        end = "\n" if indent else "\n\n"
        return f"{indent}def {name}({arguments}):\n{indent}    return {module.source_of(node.body)}\n{end}"
    return f"{indent}{name} = {module.source_of(node)}\n"


def _kept_by_its_object(module: Module, node: ast.expr, wish: str, used: set[str]) -> Edits | None:
    """`self.step` → `self._step`, which `__init__` reads once."""
    init, name = init_of(class_around(module.scope_at(node))), f"_kept_{wish.lstrip('_')}"
    if used != {"self"} or init is None or has_name(module, name):
        return None
    kept = insert_lines_after(module, init.body[-1], f"self.{name} = {module.source_of(node)}")
    return (kept, module.replace(node, f"self.{name}")) if kept is not None else None


def _kept_by_its_module(module: Module, node: ast.expr, name: str, used: set[str]) -> Edits | None:
    """A name at the top of the file, for what is made of names from there."""
    top, scope = [*around(module, node)][-2], module.scope_at(node)
    found = [bound for each in used if (bound := scope.lookup(each)) is not None]
    at_top = all(isinstance(home.node, ast.Module) for home, _ in found)
    if not at_top or not isinstance(top, ast.FunctionDef | ast.ClassDef):
        return None
    line = first_line(top)
    if any(getattr(binding.node, "lineno", 0) > line for _, bindings in found for binding in bindings):
        return None
    return module.insert(line, 1, _named(module, node, name, "") + "\n\n"), module.replace(node, name)
