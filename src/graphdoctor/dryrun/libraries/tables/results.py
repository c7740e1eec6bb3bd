"""The tensors that a call gives back, by the table's rules."""

from typing import NamedTuple

from graphdoctor.dryrun.libraries.tables.arguments import ABSENT, Arguments, Shape
from graphdoctor.dryrun.libraries.tables.dtypes import named, result_dtype
from graphdoctor.dryrun.libraries.tables.operations import Operation
from graphdoctor.dryrun.libraries.tables.shapes import result_shape
from graphdoctor.dryrun.libraries.tables.tables import promotion


class Result(NamedTuple):
    """One tensor or array; None is what is unknown."""

    dtype: str | None
    shape: Shape | None


def holds(operation: Operation, arguments: Arguments) -> bool:
    """The facts of the table are true of this call: it gives no option that changes them."""
    return all(arguments.value(name) == operation.defaults.get(name) for name in operation.unless)


def results(operation: Operation, arguments: Arguments) -> list[Result]:
    """The tensor, or each tensor of a tuple; of a list, what each of its elements is."""
    if operation.unless and not holds(operation, arguments):
        return []
    library, mix = operation.library, promotion(operation.library)
    given = _stated(operation, arguments) if operation.stating else ABSENT
    return [
        Result(
            result_dtype(dtype, arguments, library, mix) if given is ABSENT else _named(given, operation),
            result_shape(shape, arguments),
        )
        for dtype, shape in operation.rules
    ]


def _stated(operation: Operation, arguments: Arguments) -> object:
    """What an option says about the dtype of which no rule knows; ABSENT where none says anything."""
    for option in operation.stating:
        value = arguments.value(option)
        if value is not None and value != operation.defaults.get(option):
            return value
    return ABSENT


def _named(given: object, operation: Operation) -> str | None:
    if not isinstance(given, str) or len(operation.rules) != 1:
        return None
    return named(given, operation.library)
