"""Shapes of results that follow from values, or from the number of axes and elements."""

import math

from graphdoctor.dryrun.libraries.tables.arguments import ABSENT, OPEN, UNKNOWN, Arguments, Missing, Shape
from graphdoctor.dryrun.libraries.tables.axis_rules import first_value

NO_SIZES = (Missing, str, bytes, float, bool, complex)


def sizes(value: object) -> Shape | None:
    """A shape that was given as a value."""
    if isinstance(value, (list, tuple)):
        return tuple(UNKNOWN if size is None or size == -1 else size for size in value)
    if value is None:
        return ()
    return None if isinstance(value, NO_SIZES) else (value,)


def reshape(rest: str, arguments: Arguments) -> Shape | None:
    value = first_value(arguments, ("shape", "newshape", "newshape"))
    target, before = sizes(value), arguments.shape(rest)
    whole = OPEN if before is not None and None in before else UNKNOWN
    if target is None or not isinstance(value, (list, tuple)):
        return (whole,) if value == -1 else target
    if whole is OPEN:
        return tuple(OPEN if given == -1 else size for given, size in zip(value, target, strict=True))
    known = [size for size in target if isinstance(size, int)]
    if before is None or len(known) != len(target) - 1 or -1 not in value:
        return target
    if not all(isinstance(size, int) for size in before) or not math.prod(known):
        return target
    rest_size = math.prod(size for size in before if isinstance(size, int)) // math.prod(known)
    return tuple(rest_size if size is UNKNOWN else size for size in target)


def eye(rest: str, arguments: Arguments) -> Shape | None:
    rows, columns = (arguments.value(parameter) for parameter in rest.split(","))
    return (rows, rows if columns is None else columns)


def range_length(rest: str, arguments: Arguments) -> Shape | None:
    start, stop, step = (arguments.value(parameter) for parameter in rest.split(","))
    if stop is None:
        stop = start
        start = 0
    step = 1 if step is None else step
    if isinstance(start, int) and isinstance(stop, int) and isinstance(step, int):
        return (len(range(start, stop, step)),)
    return (OPEN if OPEN in (start, stop, step) else UNKNOWN,)


def flat(rest: str, arguments: Arguments) -> Shape | None:
    shape = arguments.shape(rest)
    if shape is None or not all(isinstance(size, int) for size in shape):
        return (UNKNOWN,)
    return (math.prod(size for size in shape if isinstance(size, int)),)


def shape_of(rest: str, arguments: Arguments) -> Shape | None:
    shape = arguments.shape(rest)
    return (UNKNOWN,) if shape is None else (len(shape),)


def rank_of(rest: str, arguments: Arguments) -> Shape | None:
    parameter, sign, more = rest.replace("-", "+-").partition("+")
    shape = arguments.shape(parameter)
    return None if shape is None else (UNKNOWN,) * (len(shape) + (int(more) if sign else 0))


def image(rest: str, arguments: Arguments) -> Shape | None:
    parameter, _, target = rest.partition("@")
    shape = arguments.shape(parameter)
    if shape is None or len(shape) not in (3, 4):
        return None
    if arguments.value("preserve_aspect_ratio") not in (False, ABSENT):
        return (*shape[:-3], UNKNOWN, UNKNOWN, shape[-1])
    return (*shape[:-3], *_height_and_width(target, arguments), shape[-1])


def last(rest: str, arguments: Arguments) -> Shape | None:
    parameter, _, count = rest.partition("@")
    shape, size = arguments.shape(parameter), arguments.value(count)
    if not shape:
        return None
    return (*shape[:-1], UNKNOWN if isinstance(size, NO_SIZES) and size is not OPEN else size)


def crops(rest: str, arguments: Arguments) -> Shape | None:
    parameters, _, target = rest.partition("@")
    of, boxes = (arguments.shape(parameter) for parameter in parameters.split(","))
    count = boxes[0] if boxes else UNKNOWN
    depth = of[-1] if of else UNKNOWN
    return (count, *_height_and_width(target, arguments), depth)


def _height_and_width(target: str, arguments: Arguments) -> Shape:
    values = [arguments.value(parameter) for parameter in target.split(",")]
    given = values[0] if len(values) == 1 else values
    if not isinstance(given, (list, tuple)) or len(given) != 2:
        return (UNKNOWN, UNKNOWN)
    return tuple(UNKNOWN if isinstance(size, NO_SIZES) and size is not OPEN else size for size in given)
