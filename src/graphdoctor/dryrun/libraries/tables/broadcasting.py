"""Shapes of results that several tensors make together."""

from graphdoctor.dryrun.libraries.tables.arguments import UNKNOWN, Arguments, Shape


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
