"""The generated tables, asked about calls on abstract values."""

import ast
import functools
from collections.abc import Collection

from graphdoctor.dryrun.libraries.registry import Call
from graphdoctor.dryrun.libraries.stated_sizes import own_sizes
from graphdoctor.dryrun.libraries.tables.arguments import ABSENT, OPEN, UNKNOWN, Longer, Missing
from graphdoctor.dryrun.libraries.tables.operations import Operation
from graphdoctor.dryrun.libraries.tables.results import results
from graphdoctor.dryrun.values import (
    NOTHING,
    AbstractNumber,
    Array,
    Constant,
    DType,
    Library,
    Numeric,
    Sequence,
    Shape,
    StaticShape,
    Tensor,
    Value,
    Variable,
    longer,
    unknown_size,
)
from graphdoctor.dryrun.values.dtypes import dimension_given, is_wide, shape_of
from graphdoctor.dryrun.values.joining import python_type
from graphdoctor.dryrun.values.open_sizes import OpenSize

PYTHON_NUMBERS = ("bool", "int", "float", "complex")


class TableArguments:
    """The arguments of one call, as the tables' rules ask for them."""

    __slots__ = ("_known", "values")

    def __init__(self, call: Call, known: Operation) -> None:
        self.values: dict[str, Value] = dict(zip(known.names, call.arguments.positional, strict=False))
        self.values.update(call.arguments.keywords)
        self._known = known

    def shape(self, parameter: str) -> tuple[object, ...] | None:
        """The shape of what is given for a parameter."""
        return shape_of(self.values[parameter]) if parameter in self.values else None

    def shapes(self, parameter: str) -> list[tuple[object, ...] | None] | None:
        """The shapes of what is in the list given for a parameter."""
        given = self.values.get(parameter)
        if not isinstance(given, Sequence) or given.items is None:
            return None
        return [shape_of(item) for item in given.items]

    def dtype(self, parameter: str) -> str | None:
        """The dtype of what is given for a parameter; a Python number's is weak."""
        value = self.values.get(parameter)
        if isinstance(value, Sequence) and value.items:
            found = {_dtype(item) for item in value.items}
            return found.pop() if len(found) == 1 else "float" if found == {"int", "float"} else None
        if value is not None:
            return _dtype(value)
        default = type(self._known.defaults.get(parameter)).__name__
        return default if default in PYTHON_NUMBERS else None

    def value(self, parameter: str) -> object:
        """The Python value given for a parameter, or its default."""
        if parameter in self.values:
            return plain(self.values[parameter])
        if parameter in self._known.defaults:
            return self._known.defaults[parameter]
        return ABSENT if parameter not in self._known.parameters else UNKNOWN


def _dtype(value: Value) -> str | None:
    if isinstance(value, (Numeric, Variable)):
        return value.dtype
    if is_wide(value):
        return None
    kind = python_type(value)
    return "string" if kind == "str" else kind or None


def plain(value: Value) -> object:
    """A value as plain Python: numbers, texts, None, lists of sizes, the name of a dtype."""
    if isinstance(value, Constant):
        return value.value
    if value.__class__ is Tensor and value.constant is None:
        return UNKNOWN
    if isinstance(value, DType):
        return value.name
    if isinstance(value, AbstractNumber):
        return value if value.type == "int" else UNKNOWN
    if isinstance(value, Array) and value.shape == () and (value.dtype or "").startswith(("int", "uint")):
        return dimension_given(value)
    if isinstance(value, Sequence) and value.items is not None:
        return [plain(item) for item in value.items]
    if isinstance(value, StaticShape) and value.dimensions is not None:
        return [UNKNOWN if size is None else size for size in value.dimensions]
    if isinstance(value, Tensor):
        if isinstance(value.constant, StaticShape) and value.constant.dimensions is not None:
            return [OPEN if size is None else size for size in value.constant.dimensions]
        if isinstance(value.constant, OpenSize):
            return OPEN
        return plain(value.constant) if value.constant is not None else UNKNOWN
    if isinstance(value, Library) and value.name.startswith("builtins."):
        return value.name.removeprefix("builtins.")  # what is meant by `float` depends on the callee
    return UNKNOWN


def tensors_of(known: Operation, arguments: TableArguments) -> list[tuple[str | None, Shape]]:
    """The dtype and shape of each tensor that a call gives; None: not known."""
    own = own_sizes(known, arguments)
    if own is not None:
        return [(result.dtype, own) for result in results(known, arguments)]
    varies = NOTHING if _is_padded_as_needed(arguments) else _changing(_sizing(known, arguments))
    return [
        (
            result.dtype,
            _shape(result.shape, varies) if result.shape is not None else _stacked(known, arguments),
        )
        for result in results(known, arguments)
    ]


