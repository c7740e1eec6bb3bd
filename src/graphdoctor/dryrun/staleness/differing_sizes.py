"""Lists whose elements differ in size: which of them is taken decides the shape."""

from graphdoctor.dryrun.core.context import LoopRun
from graphdoctor.dryrun.values import AbstractNumber, Array, Dimension, Sequence, Slice, Tensor, Value

DEEPEST = 4


def one_of_unlike(holder: Sequence, found: Value, loops: frozenset[LoopRun], few: bool = False) -> Value:
    """An element that is another one at each iteration of these loops: so are the sizes that differ.

    Only of what nobody can change in its place, arrays, tensors and tuples of them: it is described again.
    """
    own = frozenset(holder.origin.loops)
    return _described(found, own, loops, few, 0) if loops else found


def some_of_unlike(holder: Sequence, found: Value, index: Slice) -> Value:
    """An element of a part of a list that is another one at some iterations; lists differ in length, too."""
    loops = frozenset().union(*(each.varies for each in index.parts))
    if isinstance(found, Sequence) and found.kind == "tuple" and found.items is not None:
        items = tuple([some_of_unlike(holder, item, index) for item in found.items])
        return Sequence(found.kind, items, found.origin, fields=found.fields)
    if not isinstance(found, Sequence) or found.kind != "list" or found.items is not None:
        return one_of_unlike(holder, found, loops)
    if not loops or found.grows.isdisjoint(frozenset(found.origin.loops) - frozenset(holder.origin.loops)):
        return found
    made = Sequence(found.kind, None, found.origin, found.cells["element"])
    made.cells["grows"] = found.grows | loops
    return made


def _described(
    value: Value, own: frozenset[LoopRun], loops: frozenset[LoopRun], few: bool, depth: int
) -> Value:
    if isinstance(value, Sequence) and value.kind == "tuple" and value.items is not None and depth < DEEPEST:
        items = tuple(_described(item, own, loops, few, depth + 1) for item in value.items)
        if all(new is old for new, old in zip(items, value.items, strict=True)):
            return value
        return Sequence(value.kind, items, value.origin, fields=value.fields)
    if not isinstance(value, (Array, Tensor)) or value.shape is None:
        return value
    # They differ among each other where each was made in its iteration of a loop that the list has outlived.
    filled = frozenset(value.origin.loops) - own
    shape = tuple(_differing(size, filled, loops, few) for size in value.shape)
    if shape == value.shape:
        return value
    if isinstance(value, Array):
        return Array(value.dtype, shape, value.origin, value.paths, value.varies | loops)
    copied = value.moved(value.origin)
    copied.shape = shape
    return copied


def _differing(
    size: Dimension, filled: frozenset[LoopRun], loops: frozenset[LoopRun], few: bool
) -> Dimension:
    if not isinstance(size, AbstractNumber) or size.varies.isdisjoint(filled):
        return size
    return AbstractNumber("int", size.varies | loops, size.few or few)
