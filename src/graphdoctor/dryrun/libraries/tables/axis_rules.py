"""Shapes of results in which axes go, come, or change places."""

from graphdoctor.dryrun.libraries.tables.arguments import ABSENT, UNKNOWN, Arguments, Longer, Missing, Shape

PARTS = ("num_or_size_splits", "indices_or_sections")


def reduce(rest: str, arguments: Arguments) -> Shape | None:
    parameter, _, default = rest.partition("@")
    shape = broadcast_all(parameter, arguments)
    axis = first_value(arguments, AXES)
    if axis in (None, ABSENT):
        axis = [int(one) for one in default.split(",")] if default else None
    keep = first_value(arguments, ("keepdims", "keep_dims"))
    if axis is UNKNOWN or keep is UNKNOWN:
        return None
    kept = keep not in (ABSENT, None, False)
    if shape is None:
        return () if axis is None and not kept else None  # run on 2.21: also of an unknown rank
    dropped = positions(axis, len(shape))
    return tuple(1 if i in dropped else size for i, size in enumerate(shape) if kept or i not in dropped)


def concat(rest: str, arguments: Arguments) -> Shape | None:
    shapes, axis = arguments.shapes(rest), first_value(arguments, AXES)
    if not shapes or shapes[0] is None:
        return None
    if not isinstance(axis, int):
        return (UNKNOWN,) * len(shapes[0]) if axis is UNKNOWN else None
    at = position(axis, len(shapes[0]))
    parts = [UNKNOWN if shape is None else shape[at] for shape in shapes]
    sizes = _agreed(shapes)
    return (*sizes[:at], _sum(parts), *sizes[at + 1 :])


def _sum(sizes: list[object]) -> object:
    """All sizes together; one that only the caller can tell may be among them."""
    whole = sum(size for size in sizes if isinstance(size, int))
    others = [size for size in sizes if not isinstance(size, int)]
    if not others:
        return whole
    if len(others) > 1 or (len(sizes) > 1 and (others[0] is None or isinstance(others[0], Missing))):
        return UNKNOWN
    return Longer(others[0], whole) if whole else others[0]


def _agreed(shapes: list[Shape | None]) -> Shape:
    """The sizes of the first; what it leaves open, another may say: TensorFlow merges what it knows."""
    first, *others = shapes
    assert first is not None
    return tuple(
        next((size for size in _sizes(others, axis) if size is not None), None) if own is None else own
        for axis, own in enumerate(first)
    )


def _sizes(shapes: list[Shape | None], axis: int) -> list[object]:
    return [UNKNOWN if shape is None or axis >= len(shape) else shape[axis] for shape in shapes]


def split(rest: str, arguments: Arguments) -> Shape | None:
    shape, axis, count = arguments.shape(rest), first_value(arguments, AXES), first_value(arguments, PARTS)
    if shape is None:
        return None
    if axis is UNKNOWN:
        return (UNKNOWN,) * len(shape)
    at = position(0 if axis is ABSENT else axis, len(shape))
    whole = shape[at] if isinstance(count, int) else UNKNOWN
    part = whole // count if isinstance(whole, int) and isinstance(count, int) else whole
    return (*shape[:at], part if part is None or isinstance(part, int) else UNKNOWN, *shape[at + 1 :])


def stack(rest: str, arguments: Arguments) -> Shape | None:
    shapes, axis = arguments.shapes(rest), first_value(arguments, AXES)
    element = next((shape for shape in shapes or [] if shape is not None), None)
    if not shapes or element is None:
        return None
    return inserted(element, 0 if axis is ABSENT else axis, len(shapes))


def expand(rest: str, arguments: Arguments) -> Shape | None:
    shape, axis = arguments.shape(rest), first_value(arguments, AXES)
    if shape is None or not isinstance(axis, (list, tuple)):
        return None if shape is None else inserted(shape, axis, 1)
    rank = len(shape) + len(axis)
    new, sizes_left = positions(axis, rank), iter(shape)
    return tuple(1 if i in new else next(sizes_left) for i in range(rank))


def squeeze(rest: str, arguments: Arguments) -> Shape | None:
    shape, axis = arguments.shape(rest), first_value(arguments, AXES)
    if shape is None or axis is UNKNOWN:
        return None
    if axis in (None, ABSENT, (), []):
        return tuple(n for n in shape if n != 1) if all(isinstance(n, int) for n in shape) else None
    dropped = positions(axis, len(shape))
    return tuple(size for i, size in enumerate(shape) if i not in dropped)


