"""The tensors that a call gives back, by the table's rules."""

from typing import NamedTuple

from graphdoctor.dryrun.library.arguments import Arguments, Shape
from graphdoctor.dryrun.library.dtypes import result_dtype
from graphdoctor.dryrun.library.operations import Operation
from graphdoctor.dryrun.library.shapes import result_shape
from graphdoctor.dryrun.library.tables import promotion


class Result(NamedTuple):
    """One tensor or array; None is what cannot be told."""

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
    return [
        Result(result_dtype(dtype, arguments, library, mix), result_shape(shape, arguments))
        for dtype, shape in operation.rules
    ]
