"""Keras: the dtype in which a layer computes, as its own argument or the policy of the program says."""

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.keras.objects import has_weights
from graphdoctor.dryrun.libraries.registry import Call, function
from graphdoctor.dryrun.tracing.operations import numeric_parts
from graphdoctor.dryrun.values import (
    NONE,
    Array,
    Constant,
    DType,
    Instance,
    KerasTensor,
    LibraryObject,
    Tensor,
    Value,
)
from graphdoctor.dryrun.values.dtypes import dtype_of, is_float
from graphdoctor.dryrun.values.structures import rebuilt

USUAL = "float32"
# Run on 2.21: what they give are numbers of words and classes, whatever the policy says.
OF_WORDS = ("TextVectorization", "StringLookup", "IntegerLookup", "Hashing", "Discretization")
# Run on 2.21: they give whole numbers and truths as they are; these compute, and the others either of both.
REARRANGING = ("Flatten", "Reshape", "Permute", "Identity")
COMPUTING = ("Rescaling", "Normalization", "Softmax", "LeakyReLU", "GlobalAveragePooling", "CategoryEncoding")
MIXED = "mixed_"  # `mixed_float16`: computes in float16, keeps its variables in float32


@function(
    "keras.config.set_dtype_policy",
    "keras.mixed_precision.set_dtype_policy",
    "keras.mixed_precision.set_global_policy",
    "keras.mixed_precision.experimental.set_policy",
)
def set_dtype_policy(call: Call) -> Value:
    _set(call.machine, call.get(0, "policy"))
    return NONE


@function("keras.backend.set_floatx", "keras.config.set_floatx")
def set_floatx(call: Call) -> Value:
    _set(call.machine, call.get(0, "value"))
    return NONE


@function("keras.DTypePolicy", "keras.mixed_precision.Policy", "keras.mixed_precision.DTypePolicy",
          "keras.mixed_precision.experimental.Policy")  # fmt: skip
def policy(call: Call) -> Value:
    return call.get(0, "name")


def _set(machine: Machine, given: Value) -> None:
    """From now on; where that is not certain, it is unknown."""
    machine.keras_dtype = None if machine.unsure else _computed_in(given)


def _computed_in(given: Value) -> str | None:
    if isinstance(given, DType):
        return given.name
    named = given.value if isinstance(given, Constant) else None
    return named.removeprefix(MIXED) if isinstance(named, str) else None


def dtype_given_by(machine: Machine, holder: Value, given: Value) -> str | None:
    """The dtype of what a layer or model gives for what it is given; None if unknown."""
    dtype = dtype_of_layer(machine, holder)
    if not isinstance(holder, LibraryObject):
        return dtype
    if holder.kind == "model":
        output = holder.cells.get("output")
        return output.dtype if isinstance(output, KerasTensor) else dtype if dtype == USUAL else None
    whole = {dtype_of(each) for each in numeric_parts(given) if not is_float(dtype_of(each))} - {None}
    name = holder.name.rpartition(".")[2]
    if not whole or name in OF_WORDS or has_weights(holder) or name.startswith(COMPUTING):
        return dtype
    return whole.pop() if name in REARRANGING and len(whole) == 1 else None


def dtype_of_layer(machine: Machine, holder: Value) -> str | None:
    """The dtype in which a layer computes; None if unknown."""
    if isinstance(holder, LibraryObject) and holder.name.rpartition(".")[2] in OF_WORDS:
        modes = {"output_mode", "invert", "ragged", "sparse"} & set(holder.arguments)
        return "int64" if not modes and not holder.name.endswith("Discretization") else None
    own = holder.arguments.get("dtype") if isinstance(holder, LibraryObject) else None
    if own is not None and not (isinstance(own, Constant) and own.value is None):
        return _computed_in(own)
    return machine.keras_dtype


def as_layer_gets_it(machine: Machine, holder: Instance, arguments: Arguments) -> Arguments:
    """Arguments as `call` gets them: tensors, and Keras casts what is floating to the layer's dtype.

    Keras 2 does so to the first alone. Where it is unknown how a layer computes, they are left as they are.
    """
    dtype = dtype_of_layer(machine, holder)
    if dtype is None or arguments.loose:
        return arguments
    cast = len(arguments.positional) if holder.cls.module.keras == 3 else 1
    given = [_cast(each, dtype) for each in arguments.positional[:cast]] + arguments.positional[cast:]
    keywords = arguments.keywords
    if holder.cls.module.keras == 3:
        keywords = {name: _cast(each, dtype) for name, each in keywords.items()}
    return Arguments(given, keywords, arguments.nodes)


def _cast(value: Value, dtype: str) -> Value:
    def cast(part: Value) -> Value:
        if isinstance(part, Array):
            return Tensor(dtype if is_float(part.dtype) else part.dtype, part.shape, part.origin, part.paths)
        known = part.dtype if isinstance(part, Tensor) else ""
        if not isinstance(part, Tensor) or known == dtype:
            return part
        if is_float(known) or (known is None and dtype != USUAL):
            part = part.moved(part.origin)
            part.dtype = dtype
        return part

    return rebuilt(value, cast)
