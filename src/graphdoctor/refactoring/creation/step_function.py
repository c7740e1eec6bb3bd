"""A training step that is written in a loop → a graph function of its own, made before the loops."""

import ast
from collections.abc import Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.refactoring.syntax.loops import Loop, outermost_loop
from graphdoctor.source.def_use import Kind, accesses_in, def_use_of, exposed_reads
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name

NAMES = ("train_step", "training_step", "graph_step")
TAPE = "tensorflow.GradientTape"
# What does not belong into a graph: it would be done once, or needs a value.
OUTSIDE = {f"builtins.{name}" for name in ("print", "float", "int", "bool", "str", "input", "open", "next")}
LEAVING = (
    ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal,
    ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef,
)  # fmt: skip
CHANGING = (Kind.WRITE, Kind.CHANGE, Kind.DELETE)


def own_function(module: Module, loop: Loop, options: str = "") -> tuple[Edit, ...] | None:
    """The step as a `tf.function` with these options, called where it stood.

    Its parameters are what the iterations give it; None where it does what a graph cannot, or where it
    cannot be taken out as whole lines.
    """
    scope = module.scope_at(loop)
    found, step = tensorflow_at(module, scope), _step_in(module, loop)
    name = next((one for one in NAMES if scope.lookup(one) is None), None)
    if found is None or step is None or name is None or not _is_movable(module, step):
        return None
    tensorflow, imports = found
    outermost = outermost_loop(module, loop)
    given, returned = _given(step, outermost), _returned(module, step, outermost)
    if _tapes(step[0]) & set(returned):
        return None
    made = module.lines[outermost.lineno - 1][: outermost.col_offset]
    inside = module.lines[step[0].lineno - 1][: step[0].col_offset]
    lines = [f"@{tensorflow}.function{options}", f"def {name}({', '.join(given)}):"]
    text = "".join(f"{made}{line}\n" for line in lines)
    for line in module.lines[step[0].lineno - 1 : step[-1].end_lineno]:
        moved = f"{made}    {line[len(inside) :]}" if line.startswith(inside) else line
        text += f"{moved.rstrip()}\n"
    text += f"{made}    return {', '.join(returned)}\n" if returned else ""
    apart = "\n" if made else "\n\n"
    before = apart if module.lines[outermost.lineno - 2 : outermost.lineno - 1] not in ([], [""]) else ""
    called = f"{', '.join(returned)} = " if returned else ""
    call = f"{inside}{called}{name}({', '.join(given)})\n"
    return (
        module.insert(outermost.lineno, 1, f"{before}{text}{apart}"),
        module.replace_lines(step[0].lineno, step[-1].end_lineno or step[-1].lineno, call),
        *imports,
    )


def _step_in(module: Module, loop: Loop) -> list[ast.stmt] | None:
    """The statements from the tape to the last one that uses its gradients; None without one tape."""
    tapes = [index for index, each in enumerate(loop.body) if _is_tape(module, each)]
    if len(tapes) != 1:
        return None
    first = last = tapes[0]
    derived = _tapes(loop.body[first])
    for index in range(first + 1, len(loop.body)):
        if any(_is_outside_graphs(module, node) for node in ast.walk(loop.body[index])):
            break
        accesses = accesses_in(loop.body[index])
        if any(one.kind is Kind.READ and one.place in derived for one in accesses):
            derived |= {one.place for one in accesses if one.kind is Kind.WRITE}
            last = index
    step: list[ast.stmt] = loop.body[first : last + 1]
    return step


def _tapes(statement: ast.stmt) -> set[str]:
    """The names under which a `with` opens something."""
    items = statement.items if isinstance(statement, ast.With) else []
    return {item.optional_vars.id for item in items if isinstance(item.optional_vars, ast.Name)}


def _is_tape(module: Module, statement: ast.stmt) -> bool:
    return isinstance(statement, ast.With) and any(
        isinstance(item.context_expr, ast.Call)
        and dotted_name(item.context_expr.func, module.scope_at(item.context_expr)) == TAPE
        for item in statement.items
    )


def _is_movable(module: Module, step: Sequence[ast.stmt]) -> bool:
    """Whether the step is whole lines, and changes nothing of Python's but names."""
    first, last = step[0], step[-1]
    before = module.lines[first.lineno - 1][: first.col_offset]
    if before.strip() or not before:
        return False
    for node in (inner for each in step for inner in ast.walk(each)):
        if isinstance(node, LEAVING) or _is_outside_graphs(module, node):
            return False
        if isinstance(node, ast.Constant) and node.lineno != node.end_lineno:  # its lines are no code
            return False
    changed = [one for each in step for one in accesses_in(each) if one.kind in CHANGING]
    if any(one.kind is not Kind.WRITE or not one.place.isidentifier() for one in changed):
        return False
    return module.lines[(last.end_lineno or 1) - 1][last.end_col_offset or 0 :].strip()[:1] in ("", "#")


def _is_outside_graphs(module: Module, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and dotted_name(node.func, module.scope_at(node)) in OUTSIDE


def _given(step: Sequence[ast.stmt], outermost: Loop) -> list[str]:
    """What the step reads and an iteration gives it, in the order of the text."""
    written = {one.place for one in accesses_in(outermost) if one.kind is Kind.WRITE}
    return [name for name in _names(step) if name in written & exposed_reads(step)]


def _returned(module: Module, step: Sequence[ast.stmt], outermost: Loop) -> list[str]:
    """What the step sets and the program reads behind it."""
    owner = module.scope_at(outermost).node
    flow = def_use_of(owner if owner is not None else module.tree)
    written = {one.place for each in step for one in accesses_in(each) if one.kind is Kind.WRITE}
    return [name for name in _names(step) if name in written and flow.reads_after(step[-1], name)]


def _names(step: Sequence[ast.stmt]) -> list[str]:
    """The names of the step in the order of the text, each once."""
    found = [node for each in step for node in ast.walk(each) if isinstance(node, ast.Name)]
    return list(dict.fromkeys(n.id for n in sorted(found, key=lambda n: (n.lineno, n.col_offset))))