def transpose(rest: str, arguments: Arguments) -> Shape | None:
    shape, order = arguments.shape(rest), first_value(arguments, ("perm", "axes"))
    if shape is None:
        return None
    if order in (None, ABSENT):
        return shape[::-1]
    if isinstance(order, (list, tuple)) and len(order) == len(shape):
        return tuple(shape[position(axis, len(shape))] for axis in order)
    return (UNKNOWN,) * len(shape)


def gather(rest: str, arguments: Arguments) -> Shape | None:
    first, second = rest.split(",")
    shape, indices, axis = arguments.shape(first), arguments.shape(second), first_value(arguments, AXES)
    batch = arguments.value("batch_dims")
    batch = 0 if batch is ABSENT else batch
    if shape is None or indices is None or not isinstance(batch, int) or batch < 0:
        return None
    if axis in (None, ABSENT):
        axis = batch
    at = position(axis, len(shape))
    return shape[:at] + indices[batch:] + shape[at + 1 :]


def one_hot(rest: str, arguments: Arguments) -> Shape | None:
    shape, axis = arguments.shape(rest), first_value(arguments, AXES)
    depth = first_value(arguments, ("depth", "num_classes"))
    return None if shape is None else inserted(shape, -1 if axis in (None, ABSENT) else axis, depth)


def rfft(rest: str, arguments: Arguments) -> Shape | None:
    shape, axis, length = arguments.shape(rest), first_value(arguments, AXES), arguments.value("n")
    if shape is None:
        return None
    if axis is UNKNOWN:
        return (UNKNOWN,) * len(shape)
    at = position(-1 if axis in (None, ABSENT) else axis, len(shape))
    whole = shape[at] if length in (None, ABSENT) else length
    return (*shape[:at], whole // 2 + 1 if isinstance(whole, int) else UNKNOWN, *shape[at + 1 :])


AXES = ("axis", "axes", "dim", "batch_axis")


def first_value(arguments: Arguments, names: tuple[str, ...]) -> object:
    return next((value for name in names if (value := arguments.value(name)) is not ABSENT), ABSENT)


def position(axis: object, rank: int) -> int:
    if not isinstance(axis, int) or not -rank <= axis < rank:
        raise ValueError(f"no axis {axis} in {rank}")
    return axis % rank


def positions(axis: object, rank: int) -> set[int]:
    """The axes meant, counted from the front."""
    if axis is None:
        return set(range(rank))
    axes = list(axis) if isinstance(axis, (list, tuple)) else [axis]
    return {position(one, rank) for one in axes}


def inserted(shape: Shape, axis: object, size: object) -> Shape:
    if axis is UNKNOWN:
        return (UNKNOWN,) * (len(shape) + 1)
    at = position(axis, len(shape) + 1)
    return (*shape[:at], size, *shape[at:])


def broadcast(left: Shape, right: Shape) -> Shape:
    """Both shapes as one, as NumPy and TensorFlow do it."""
    length = max(len(left), len(right))
    left, right = (1,) * (length - len(left)) + left, (1,) * (length - len(right)) + right
    return tuple(broadcast_size(a, b) for a, b in zip(left, right, strict=True))


def broadcast_size(left: object, right: object) -> object:
    if left == 1 or left == right:
        return right
    if right == 1 or isinstance(left, int):
        return left
    return right if isinstance(right, int) else UNKNOWN


def broadcast_all(rest: str, arguments: Arguments) -> Shape | None:
    shapes = [arguments.shape(parameter) for parameter in rest.split(",")]
    result: Shape = ()
    for shape in shapes:
        if shape is None:
            return None
        result = broadcast(result, shape)
    return result


def matmul(rest: str, arguments: Arguments) -> Shape | None:
    first, second = rest.split(",")
    left, right = arguments.shape(first), arguments.shape(second)
    transpose_left, transpose_right = arguments.value("transpose_a"), arguments.value("transpose_b")
    if left is None or right is None or UNKNOWN in (transpose_left, transpose_right) or not left or not right:
        return None
    left = swapped(left) if True in (transpose_left, arguments.value("adjoint_a")) else left
    right = swapped(right) if True in (transpose_right, arguments.value("adjoint_b")) else right
    if len(left) == 1 or len(right) == 1:
        return left[:-1] + right[:-2] + (right[-1:] if len(right) > 1 else ())
    return (*broadcast(left[:-2], right[:-2]), left[-2], right[-1])


def swapped(shape: Shape) -> Shape:
    return (*shape[:-2], shape[-1], shape[-2])


def swap(rest: str, arguments: Arguments) -> Shape | None:
    shape = arguments.shape(rest)
    return None if shape is None else swapped(shape)
