"""How often a `for`, or a `while` that counts, runs, and which names its iterations are numbered by."""

import ast
import dataclasses
from typing import TypeAlias

from graphdoctor.source.def_use import names_bound, names_read
from graphdoctor.source.names import dotted_name
from graphdoctor.source.surroundings import Body, block_of, free_name, stored_names, value_given

CountedLoop: TypeAlias = ast.For | ast.While
RANGES = ("builtins.range", "tensorflow.range")
SHAPES = ("tensorflow.shape", "keras.ops.shape")


@dataclasses.dataclass(slots=True)
class Count:
    """The iterations of a loop: `name` goes from `start` to below `stop`, in `size` iterations.

    `static_size` is a Python number where the shape is known while tracing, so that what is stacked has a
    known length. `before` are lines to put before the loop; `element` is the name of each row of `rows`.
    `advances` are the statements by which a `while` counts.
    """

    name: str
    start: str
    stop: str
    size: str
    static_size: str
    before: list[str]
    rows: ast.expr | None = None
    element: str = ""
    advances: tuple[ast.stmt, ...] = ()

    def counters(self, loop: CountedLoop) -> set[str]:
        """The names that the header of the loop sets, or its counting."""
        return names_bound(loop.target) if isinstance(loop, ast.For) else {self.name}

    def body_of(self, loop: CountedLoop) -> list[ast.stmt]:
        """What an iteration does beside counting."""
        return [each for each in loop.body if each not in self.advances]

    @property
    def index(self) -> str:
        """The number of an iteration, from 0."""
        return self.name if self.start == "0" else f"{self.name} - {self.start}"


def header_of(loop: CountedLoop) -> ast.expr:
    """What stands before the colon: what a `for` goes through, or what a `while` asks."""
    return loop.iter if isinstance(loop, ast.For) else loop.test


def count_of(body: Body, loop: CountedLoop, tensorflow: str) -> Count | None:
    """How a loop counts; None where it is no plain loop over a range, a tensor or `enumerate` of one."""
    if isinstance(loop, ast.While):
        return _of_while(body, loop)
    over, target = loop.iter, loop.target
    called = dotted_name(over.func, body.scope) if isinstance(over, ast.Call) else None
    if called in RANGES and isinstance(over, ast.Call) and isinstance(target, ast.Name):
        return _of_range(body, loop, over, target.id)
    rows, names = over, [target]
    if called == "builtins.enumerate" and isinstance(over, ast.Call) and len(over.args) == 1:
        rows, names = over.args[0], target.elts if isinstance(target, ast.Tuple) else []
        if over.keywords or len(names) != 2:
            return None
    if not isinstance(rows, ast.Name) or not all(isinstance(each, ast.Name) for each in names):
        return None
    plain = [each.id for each in names if isinstance(each, ast.Name)]
    counter = plain[0] if len(plain) == 2 else free_name(body, "t", "index", "step_index")
    steps = free_name(body, "steps", "length", "number_of_steps")
    if counter is None or steps is None:
        return None
    before = [f"{steps} = {tensorflow}.shape({rows.id})[0]"]
    return Count(counter, "0", steps, steps, f"{rows.id}.shape[0] or {steps}", before, rows, plain[-1])


def _of_while(body: Body, loop: ast.While) -> Count | None:
    """`t = 0`, `while t < n:` and at the end of each iteration `t += 1`."""
    test = loop.test
    parts = list(ast.iter_child_nodes(test))
    if len(parts) != 3 or not isinstance(parts[1], ast.Lt):
        return None
    name, stop = parts[0], parts[2]
    if not isinstance(name, ast.Name) or not isinstance(stop, ast.expr) or len(loop.body) < 2:
        return None
    bindings = [each.node for each in body.scope.bindings.get(name.id, ())]
    begun, last = bindings[0] if len(bindings) == 2 else None, loop.body[-1]
    if not isinstance(begun, ast.Assign) or bindings[1] is not last or begun not in block_of(body.home, loop):
        return None
    start = value_given(begun, name.id)
    counts = is_one_more(last, name.id)
    if not counts or not isinstance(start, ast.Constant) or type(start.value) is not int:
        return None
    found = _up_to(body, loop, name.id, repr(start.value), stop)
    return dataclasses.replace(found, advances=(last,)) if found is not None else None


def is_one_more(node: ast.AST | None, name: str) -> bool:
    """Whether it is `t + 1`, or a statement that counts `t` by one."""
    written = (f"{name} + 1", f"1 + {name}", f"{name} += 1", f"{name} = {name} + 1")
    return node is not None and ast.unparse(node) in written


def _of_range(body: Body, loop: ast.For, call: ast.Call, name: str) -> Count | None:
    if call.keywords or not 1 <= len(call.args) <= 2 or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    stop = call.args[-1]
    start = body.home.source_of(call.args[0]) if len(call.args) == 2 else "0"
    if names_read(call) & stored_names([*loop.body]):
        return None
    if start != "0" and not isinstance(call.args[0], ast.Constant | ast.Name):
        return None
    return _up_to(body, loop, name, start, stop)


def _up_to(body: Body, loop: CountedLoop, name: str, start: str, stop: ast.expr) -> Count | None:
    if names_read(stop) & stored_names([*loop.body]):
        return None
    before = []
    text = body.home.source_of(stop)
    if not isinstance(stop, ast.Name | ast.Constant):
        new = free_name(body, "steps", "length", "number_of_steps")
        if new is None or stop.lineno != stop.end_lineno:
            return None
        before, text = [f"{new} = {text}"], new
    size = text if start == "0" else f"{text} - {start}"
    sized = _sized_by(body, loop, stop) if start == "0" else None
    return Count(name, start, text, size, f"{sized} or {size}" if sized else size, before)


def _sized_by(body: Body, loop: CountedLoop, stop: ast.expr) -> str | None:
    """`x.shape[1]` where a loop runs to `tf.shape(x)[1]`, as long as `x` is the same there."""
    since = stop.lineno
    if isinstance(stop, ast.Name):
        bindings = body.scope.bindings.get(stop.id, ())
        if len(bindings) != 1:
            return None
        since = getattr(bindings[0].node, "lineno", 0)
        given = value_given(bindings[0].node, stop.id)
        if given is None:
            return None
        stop = given
    if not (isinstance(stop, ast.Subscript) and isinstance(stop.slice, ast.Constant)):
        return None
    call = stop.value
    if not isinstance(call, ast.Call) or len(call.args) != 1 or not isinstance(call.args[0], ast.Name):
        return None
    name, axis = call.args[0].id, stop.slice.value
    bindings = body.scope.bindings.get(name, ())
    lines = [getattr(each.node, "lineno", 0) for each in bindings if each.kind != "parameter"]
    renewed = any(since <= line <= (loop.end_lineno or line) for line in lines)
    known = dotted_name(call.func, body.scope) in SHAPES and type(axis) is int and not renewed
    return f"{name}.shape[{axis!r}]" if known and bindings else None
