"""Axes as the arguments of a call name them."""

from graphdoctor.dryrun.libraries.tables.arguments import ABSENT, UNKNOWN, Arguments, Shape

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
