"""Tensors of which each iteration of a loop reads one slice → a TensorArray that is read by its number."""

import ast
import dataclasses

from graphdoctor.model import Edit
from graphdoctor.refactoring.while_loops.loop_counts import Count, CountedLoop, is_one_more
from graphdoctor.source.def_use import place_of
from graphdoctor.source.surroundings import LOOPS, Body, free_name


@dataclasses.dataclass(slots=True)
class LoopInputs:
    """The lines before the loop that take its inputs apart, and the edits of the places that read them."""

    lines: list[str]
    edits: dict[ast.AST, Edit]


def inputs_by_step(
    body: Body, loop: CountedLoop, count: Count, changed: set[str], tensorflow: str
) -> LoopInputs | None:
    """What each `x[:, t]` and `x[t]` of a loop becomes; None where no name is left for an array."""
    found: dict[tuple[str, int], list[tuple[ast.Subscript, bool]]] = {}
    for node in (part for statement in loop.body for part in ast.walk(statement)):
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            continue
        place, name = _slice_of(node, count), node.value.id
        if place is not None and name not in changed and _may_be_tensor(body, name):
            found.setdefault((name, place[0]), []).append((node, place[1]))
    inputs = LoopInputs([], {})
    for (name, axis), reads in found.items():
        array = free_name(body, f"{name}_by_step", f"steps_of_{name}", f"{name}_by_step_{axis}")
        if array is None:
            return None
        again = len(reads) > 1 or _lies_in_inner_loop(body, loop, reads[0][0])
        rows = name if axis == 0 else f"{tensorflow}.experimental.numpy.moveaxis({name}, {axis}, 0)"
        keep = ", clear_after_read=False" if again else ""
        size = f"{tensorflow}.shape({name})[{axis}]"
        inputs.lines += [
            f"{array} = {tensorflow}.TensorArray({name}.dtype, size={size}{keep})",
            f"{array} = {array}.unstack({rows})",
        ]
        for node, kept in reads:
            text = f"{array}.read({count.name})"
            text = f"{tensorflow}.expand_dims({text}, {axis})" if kept else text
            inputs.edits[node] = body.home.replace(node, text)
    return inputs


def _slice_of(node: ast.Subscript, count: Count) -> tuple[int, bool] | None:
    """The axis that an index by the loop's counter takes one row of, and whether it keeps that axis."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    rest = [part for part in parts if not _is_everything(part)]
    if not isinstance(node.ctx, ast.Load) or len(rest) != 1:
        return None
    axis, wanted = parts.index(rest[0]), rest[0]
    if any(_is_ellipsis(part) for part in parts[:axis]) or axis > 1:
        return None
    if isinstance(wanted, ast.Slice):
        lower, upper = wanted.lower, wanted.upper
        one = lower is not None and upper is not None and wanted.step is None
        same = one and is_one_more(upper, count.name) and place_of(lower or wanted) == count.name
        return (axis, True) if same else None
    return (axis, False) if isinstance(wanted, ast.Name) and wanted.id == count.name else None


def _is_everything(part: ast.expr) -> bool:
    plain = isinstance(part, ast.Slice) and part.lower is None and part.upper is None and part.step is None
    return plain or _is_ellipsis(part)


def _is_ellipsis(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and part.value is Ellipsis


def _may_be_tensor(body: Body, name: str) -> bool:
    """Whether nothing says that a name holds a list, a dict or a tuple."""
    values = [each.value for each in body.scope.bindings.get(name, ()) if each.index is None]
    containers = (ast.List, ast.ListComp, ast.Dict, ast.DictComp, ast.Tuple)
    return not any(isinstance(each, containers) for each in values)


def _lies_in_inner_loop(body: Body, loop: CountedLoop, node: ast.AST) -> bool:
    around = body.ancestors(node)
    return any(
        isinstance(outer, (*LOOPS, ast.comprehension, ast.ListComp)) and outer is not loop
        for outer in iter(lambda: next(around, loop), loop)
    )
