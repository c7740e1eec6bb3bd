"""One call of a library function: its arguments, made; its result, described."""

import contextlib
import dataclasses
import functools
import inspect
import io

import numpy
import tensorflow as tf

from graphdoctor.dryrun.libraries.tables.arguments import ABSENT, UNKNOWN
from library_probe.encoded import MAKERS, TEXTS
from library_probe.samples import DTYPE_PARAMETERS, Tensor, Tensors

NO_VALUE = inspect.Parameter.empty


@dataclasses.dataclass(frozen=True)
class Leaf:
    """One tensor or array of a result."""

    dtype: str
    shape: tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a call gave: the kind of its result, and the tensors in it."""

    kind: str
    leaves: tuple[Leaf, ...]


class Call:
    """Arguments by parameter, as samples. It answers what the rules of the tables ask (`Arguments`)."""

    def __init__(self, signature: inspect.Signature, given: dict[str, object]) -> None:
        self.signature = signature
        self.given = given

    def changed(self, /, **given: object) -> "Call":
        """The same call with other arguments."""
        return Call(self.signature, self.given | given)

    def tensors(self) -> list[str]:
        return [name for name, sample in self.given.items() if isinstance(sample, (Tensor, Tensors))]

    def value(self, parameter: str) -> object:
        if parameter in self.given:
            return plain(self.given[parameter])
        found = self.signature.parameters.get(parameter)
        if found is None:
            return ABSENT
        default = literal(found.default)
        return default if default is not NO_VALUE else None if is_no_value(found.default) else UNKNOWN

    def shape(self, parameter: str):
        sample = self.given.get(parameter)
        if isinstance(sample, Tensor):
            return sample.shape
        return numpy.shape(sample) if is_plain(sample) and sample is not None else None

    def shapes(self, parameter: str):
        sample = self.given.get(parameter)
        if isinstance(sample, Tensors):
            return [item.shape for item in sample.items]
        return [sample.shape[1:]] * sample.shape[0] if isinstance(sample, Tensor) and sample.shape else None

    def dtype(self, parameter: str) -> str | None:
        sample = self.given.get(parameter)
        if isinstance(sample, Tensors):
            return sample.items[0].dtype
        if isinstance(sample, Tensor):
            return sample.dtype
        number = sample if parameter in self.given else self.value(parameter)
        return type(number).__name__ if type(number) in (int, float, bool, complex) else None


def plain(sample: object) -> object:
    return UNKNOWN if isinstance(sample, (Tensor, Tensors)) else sample


def is_plain(sample: object) -> bool:
    return not isinstance(sample, (Tensors, str))


def is_no_value(default: object) -> bool:
    """NumPy's own word for a default that is looked up later."""
    return type(default).__name__ == "_NoValueType"


def literal(default: object) -> object:
    """The default as the tables hold it, or NO_VALUE."""
    if isinstance(default, tf.DType):
        return default.name
    if isinstance(default, type) and issubclass(default, numpy.generic):
        return numpy.dtype(default).name
    if isinstance(default, type) and default in (float, int, bool):
        return numpy.dtype(default).name
    if default is None or isinstance(default, (bool, int, float, str)):
        return default
    if isinstance(default, (tuple, list)) and all(literal(item) is not NO_VALUE for item in default):
        return tuple(literal(item) for item in default)
    return NO_VALUE


def make(sample: object, library: str) -> object:
    """The argument itself."""
    if isinstance(sample, Tensors):
        return [make(item, library) for item in sample.items]
    if not isinstance(sample, Tensor):
        return list(sample) if isinstance(sample, tuple) and library == "tensorflow" else sample
    if sample.values in MAKERS:
        return MAKERS[sample.values]()
    count = int(numpy.prod(sample.shape))
    if sample.dtype == "string":
        text = TEXTS.get(sample.values, "a")
        array = numpy.full(sample.shape, text, dtype=object if library != "numpy" else str)
        return array if library == "numpy" else tf.constant(array)
    numbers = numbers_of(sample, count)
    return numbers.astype(sample.dtype) if library == "numpy" else tf.cast(tf.constant(numbers), sample.dtype)


def numbers_of(sample: Tensor, count: int):
    if sample.values == "definite" and len(sample.shape) > 1:
        return numpy.broadcast_to(numpy.eye(*sample.shape[-2:]) * 2 + 0.1, sample.shape)
    if sample.dtype.startswith(("int", "uint", "bool")):
        flat = numpy.arange(count) % 2
    else:
        flat = numpy.linspace(0.1, 0.9, max(count, 1))[:count]
    return (flat * 0 + 1 if sample.values == "equal" else flat).reshape(sample.shape)


def arguments(call: Call, library: str, made: dict[str, object] | None = None):
    """Positional and keyword arguments; `made` stands in for some of the samples."""
    positional, keywords = [], {}
    kinds = [call.signature.parameters[name].kind for name in call.given]
    starred = inspect.Parameter.VAR_POSITIONAL in kinds
    for name, sample in call.given.items():
        kind = call.signature.parameters[name].kind
        value = made[name] if made and name in made else make(sample, library)
        if library == "tensorflow" and name in DTYPE_PARAMETERS and isinstance(value, str):
            value = tf.dtypes.as_dtype(value)
        if kind is inspect.Parameter.VAR_POSITIONAL:
            positional.extend(value)
        elif kind is inspect.Parameter.POSITIONAL_ONLY or (starred and kind is kinds[0]):
            positional.append(value)
        else:
            keywords[name] = value
    return positional, keywords


def run(function, call: Call, library: str, made: dict[str, object] | None = None):
    """The result itself; raises whatever the function raises."""
    positional, keywords = arguments(call, library, made)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return function(*positional, **keywords)


def outcome(function, call: Call, library: str) -> Outcome | None:
    """What the call gave; None if it raised."""
    try:
        return describe(run(function, call, library))
    except Exception:
        return None


def is_array(value: object) -> bool:
    return isinstance(value, (tf.Tensor, numpy.ndarray, numpy.generic))


def describe(result: object) -> Outcome:
    """The kind of a result and its tensors."""
    if is_array(result):
        return Outcome("tensor" if isinstance(result, tf.Tensor) else "array", (leaf(result),))
    if isinstance(result, (tuple, list)) and result and all(is_array(item) for item in result):
        leaves = tuple(leaf(item) for item in result)
        if hasattr(result, "_fields"):
            return Outcome("namedtuple:" + ",".join(result._fields), leaves)
        return Outcome(f"tuple:{len(result)}" if isinstance(result, tuple) else "list", leaves)
    return Outcome(python_kind(result), ())


def leaf(value) -> Leaf:
    shape = tuple(value.shape)
    dtype = value.dtype.name if hasattr(value.dtype, "name") else str(value.dtype)
    return Leaf("string" if dtype.startswith("str") else dtype, shape)


def python_kind(result: object) -> str:
    if result is None:
        return "none"
    if type(result).__module__ == "builtins" and not callable(result):
        return f"python:{type(result).__name__}"
    public = public_classes()
    name = next((public[base] for base in type(result).__mro__ if base in public and base is not object), "")
    return f"object:{name}" if name else "unknown"


@functools.cache
def public_classes() -> dict[type, str]:
    """The public name of each public class."""
    from library_probe.names import symbols

    found = [symbol for library in ("numpy", "keras", "tensorflow") for symbol in symbols(library)]
    return {symbol.value: symbol.name for symbol in found if inspect.isclass(symbol.value)}
