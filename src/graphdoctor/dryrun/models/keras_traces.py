"""Which calls of `fit`, `predict` and the like run the trace that Keras has already."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.keys import key_of
from graphdoctor.dryrun.values import Dictionary, Kept, Scalar, Sequence, Tensor, Value
from graphdoctor.source.nodes import spelled

DATA = ("x", "y")


def gets_its_trace(kept: Kept, data: Value, node: ast.AST) -> bool:
    """Whether a step surely runs the trace that there is: for other data it may need one of its own."""
    (then,) = kept.given
    alike = key_of(data) == key_of(then) and _is_shaped(data)
    return alike or node is kept.node or _data_given(node) == _data_given(kept.node)


def _is_shaped(batch: Value) -> bool:
    """Whether all is known that such a trace depends on: structure and shapes, but for batch sizes."""
    if isinstance(batch, Sequence):
        return batch.items is not None and all(map(_is_shaped, batch.items))
    if isinstance(batch, Dictionary):
        return all(map(_is_shaped, batch.cells.values()))
    sizes = batch.shape if isinstance(batch, Tensor) else None
    return sizes is not None and not any(isinstance(size, Scalar) for size in sizes[1:])


def _data_given(node: ast.AST) -> dict[str, str]:
    """The expressions that a call gets its data from."""
    if not isinstance(node, ast.Call):
        return {}
    given = dict(zip(DATA, node.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg in DATA}
    return {name: spelled(each) for name, each in given.items()}
