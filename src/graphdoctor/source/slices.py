"""Slices of a whole tensor by the index of a TensorFlow loop, and the TensorArrays they could be."""

import ast
import dataclasses
from collections.abc import Iterator

from graphdoctor.model import Edit
from graphdoctor.source.bodies import Body
from graphdoctor.source.calls import bind_arguments
from graphdoctor.source.control_flow import graph_loops
from graphdoctor.source.kind import Kind
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.loops import binds
from graphdoctor.source.names import module_alias
from graphdoctor.source.tapes import Tape, find_tapes


@dataclasses.dataclass(frozen=True, slots=True)
class Sliced:
    """A tensor of which each turn of a loop takes one row; `nodes` are the places that do."""

    name: str
    axis: int
    loop: ast.For
    nodes: tuple[ast.Subscript, ...]


def find_slices(body: Body) -> Iterator[Sliced]:
    """The tensors that the graph loops of a body take apart row by row."""
    for loop in graph_loops(body):
        if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name):
            continue
        found: dict[tuple[str, int], list[ast.Subscript]] = {}
        for node in body.of(ast.Subscript):
            axis = _axis(node, loop.target.id)
            if axis is not None and loop in body.ancestors(node) and _is_tensor(body, node.value, loop):
                assert isinstance(node.value, ast.Name)
                found.setdefault((node.value.id, axis), []).append(node)
        yield from (Sliced(name, axis, loop, tuple(nodes)) for (name, axis), nodes in found.items())


def _axis(node: ast.Subscript, index: str) -> int | None:
    """Which axis `x[t]`, `x[:, t]` or `x[:, t, :]` takes one row of."""
    if not isinstance(node.value, ast.Name) or not isinstance(node.ctx, ast.Load):
        return None
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    axes = [n for n, part in enumerate(parts) if isinstance(part, ast.Name) and part.id == index]
    if len(axes) != 1 or axes[0] > 1:
        return None
    others = (part for n, part in enumerate(parts) if n != axes[0])
    return axes[0] if all(_is_whole(part) for part in others) else None


def _is_whole(part: ast.expr) -> bool:
    if isinstance(part, ast.Slice):
        return part.lower is part.upper is part.step is None
    return isinstance(part, ast.Constant) and part.value is Ellipsis


def _is_tensor(body: Body, node: ast.expr, loop: ast.For) -> bool:
    """What is asked for the item at a tensor is one, unless we know better."""
    name = node.id if isinstance(node, ast.Name) else ""
    found = body.scope.lookup(name)
    return (
        found is not None
        and found[0] is body.scope
        and not binds(loop, name)
        and body.kind(node) in (Kind.TENSOR, Kind.TENSORS, Kind.UNKNOWN)
    )


def is_differentiated(body: Body, sliced: Sliced) -> bool:
    """Whether a tape records the loop, and the tensor depends on what it watches: here, or at a call.

    Run on 2.21: without such a dependence, TensorFlow leaves the gradient of the slice out.
    """
    name = ast.Name(sliced.name, ast.Load())
    for tape in find_tapes(body.home):
        if tape.node in body.ancestors(sliced.loop) and _depends_on_watched(name, tape):
            return True
    for path, call in _calls_of(body):
        module = body.home.project.module(path)
        given = bind_arguments(call, body.function).get(sliced.name)
        for tape in find_tapes(module) if module is not None and given is not None else ():
            if tape.holds(call) and given is not None and _depends_on_watched(given, tape):
                return True
    return False


def _calls_of(body: Body) -> Iterator[tuple[str, ast.Call]]:
    """The calls of a body's function that are known."""
    for reach in body.reaches:
        step = reach.chain[-1]
        if isinstance(step.node, ast.Call):
            yield step.path, step.node
    for call in body.home.calls:
        if call.function.node is body.function.node:
            yield body.home.path, call.node


def _depends_on_watched(value: ast.expr, tape: Tape) -> bool:
    """Whether a value is watched itself, or is made in the tape by a layer or from a variable."""
    if isinstance(value, ast.Name):
        watched = (part for placed in tape.watches for part in ast.walk(placed.node))
        if any(isinstance(part, ast.Name) and part.id == value.id for part in watched):
            return True
        made = [node for node in tape.bindings(value.id) if isinstance(node, ast.Assign) and tape.holds(node)]
        return any(isinstance(node.targets[0], ast.Name) and _trains(node.value, tape) for node in made)
    return _trains(value, tape)


def _trains(value: ast.expr, tape: Tape) -> bool:
    for part in ast.walk(value):
        if isinstance(part, ast.Name) and kind_of(part, tape.scope) is Kind.VARIABLE:
            return True
        if isinstance(part, ast.Call) and kind_of(part.func, tape.scope) is Kind.LAYER:
            return True
    names = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
    return any(
        isinstance(part, ast.Name) and part.id in names
        for placed in tape.watches
        for part in ast.walk(placed.node)
    )


def to_rows(body: Body, sliced: Sliced) -> tuple[Edit, ...] | None:
    """The edits that put the rows into a TensorArray before the loop, and read them in it."""
    module, name = body.home, sliced.name
    tensorflow = module_alias("tensorflow", body.scope)
    rows = f"{name}_rows"
    line = module.lines[sliced.loop.lineno - 1]
    before = line[: sliced.loop.col_offset]
    if tensorflow is None or before.strip() or body.scope.lookup(rows) is not None:
        return None
    whole = name if sliced.axis == 0 else f"{tensorflow}.experimental.numpy.swapaxes({name}, 0, 1)"
    size = f"{tensorflow}.shape({name})[{sliced.axis}]"
    array = f"{tensorflow}.TensorArray({name}.dtype, {size}, clear_after_read=False)"
    index = sliced.loop.target
    assert isinstance(index, ast.Name)
    return (
        module.insert(sliced.loop.lineno, 1, f"{before}{rows} = {array}.unstack({whole})\n"),
        *(module.replace(node, f"{rows}.read({index.id})") for node in sliced.nodes),
    )
