"""What only the text of the program tells: NumPy calls, which leave no trace, and rebound names."""

import ast
import dataclasses
import inspect
import linecache
from collections.abc import Iterator
from types import FrameType, FunctionType, ModuleType
from typing import Any

from graphdoctor.observer.gradients.operations import READS, CodeLine, Key, Operation
from graphdoctor.observer.gradients.places import Here
from graphdoctor.observer.gradients.reasons import Explainer, Reason, Source
from graphdoctor.observer.user_code.ownership import is_library

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
KEEPING = ("append", "extend", "insert", "add")
DEEPEST = 4  # `w = decay * w + (1 - decay) * new` is two operations away from the variable


def refine(explainer: Explainer, source: Source, reason: Reason, here: Here, was_variable: bool) -> Reason:
    """The reason, made more exact by the text of the program around it."""
    if reason.kind == "not-watched" and not source.variable:
        place = _rebound(explainer, source, here, was_variable)
        if place is not None:
            return dataclasses.replace(reason, kind="rebound", place=place, operation="")
    if reason.kind in ("unused", "dtype", "outside") and reason.place is None:
        found = _numpy_call(explainer, source, here)
        if found is not None:
            place, call = found
            return dataclasses.replace(reason, kind="left", place=place, operation="", detail=call)
    return reason


def value_is_kept(place: CodeLine | None, opened: CodeLine | None = None) -> bool:
    """Whether what leaves TensorFlow at a line may come back; `print(float(loss))` only shows it."""
    if place is None:
        return True
    path, line, _ = place
    simple = [
        statement
        for statement in _statements(path)
        if not hasattr(statement, "body") and statement.lineno <= line <= (statement.end_lineno or 0)
    ]
    if not simple or not all(isinstance(statement, ast.Expr) for statement in simple):
        return True
    lists = {name for statement in simple if (name := _appended_to(statement))}
    return opened is not None and opened[0] == path and any(_is_read(path, opened[1], each) for each in lists)


def _appended_to(statement: ast.stmt) -> str:
    """`losses`, of `losses.append(…)`."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    function = call.func if isinstance(call, ast.Call) else None
    if not isinstance(function, ast.Attribute) or function.attr not in KEEPING:
        return ""
    return function.value.id if isinstance(function.value, ast.Name) else ""


def _is_read(path: str, line: int, name: str) -> bool:
    """Whether what opens a tape at a line reads a list in its block, other than by putting something in."""
    for block in _statements(path):
        if isinstance(block, ast.With) and block.lineno == line:
            receivers = {
                id(node.value)
                for node in ast.walk(block)
                if isinstance(node, ast.Attribute) and node.attr in KEEPING
            }
            return any(
                isinstance(node, ast.Name)
                and node.id == name
                and isinstance(node.ctx, ast.Load)
                and id(node) not in receivers
                for node in ast.walk(block)
            )
    return False


def _rebound(explainer: Explainer, source: Source, here: Here, was_variable: bool) -> CodeLine | None:
    """The line `x = x + 1` that put a tensor where a variable was."""
    made = explainer.record.producers.get(source.key)
    computed = made.where() if made else None
    if here.frame is None or here.place is None or (made is None and not was_variable):
        return None
    path, _, function = here.place
    names = _names_bound_to(source.key, here.frame)
    if was_variable or _reads_variable(explainer, made, 1):
        for statement in _statements(path):
            inside = computed is None or statement.lineno <= computed[1] <= (statement.end_lineno or 0)
            if inside and _rebinding(statement) in names:
                return path, statement.lineno, function
    return computed if was_variable and _reads_variable(explainer, made, DEEPEST) else None


def _reads_variable(explainer: Explainer, made: Operation | None, steps: int) -> bool:
    """Whether an operation takes what was read from a variable, at most so many operations before."""
    for needed in made.inputs if made else ():
        before = explainer.record.producers.get(needed)
        if before and (before.kind in READS or (steps > 1 and _reads_variable(explainer, before, steps - 1))):
            return True
    return False


def _names_bound_to(key: Key, frame: FrameType) -> set[str]:
    return {
        name
        for values in (frame.f_locals, frame.f_globals)
        for name, value in list(values.items())
        if getattr(value, "_id", None) == key
    }


def _rebinding(statement: ast.stmt) -> str | None:
    """The name that a statement gives a new value computed from its old one."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        return statement.target.id
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, ast.Name) and target.id in _loaded(statement.value):
            return target.id
    return None