def _is_padded_as_needed(arguments: TableArguments) -> bool:
    """Whether a computed tensor says how much is added: mostly what is lacking to one size."""
    added = arguments.values.get("paddings")
    return isinstance(added, Tensor) and added.constant is None


def _sizing(known: Operation, arguments: TableArguments) -> Collection[Value]:
    """The arguments that the result's sizes hang on: of pictures brought to a size, that size."""
    names = _naming_sizes(known.shape)
    if not names:
        return arguments.values.values()
    return [arguments.values[name] for name in names if name in arguments.values]


@functools.cache
def _naming_sizes(shape: str) -> tuple[str, ...]:
    """The parameters of which a rule of shapes says that they alone are the result's size."""
    rule, _, target = shape.partition(" / ")[0].partition("@")
    return tuple(target.split(",")) if target and rule.startswith(("image:", "crops:", "last:")) else ()


def keeps_batch(call: Call, known: Operation) -> bool:
    """Whether the result has the shape of a tensor of which only the open first size is known."""
    if not known.shape.startswith("same:"):
        return False
    given = TableArguments(call, known).values.get(known.shape.removeprefix("same:"))
    return isinstance(given, Tensor) and given.open_batch


def _stacked(known: Operation, arguments: TableArguments) -> Shape:
    """The shape of a stacked list of which only a typical element is known."""
    if known.name.rpartition(".")[2] != "stack" or arguments.value("axis") != 0:
        return None
    given = next(iter(arguments.values.values()), None)
    return shape_of(given) if isinstance(given, Sequence) and given.items is None else None


def _changing(values: Collection[Value]) -> frozenset:  # type: ignore[type-arg]
    """The loops at whose iterations a size differs that comes of those in some values.

    Of two that differ, what one gets more the other may get less: padding to one length.
    """
    sizes: list[AbstractNumber] = []
    for value in values:
        if value.__class__ is not Constant:
            _add_varying_sizes(value, sizes)
    if not sizes:
        return NOTHING
    parts = [item for value in values if isinstance(value, Sequence) for item in value.items or ()]
    if any(map(_is_computed_size, parts)):
        return NOTHING
    if any(isinstance(part, Numeric) and part.shape is None for part in parts):
        return NOTHING
    if len({(tuple([atom for atom, _ in size.term.parts]), size.term.factor < 0) for size in sizes}) > 1:
        return NOTHING
    return NOTHING.union(*(size.varies for size in sizes))


def _is_computed_size(value: Value) -> bool:
    """Whether it is, or has in it, a tensor that is one whole number: `[[0, 16 - tf.shape(x)[0]]]`."""
    if isinstance(value, Sequence):
        return any(map(_is_computed_size, value.items or ()))
    return isinstance(value, Tensor) and value.shape == () and (value.dtype or "int").startswith("int")


def _add_varying_sizes(value: Value, found: list[AbstractNumber]) -> None:
    """Add what may be a size in a value, and differs at each iteration of some loop."""
    if isinstance(value, Sequence) and value.items is not None:
        for item in value.items:
            if item.__class__ is not Constant:
                _add_varying_sizes(item, found)
        return
    given = dimension_given(value) if isinstance(value, Array) and value.shape == () else value
    sizes = (given,) if isinstance(given, AbstractNumber) and given.type == "int" else shape_of(value) or ()
    for size in sizes:
        if isinstance(size, AbstractNumber) and size.varies:
            found.append(size)


def _shape(given: tuple[object, ...] | None, varies: frozenset) -> Shape:  # type: ignore[type-arg]
    if given is None:
        return None
    return tuple(_size(size, varies) for size in given)


def _size(size: object, varies: frozenset) -> int | AbstractNumber | None:  # type: ignore[type-arg]
    if size is OPEN:
        return None
    if isinstance(size, Missing):
        return unknown_size(varies)
    if isinstance(size, Longer) and isinstance(size.size, AbstractNumber):
        return longer(size.size, size.more)
    return size if isinstance(size, (int, AbstractNumber)) or size is None else unknown_size(varies)


def symbolic_argument(call: Call) -> tuple[Value, ast.AST | None] | None:
    """A symbolic tensor among the arguments, also inside lists, and the expression that gave it."""
    from graphdoctor.dryrun.control.staging import is_symbolic
    from graphdoctor.dryrun.tracing.operations import numeric_parts

    given = call.arguments
    named: list[tuple[int | str, Value]] = [*enumerate(given.positional), *given.keywords.items()]
    for key, value in named:
        for part in numeric_parts(value):
            if is_symbolic(call.machine, part):
                return part, given.nodes.get(key)
    return None
