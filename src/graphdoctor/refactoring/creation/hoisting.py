"""Move what is made in a loop to the line before the loop, when nothing in the loop is needed for it."""

import ast
import textwrap
from collections.abc import Iterator

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.function_flow import def_use_around, has_name
from graphdoctor.refactoring.syntax.resolving import class_around, method_of
from graphdoctor.source.def_use import CHANGING_METHODS, Kind, Use, names_bound, names_read
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import FunctionNode, Placed

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
MAKING = (ast.Call, ast.Lambda, ast.Attribute)
METRICS = ("tensorflow.keras.metrics.", "keras.metrics.", "tensorflow.metrics.")
# What is done with a metric that nobody keeps: all else may hold on to it.
TRANSIENT = (Use.METHOD, Use.ATTRIBUTE, Use.CALLED, Use.GIVEN)
LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def can_hoist(node: ast.AST, placed: Placed) -> bool:
    """Whether a node directly in the body of a loop uses nothing that the loop gives a value."""
    loop = placed.loops[0] if placed.loops else None
    if not isinstance(loop, ast.For | ast.While):
        return False
    if len(placed.loops) > 1 and not isinstance(placed.loops[-1], ast.For | ast.While):
        return False
    home = placed.scope.home
    return home is not None and not def_use_around(home, loop).varies_in(loop, node)


def hoist_statement(module: Module, node: FunctionNode | ast.stmt, placed: Placed) -> tuple[Edit, ...]:
    """Cut a statement, with its lines, out of the outermost loop; put it before the loop."""
    loop = placed.loops[0]
    assert isinstance(loop, ast.For | ast.While)
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    last = node.end_lineno or node.lineno
    indent = " " * loop.col_offset
    lines = module.text.splitlines(keepends=True)
    body = textwrap.dedent("".join(lines[first - 1 : last]))
    is_function = isinstance(node, FUNCTIONS)
    text = textwrap.indent(body.rstrip("\r\n"), indent) + ("\n\n" if is_function else "\n")
    first_blank = first - 1 if is_function and first > 1 and not lines[first - 2].strip() else first
    cut_to = last + 1
    return (
        module.insert(loop.lineno, 1, text),
        module.replace_stretch(first_blank, 1, cut_to, 1, ""),
    )


def hoist_call(module: Module, call: ast.Call, placed: Placed) -> tuple[Edit, ...]:
    """Give `tf.function(f)` a name before the outermost loop, and call it by that name."""
    loop = placed.loops[0]
    wrapped = call.args[0]
    short = wrapped.id if isinstance(wrapped, ast.Name) else "function"
    name = _free_name(f"graph_{short}", module)
    indent = " " * getattr(loop, "col_offset", 0)
    statement = f"{indent}{name} = {module.source_of(call)}\n"
    return (module.insert(getattr(loop, "lineno", 1), 1, statement), module.replace(call, name))


def _free_name(wish: str, module: Module) -> str:
    taken = {node.id for node in ast.walk(module.tree) if isinstance(node, ast.Name)}
    while wish in taken:
        wish += "_"
    return wish


def hoist_made(module: Module, node: ast.expr, wish: str) -> tuple[Edit, ...] | None:
    """The same for what an expression makes itself: a call, a lambda, a bound method."""
    return hoist_value(module, node, wish) if isinstance(node, MAKING) else None


def hoist_value(module: Module, node: ast.expr, wish: str) -> tuple[Edit, ...] | None:
    """Name an object before the loop that makes it for each call; None where it differs by iteration."""
    way = _ancestors(module, node)
    function = next((each for each in way if isinstance(each, FUNCTIONS)), None)
    inside = way[: way.index(function)] if function is not None else way
    loops = [each for each in inside if isinstance(each, LOOPS)]
    statements = [each for each in inside if isinstance(each, ast.stmt)]
    used = names_read(node)
    if not statements or any(_gives(module, loop, node) for loop in loops):
        return None
    name = wish
    while module.scope_at(node).lookup(name) is not None or name in used:
        name += "_"
    if loops:
        anchor = loops[-1] if isinstance(loops[-1], ast.stmt) else statements[-1]
        outer = [each for each in statements if each is anchor or _holds(each, anchor)]
        line, column = outer[0].lineno, outer[0].col_offset
        if module.lines[line - 1][:column].strip():
            return None
        return (module.insert(line, 1, _named(module, node, name, " " * column)), module.replace(node, name))
    if not isinstance(function, ast.FunctionDef):
        return None
    return _kept_by_its_object(module, node, wish, used) or _kept_by_its_module(module, node, way, name, used)


def hoist_making(module: Module, node: ast.AST) -> tuple[Edit, ...] | None:
    """Move the statement that makes something before the outermost loop; None where an iteration makes it.

    That is an assignment, a call such as `model.compile(…)`, or what a `for` in the loop goes over.
    """
    way = [node, *_ancestors(module, node)]
    function = next((each for each in way if isinstance(each, FUNCTIONS)), None)
    inside = way[: way.index(function)] if function is not None else way
    statement = next((each for each in inside if isinstance(each, ast.stmt)), None)
    loops = [each for each in inside if isinstance(each, ast.For | ast.While) and each is not statement]
    if statement is None or not loops:
        return None
    if isinstance(statement, ast.For):
        return hoist_value(module, statement.iter, "dataset")
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    name = target.id if isinstance(target, ast.Name) else None
    if not isinstance(statement, ast.Assign | ast.Expr) or (target is not None and name is None):
        return None
    outermost = loops[-1]
    uses = def_use_around(module, outermost)
    writes = [one for one in uses.of(name, Kind.WRITE) if outermost in one.loops] if name is not None else []
    if len(writes) > 1 or any(_gives(module, loop, statement) for loop in loops):
        return None
    if statement not in loops[0].body or len(loops[0].body) == 1:
        return None
    placed = Placed(statement, module.scope_at(statement), tuple(reversed(loops)), statement)
    return hoist_statement(module, statement, placed)