def _loaded(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def _tree(path: str) -> ast.Module | None:
    try:
        return ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError):
        return None


def _statements(path: str) -> Iterator[ast.stmt]:
    tree = _tree(path)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.stmt):
            yield node


def _numpy_call(explainer: Explainer, source: Source, here: Here) -> tuple[CodeLine, str] | None:
    """The NumPy call that took a tensor on the way, before a constant came back at one of the entries."""
    entries = [place for operation in explainer.entries() if (place := operation.where())]
    if any(key not in explainer.record.producers for key, _ in explainer.targets):
        entries = [here.place, *entries] if here.place else entries
    frame = here.frame
    for path, line, function in entries:
        same = frame is not None and here.place is not None and path == here.place[0]
        modules = _numpy_names(frame.f_globals) if same and frame else {"np", "numpy"}
        for call in _calls_before(path, line, modules):
            elsewhere = frame is None or not same or (here.place and function != here.place[2])
            if elsewhere or (frame and _takes_tensor(explainer, source, call, frame)):
                return (path, call.lineno, function), ast.unparse(call.func)
        if same and frame is not None and here.place is not None and function == here.place[2]:
            found = _in_helper(explainer, source, frame, path, line)
            if found is not None:
                return found
    return None


def _in_helper(
    explainer: Explainer, source: Source, frame: FrameType, path: str, line: int
) -> tuple[CodeLine, str] | None:
    """The NumPy call of a function of the program that took such a tensor and gave an array back."""
    for statement in _statements(path):
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
            continue
        names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
        given = any(_is_of_numpy(frame.f_locals.get(name)) for name in names)
        near = frame.f_code.co_firstlineno <= statement.lineno <= line
        if not near or not given or not _takes_tensor(explainer, source, statement.value, frame):
            continue
        helper = _called(statement.value.func, frame)
        if helper is None or is_library(helper.__code__.co_filename):
            continue
        code = helper.__code__
        last = max(number for *_, number in code.co_lines() if number is not None)
        calls = _calls_before(code.co_filename, last, _numpy_names(helper.__globals__))
        if calls:
            return (code.co_filename, calls[0].lineno, code.co_name), ast.unparse(calls[0].func)
    return None


def _is_of_numpy(value: object) -> bool:
    return type(value).__module__.split(".")[0] == "numpy"


def _called(function: ast.expr, frame: FrameType) -> FunctionType | None:
    """The function that a call runs: by its name, or of a module or object that has a name."""
    name = function.value if isinstance(function, ast.Attribute) else function
    if not isinstance(name, ast.Name):
        return None
    found = frame.f_locals.get(name.id, frame.f_globals.get(name.id))
    if isinstance(function, ast.Attribute):
        found = inspect.getattr_static(found, function.attr, None)  # runs no code of the program
        found = getattr(found, "__func__", found)
    return found if isinstance(found, FunctionType) else None


def _numpy_names(values: dict[str, Any]) -> set[str]:
    return {
        name
        for name, value in values.items()
        if isinstance(value, ModuleType) and value.__name__.split(".")[0] == "numpy"
    }


def _calls_before(path: str, line: int, modules: set[str]) -> list[ast.Call]:
    """NumPy calls with an argument that is no literal, in the same function and not below the line."""
    tree = _tree(path)
    if tree is None:
        return []
    around: ast.AST = tree
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS) and node.lineno <= line <= (node.end_lineno or 0):
            around = node
    found = [
        node
        for node in ast.walk(around)
        if isinstance(node, ast.Call) and node.lineno <= line and _root(node.func) in modules
    ]
    return sorted((c for c in found if any(map(_loaded, c.args))), key=lambda c: -c.lineno)


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _takes_tensor(explainer: Explainer, source: Source, call: ast.Call, frame: FrameType) -> bool:
    """Whether a name among the arguments holds a tensor that depends on the source."""
    names = {name for argument in call.args for name in _loaded(argument)}
    for name in names:
        value = frame.f_locals.get(name, frame.f_globals.get(name))
        handle = getattr(value, "handle", None)
        key = getattr(value if handle is None else handle, "_id", None)
        if key is not None and source.key in explainer.record.ancestors([key]):
            return True
    return False
