"""Which calls of `fit`, `predict` and the like run the trace that Keras has already."""

import ast

from graphdoctor.dryrun.tracing.cache_keys import key_of
from graphdoctor.dryrun.values import AbstractNumber, Dictionary, Kept, Sequence, Tensor, Value
from graphdoctor.source.nodes import spelled

DATA = ("x", "y")
BESIDE = ("sample_weight", "class_weight")  # which make another structure of what a step is given


def gets_its_trace(kept: Kept, data: Value, node: ast.AST) -> bool:
    """Whether a step surely runs the trace that there is: for other data it may need one of its own."""
    (then,) = kept.given
    if _method(node) != _method(kept.node):  # `fit` and `train_on_batch` give the same step other batches
        return False
    shaped = _is_shaped(data) and _is_shaped(then)
    if shaped:
        return key_of(data) == key_of(then) and _expressions(node, BESIDE) == _expressions(kept.node, BESIDE)
    known = type(data) is type(then)
    return known and (node is kept.node or _expressions(node) == _expressions(kept.node))


def _method(node: ast.AST) -> str:
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def _is_shaped(batch: Value) -> bool:
    """Whether all is known that such a trace depends on: structure and shapes, but for batch sizes."""
    if isinstance(batch, Sequence):
        return batch.items is not None and all(map(_is_shaped, batch.items))
    if isinstance(batch, Dictionary):
        return all(map(_is_shaped, batch.cells.values()))
    sizes = batch.shape if isinstance(batch, Tensor) else None
    return sizes is not None and not any(isinstance(size, AbstractNumber) for size in sizes[1:])


def _expressions(node: ast.AST, names: tuple[str, ...] = DATA + BESIDE) -> dict[str, str]:
    """The expressions that a call gets its data from."""
    if not isinstance(node, ast.Call):
        return {}
    given = dict(zip(DATA, node.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}
    return {name: spelled(each) for name, each in given.items() if name in names}
