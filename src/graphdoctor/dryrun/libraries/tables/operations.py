"""What the tables hold: functions and classes of the libraries."""

import ast
import functools
import itertools

import msgspec

from graphdoctor.dryrun.libraries.tables.arguments import UNKNOWN

SHORT = {"parameters": "in", "result": "out", "gradient": "grad"}  # the keys in the file


# Options that say which dtype the result has.
STATING = ("dtype", "output_type", "out_type", "Tout", "output_dtype")


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename=SHORT):
    """An operation as the file holds it; what is not known is left out.

    "@3" stands for the table's signature 3, "object" for an object of the class itself.
    """

    parameters: str = ""
    result: str = "unknown"
    number: str = ""
    dtype: str = ""
    shape: str = ""
    unless: tuple[str, ...] = ()
    gradient: str = ""
    cut: str = ""
    zero: str = ""
    raises: bool = False
    open: bool = False
    makes: str = ""
    effect: str = ""
    weights: str = ""
    state: bool = False
    random: bool = False
    inputs: str = ""


class Operation(msgspec.Struct, frozen=True):
    """One public function or class.

    Attributes:
        parameters: names in order, without `self`; "*" before keyword-only ones, "*args", "**kwargs".
        defaults: the parameters that may be left out; UNKNOWN stands for a default that is no literal.
        result: "tensor", "array", "list" and "tuple" (of these, any number), "tuple:2",
            "namedtuple:values,indices", "none", "python:int", "object:tensorflow.TensorArray", "unknown".
        number: the Python number that it gives instead of an array without axes, "python:float".
        dtype, shape: a rule of `dtypes` and `shapes`, or "". Several results: rules separated by " / ";
            of a list, the rule of each element.
        unless: parameters that make result, dtype or shape untrue when they are given.
        reached: parameters that get a gradient if they are floating point; a result that is not floating
            point carries none (tf.cast to an integer).
        cut: parameters that get None; "*" if no parameter can have a gradient. A parameter that is neither
            in `reached` nor in `cut` was not tried.
        zero: those of `reached` whose gradient is zero everywhere.
        raises_on_symbolic: it raises when given a symbolic tensor while tracing.
        open: while tracing, its static shape has an open size although its inputs have none.
        makes: "variable", "layer", "model", "optimizer", "metric", "loss", "dataset" …, or "".
        effect: "random", "print", "write" (Python does it while tracing), or "".
        names: the parameters that can be given by name, in order.
        rules: those of dtype and shape, of each result.
        stating: options that say which dtype the result has, and that no rule asks for.
    """

    name: str
    parameters: tuple[str, ...]
    defaults: dict[str, object]
    result: str
    number: str
    dtype: str
    shape: str
    unless: frozenset[str]
    reached: tuple[str, ...]
    cut: tuple[str, ...]
    zero: tuple[str, ...]
    raises_on_symbolic: bool
    open: bool
    makes: str
    effect: str
    names: tuple[str, ...]
    library: str
    rules: tuple[tuple[str, str], ...]
    stating: tuple[str, ...] = ()

    @property
    def gradient(self) -> bool | None:
        """True: some floating point input gets one; False: none does; None: not known."""
        return True if self.reached else False if self.cut else None

    def position(self, parameter: str) -> int | None:
        """Where the parameter stands in a call by position; None if it can only be named, or is none."""
        names = self.parameters[: self.parameters.index("*")] if "*" in self.parameters else self.parameters
        starred = next((i for i, name in enumerate(names) if name.startswith("*")), len(names))
        return names.index(parameter) if parameter in names[:starred] else None


class KerasClass(msgspec.Struct, frozen=True):
    """A class of Keras.

    Attributes:
        kind: "layer", "model", "optimizer", "metric", "loss", "initializer", "callback", "regularizer" …
        weights: when it has weights: "made" with the object, "built" by the first call, "none" never,
            "" not known.
        state: some of its weights are not trained (the averages of BatchNormalization).
        random: it draws random numbers when it is called with training=True.
        inputs: what it was called with: "2" axes, "4" axes, "list" of tensors, "" unknown.
    """

    name: str
    kind: str
    weights: str
    state: bool
    random: bool
    inputs: str


def operation_of(name: str, entry: Entry, text: str) -> Operation:
    """The operation that an entry of the file states; `text` holds its parameters."""
    parameters, defaults = parsed(text)
    return Operation(
        name=name,
        parameters=parameters,
        defaults=defaults,
        result=f"object:{name}" if entry.result == "object" else entry.result,
        number=entry.number,
        dtype=entry.dtype,
        shape=entry.shape,
        unless=frozenset(entry.unless),
        reached=tuple(entry.gradient.split()),
        cut=tuple(entry.cut.split()),
        zero=tuple(entry.zero.split()),
        raises_on_symbolic=entry.raises,
        open=entry.open,
        makes=entry.makes,
        effect=entry.effect,
        names=tuple(name for name in parameters if not name.startswith("*")),
        library=name.partition(".")[0],
        rules=tuple(itertools.zip_longest(entry.dtype.split(" / "), entry.shape.split(" / "), fillvalue="")),
        stating=tuple(o for o in STATING if o in parameters and f"param:{o}|" not in entry.dtype),
    )


def parsed(text: str) -> tuple[tuple[str, ...], dict[str, object]]:
    """Parameters and defaults of "x axis=None * keepdims=False"."""
    names, defaults = [], {}
    for word in text.split():
        name, equals, default = word.partition("=")
        names.append(name)
        if equals:
            defaults[name] = UNKNOWN if default == "..." else _literal(default)
    return tuple(names), defaults


@functools.cache
def _literal(text: str) -> object:
    return ast.literal_eval(text)
