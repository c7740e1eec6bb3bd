"""The kinds of value, and the memory of what has been found out about expressions."""

import ast
import dataclasses
import enum


class Kind(enum.Enum):
    """Kinds of value that graph mode treats differently; UNKNOWN is silence."""

    NUMBER = "number"
    TEXT = "text"
    NONE = "None"
    ARRAY = "array"
    TENSOR = "tensor"
    TENSORS = "tensor, or a structure of tensors"
    VARIABLE = "variable"
    TENSOR_ARRAY = "TensorArray"
    DATASET = "dataset"
    SHAPE = "shape"
    LIST = "list"
    TUPLE = "tuple"
    DICT = "dict"
    LAYER = "Keras layer"
    UNKNOWN = "unknown"
    PENDING = "pending"  # never given out: what depends on itself


@dataclasses.dataclass(slots=True)
class Memory:
    """What has been found out already, and what is being found out.

    `cuts` counts unfinished answers, `steps` the work for the present question: names that are bound
    again and again from each other, as in long notebooks, would otherwise be followed for ever.
    """

    kinds: dict[ast.expr, Kind] = dataclasses.field(default_factory=dict)
    pending: set[ast.expr] = dataclasses.field(default_factory=set)
    cuts: int = 0
    steps: int = 0
