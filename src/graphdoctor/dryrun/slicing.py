"""The shape of `x[i, :, None, ...]`."""

from __future__ import annotations

from graphdoctor.dryrun.fewness import is_few
from graphdoctor.dryrun.values import (
    NOTHING,
    Array,
    Dimension,
    Known,
    Scalar,
    Sequence,
    Shape,
    Slice,
    Tensor,
    Value,
    unknown_size,
)


def sliced_shape(shape: Shape, index: Value) -> Shape:
    """The shape after indexing; None when it cannot be told."""
    if shape is None:
        return None
    parts = (
        list(index.items)
        if isinstance(index, Sequence) and index.kind == "tuple" and index.items
        else [index]
    )
    taken = sum(1 for part in parts if not _is(part, None) and not _is(part, Ellipsis))
    if taken > len(shape):
        return None
    result: list[Dimension] = []
    rest = list(shape)
    for part in parts:
        if _is(part, None):
            result.append(1)
        elif _is(part, Ellipsis):
            kept = len(rest) - sum(1 for p in parts[parts.index(part) + 1 :] if not _is(p, None))
            result += rest[:kept]
            rest = rest[kept:]
        elif isinstance(part, Slice):
            result.append(_sliced(rest.pop(0), part))
        elif isinstance(part, (Known, Scalar)) or (isinstance(part, (Tensor, Array)) and part.shape == ()):
            rest.pop(0)
        else:
            return None
    return (*result, *rest)


def _is(part: Value, value: object) -> bool:
    return isinstance(part, Known) and part.value is value


def _sliced(size: Dimension, part: Slice) -> Dimension:
    if all(_is(each, None) for each in part.parts):
        return size
    known = all(isinstance(each, Known) for each in part.parts)
    if isinstance(size, int) and known:
        try:
            return len(range(size)[slice(*(each.value for each in part.parts))])  # type: ignore[attr-defined]
        except (TypeError, ValueError):
            return unknown_size()
    length = fixed_length(part)
    if length is not None and size is not None:
        return length
    if size is None:
        return _of_open(part)
    dealt = _is_dealt(part)
    steady = dealt or _keeps_length(part)
    varies = NOTHING if steady else NOTHING.union(*(each.varies for each in part.parts))
    few = dealt or all(map(is_few, part.parts))
    if isinstance(size, Scalar) and not is_cut(part):
        varies |= size.varies
        few = few and size.few
    made = unknown_size(varies)
    made.few = few
    return made


def _keeps_length(part: Slice) -> bool:
    """Whether both ends move together from turn to turn: `i * n : (i + 1) * n + more`."""
    first, last, _ = part.parts
    return isinstance(first, Scalar) and isinstance(last, Scalar) and first.pace == last.pace != ()


def _is_dealt(part: Slice) -> bool:
    """Whether it takes every n-th from the i-th on, as cards are dealt: each gets as many, or one less."""
    first, last, step = part.parts
    whole = _is(step, None) or (isinstance(step, Known) and step.value in (1, -1))
    return _is(last, None) and not _is(first, None) and not whole


def is_cut(part: Slice) -> bool:
    """Whether no more than so many are taken, however many there are: `x[:8]`, `x[-8:]`."""
    first, last, _ = part.parts
    begin = 1 if _is(first, None) else _sign(first)
    if _is(last, None):
        return begin == -1
    return begin is not None and begin == _sign(last)


def _sign(bound: Value) -> int | None:
    """-1 where it counts from the end; None where nobody knows, or it is another one at each turn."""
    if isinstance(bound, Known):
        return (-1 if bound.value < 0 else 1) if isinstance(bound.value, int) else None
    if not isinstance(bound, Scalar) or (bound.varies and not bound.few):
        return None
    return -1 if bound.linear[1] < 0 and bound.linear[2] <= 0 else 1


def fixed_length(part: Slice) -> int | None:
    """How many `i : i + 32` takes, whatever `i` is; at the end of the data there may be fewer."""
    first, last, step = part.parts
    return fixed_distance(first, last) if _is(step, None) else None


def fixed_distance(first: Value, last: Value) -> int | None:
    """How far it is from `i` to `i + 32`, whatever `i` is."""
    if not isinstance(first, (Scalar, Array)) or not isinstance(last, (Scalar, Array)):
        return None
    (unknown, factor, offset), (other, other_factor, other_offset) = first.linear, last.linear
    length = other_offset - offset
    same = unknown == other and factor == other_factor and length == int(length)
    return int(length) if same and length > 0 else None


def _of_open(part: Slice) -> Dimension:
    """`x[:5]` of an open size is open as well: it may have fewer."""
    return None