def hoist_compiling(module: Module, node: ast.AST) -> tuple[Edit, ...] | None:
    """Move the one `model.compile(…)` of the model that a node uses before the loop."""
    models = {ast.unparse(method.value) for method, _ in _methods_called(node)}
    found = [
        call
        for method, call in _methods_called(module.tree)
        if method.attr == "compile" and ast.unparse(method.value) in models
    ]
    return hoist_making(module, found[0]) if len(found) == 1 else None


def made_once_and_reset(module: Module, given: ast.AST) -> tuple[Edit, ...] | None:
    """A metric that each iteration makes again → one made before the loop, and reset at each iteration.

    None where anything may hold on to it: then it is another one for each iteration.
    """
    uses = def_use_around(module, given)
    writes = uses.of(given.id, Kind.WRITE) if isinstance(given, ast.Name) else []
    way = _ancestors(module, writes[0].node) if len(writes) == 1 else []
    statement = way[0] if way else None
    loops = writes[0].loops if writes else ()
    if not isinstance(given, ast.Name) or not isinstance(statement, ast.Assign) or not loops:
        return None
    call, outermost = statement.value, loops[0]
    if not isinstance(call, ast.Call) or statement.targets != [writes[0].node]:
        return None
    if not (dotted_name(call.func, module.scope_at(statement)) or "").startswith(METRICS):
        return None
    reads = uses.of(given.id, Kind.READ)
    kept = any(
        one.use not in TRANSIENT or (one.use is Use.GIVEN and one.method in CHANGING_METHODS) for one in reads
    )
    indent = module.lines[outermost.lineno - 1][: outermost.col_offset]
    if kept or indent.strip() or any(uses.varies_in(loop, call) for loop in loops):
        return None
    return (
        module.insert(outermost.lineno, 1, f"{indent}{module.source_of(statement)}\n"),
        module.replace(statement, f"{given.id}.reset_state()"),
    )


def _methods_called(node: ast.AST) -> Iterator[tuple[ast.Attribute, ast.Call]]:
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            yield call.func, call


def _ancestors(module: Module, node: ast.AST) -> list[ast.AST]:
    """What stands around a node, the innermost first."""
    parents = {child: each for each in ast.walk(module.tree) for child in ast.iter_child_nodes(each)}
    found: list[ast.AST] = []
    current = parents.get(node)
    while current is not None:
        found.append(current)
        current = parents.get(current)
    return found


def _holds(outer: ast.AST, inner: ast.AST) -> bool:
    return any(part is inner for part in ast.walk(outer))


def _gives(module: Module, loop: ast.AST, node: ast.AST) -> bool:
    """Whether a loop or comprehension gives something in it other values at each iteration."""
    if isinstance(loop, ast.For | ast.While):
        return def_use_around(module, loop).varies_in(loop, node)
    targets = (names_bound(each.target) for each in getattr(loop, "generators", []))
    return not names_read(node).isdisjoint(name for each in targets for name in each)


def _named(module: Module, node: ast.expr, name: str, indent: str) -> str:
    """The statement that gives a value a name; a lambda becomes a function."""
    if isinstance(node, ast.Lambda):
        arguments = module.source_of(node).removeprefix("lambda").partition(":")[0].strip()
        plain = not node.args.defaults and not node.args.kw_defaults
        if plain:
            body = module.source_of(node.body)
            between = "\n\n" if not indent else "\n"
            return f"{indent}def {name}({arguments}):\n{indent}    return {body}\n{between}"
    return f"{indent}{name} = {module.source_of(node)}\n"


def _kept_by_its_object(module: Module, node: ast.expr, wish: str, used: set[str]) -> tuple[Edit, ...] | None:
    """`self.step` → `self._step`, which `__init__` reads once."""
    owner = class_around(module.scope_at(node))
    init = method_of(owner, "__init__") if owner is not None else None
    name = f"_kept_{wish.lstrip('_')}"
    if used != {"self"} or not isinstance(init, ast.FunctionDef) or has_name(module, name):
        return None
    last = init.body[-1]
    indent = " " * last.col_offset
    text = f"{indent}self.{name} = {module.source_of(node)}\n"
    return (module.insert_after(last.end_lineno or last.lineno, text), module.replace(node, f"self.{name}"))


def _kept_by_its_module(
    module: Module, node: ast.expr, way: list[ast.AST], name: str, used: set[str]
) -> tuple[Edit, ...] | None:
    """A name at the top of the file, for what is made of names from there."""
    top = way[-2] if len(way) > 1 else None
    scope = module.scope_at(node)
    found = [scope.lookup(each) for each in used]
    at_top = all(each is None or isinstance(each[0].node, ast.Module) for each in found)
    if not at_top or not isinstance(top, ast.FunctionDef | ast.ClassDef):
        return None
    defined = [binding.node for each in found if each is not None for binding in each[1]]
    line = min([top.lineno, *(each.lineno for each in top.decorator_list)])
    if any(getattr(each, "lineno", 0) > line for each in defined):
        return None
    return (module.insert(line, 1, _named(module, node, name, "") + "\n\n"), module.replace(node, name))
