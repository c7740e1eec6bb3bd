"""Classes whose objects a program holds: their public attributes, and their methods as operations."""

import inspect

import keras
import numpy
import tensorflow as tf
from tensorflow.python.framework.ops import EagerTensor

from library_probe.names import Symbol

TYPES: dict[str, dict[str, type]] = {
    "tensorflow": {
        "tensorflow.Tensor": tf.Tensor,
        "tensorflow.EagerTensor": EagerTensor,
        "tensorflow.Variable": tf.Variable,
        "tensorflow.TensorArray": tf.TensorArray,
        "tensorflow.TensorShape": tf.TensorShape,
        "tensorflow.TensorSpec": tf.TensorSpec,
        "tensorflow.dtypes.DType": tf.DType,
        "tensorflow.sparse.SparseTensor": tf.SparseTensor,
        "tensorflow.RaggedTensor": tf.RaggedTensor,
        "tensorflow.IndexedSlices": tf.IndexedSlices,
        "tensorflow.GradientTape": tf.GradientTape,
        "tensorflow.Module": tf.Module,
        "tensorflow.Graph": tf.Graph,
        "tensorflow.Operation": tf.Operation,
        "tensorflow.function": type(tf.function(lambda: 0)),
        "tensorflow.data.Dataset": tf.data.Dataset,
        "tensorflow.data.Iterator": tf.data.Iterator,
        "tensorflow.random.Generator": tf.random.Generator,
        "tensorflow.distribute.Strategy": tf.distribute.Strategy,
        "tensorflow.train.Checkpoint": tf.train.Checkpoint,
        "tensorflow.train.CheckpointManager": tf.train.CheckpointManager,
        "tensorflow.summary.SummaryWriter": tf.summary.SummaryWriter,
        "tensorflow.lookup.StaticHashTable": tf.lookup.StaticHashTable,
    },
    "keras": {
        "keras.Layer": keras.Layer,
        "keras.Model": keras.Model,
        "keras.Sequential": keras.Sequential,
        "keras.Variable": keras.Variable,
        "keras.KerasTensor": keras.KerasTensor,
        "keras.Optimizer": keras.Optimizer,
        "keras.Metric": keras.Metric,
        "keras.Loss": keras.Loss,
        "keras.Initializer": keras.Initializer,
        "keras.callbacks.Callback": keras.callbacks.Callback,
    },
    "numpy": {
        "numpy.ndarray": numpy.ndarray,
        "numpy.generic": numpy.generic,
        "numpy.dtype": numpy.dtype,
        "numpy.random.Generator": numpy.random.Generator,
        "numpy.random.RandomState": numpy.random.RandomState,
    },
}
GENERATORS = {
    "numpy.random.Generator": numpy.random.default_rng(0),
    "numpy.random.RandomState": numpy.random.RandomState(0),
}


OBJECTS = {
    "tensorflow.data.Dataset": lambda: tf.data.Dataset.range(4),
    "tensorflow.TensorArray": lambda: tf.TensorArray(tf.float32, 2).unstack(tf.ones([2, 3])),
    "tensorflow.random.Generator": lambda: tf.random.Generator.from_seed(1),
    "tensorflow.TensorShape": lambda: tf.TensorShape([2, 3]),
}
NOT_CALLED_METHODS = ("save", "load", "snapshot", "cache", "close", "from_generator", "list_files", "random")


def reseed(generator) -> None:
    bits = generator.bit_generator if hasattr(generator, "bit_generator") else generator._bit_generator
    bits.state = type(bits)(0).state


def attributes(library: str) -> dict[str, str]:
    """The public methods and attributes of each class, separated by spaces."""
    found = {
        name: " ".join(sorted(word for word in dir(kind) if not word.startswith("_")))
        for name, kind in TYPES.get(library, {}).items()
    }
    if library == "tensorflow":
        found["tensorflow.EagerTensor"] += " numpy"  # the extension type hides it from `dir`
    return found


def method_symbols(library: str) -> list[Symbol]:
    """Methods that can be called like functions, their object being the parameter `self`, or a generator."""
    found = []
    if library == "numpy":
        for name in public_methods(numpy.ndarray):
            found.append(Symbol(f"numpy.ndarray.{name}", [], getattr(numpy.ndarray, name)))
        for kind, generator in GENERATORS.items():
            for name in public_methods(type(generator)):
                found.append(Symbol(f"{kind}.{name}", [], getattr(generator, name)))
    if library == "tensorflow":
        for name in public_methods(tf.Variable):
            if name not in ("experimental_ref", "from_proto", "SaveSliceInfo"):
                found.append(Symbol(f"tensorflow.Variable.{name}", [], variable_method(name)))
        for kind, make in OBJECTS.items():
            for name in public_methods(TYPES[library][kind]):
                if name not in NOT_CALLED_METHODS:
                    found.append(Symbol(f"{kind}.{name}", [], bound(make, name)))
    return found


def bound(make, name: str):
    """The method of a new object each time, as a function."""

    def call(*arguments, **keywords):
        return getattr(make(), name)(*arguments, **keywords)

    call.__signature__ = inspect.signature(getattr(make(), name))
    return call


def public_methods(kind: type) -> list[str]:
    return [name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))]


def variable_method(name: str):
    """The method as a function of the tensor that a new Variable starts with."""
    method = getattr(tf.Variable, name)

    def call(*arguments, **keywords):
        first = arguments[0] if arguments else keywords.pop("self")
        return getattr(tf.Variable(first), name)(*arguments[1:], **keywords)

    call.__signature__ = inspect.signature(method)
    return call
