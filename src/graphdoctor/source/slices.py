"""Slices of a whole tensor by the index of a TensorFlow loop, and the TensorArrays they could be."""

import ast
import dataclasses
from collections.abc import Iterator

from graphdoctor.model import Edit
from graphdoctor.source.bodies import Body
from graphdoctor.source.control_flow import graph_loops
from graphdoctor.source.kind import Kind
from graphdoctor.source.loops import binds
from graphdoctor.source.names import module_alias
from graphdoctor.source.tapes import find_tapes

TAPE = "tensorflow.GradientTape"


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


def is_differentiated(body: Body, node: ast.AST) -> bool:
    """Whether a tape of the project is known to record what happens at a node."""
    for outer in body.ancestors(node):
        if isinstance(outer, ast.With) and any(_opens_tape(body, item.context_expr) for item in outer.items):
            return True
    project = body.home.project
    for step in (step for reach in body.reaches for step in reach.chain[1:]):
        module = project.module(step.path)
        if module is not None and any(tape.holds(step.node) for tape in find_tapes(module)):
            return True
    tapes = find_tapes(body.home)
    calls = (
        [call.node for call in body.home.calls if call.function.node is body.function.node] if tapes else []
    )
    return any(tape.holds(call) for call in calls for tape in tapes)


def _opens_tape(body: Body, node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and body.dotted(node.func) == TAPE


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
