"""The canonical names of library functions: `tf.math.reduce_sum` and `tf.reduce_sum` are one."""

from __future__ import annotations

import functools
import sys

from graphdoctor.dryrun.libraries.tables.tables import members
from graphdoctor.dryrun.values import Constant, Value

STANDARD = frozenset(sys.stdlib_module_names)
LOADED_BEFORE = frozenset(
    (*sys.builtin_module_names, "abc", "codecs", "encodings", "io", "os", "site", "stat")
)
THIRD_PARTY = frozenset((
    "tensorflow", "keras", "tf_keras", "numpy", "scipy", "pandas", "matplotlib", "absl", "PIL", "cv2",
    "sklearn", "tqdm", "torch", "jax", "yaml", "wandb", "tensorflow_probability", "tensorflow_datasets",
    "tensorflow_addons", "tensorflow_hub", "transformers", "gym", "gymnasium", "seaborn", "h5py",
    "requests", "attr", "attrs", "flax",
))  # fmt: skip
PREFIXES = (
    ("tensorflow.compat.v2.", "tensorflow."),
    ("tensorflow.compat.v1.keras.", "keras."),
    ("tensorflow.python.keras.", "keras."),
    ("tensorflow.keras.", "keras."),
    ("tensorflow.losses.", "keras.losses."),
    ("tensorflow.metrics.", "keras.metrics."),
    ("tensorflow.optimizers.", "keras.optimizers."),
    ("tensorflow.initializers.", "keras.initializers."),
    ("tf_keras.", "keras."),
    ("keras_core.", "keras."),
    ("keras.api.", "keras."),
    ("keras.src.", "keras."),
    ("tensorflow.python.eager.def_function.", "tensorflow."),
    ("tensorflow.compat.v1.app.flags.", "absl.flags."),
    ("tensorflow.compat.v1.flags.", "absl.flags."),
    ("tensorflow.compat.v1.app.", "absl.app."),
)
MODULES = {"tensorflow.keras": "keras", "tf_keras": "keras", "tensorflow.compat.v2": "tensorflow",
           "keras.api": "keras", "tensorflow.python.keras": "keras", "keras_core": "keras",
           "tensorflow.losses": "keras.losses", "tensorflow.metrics": "keras.metrics",
           "tensorflow.optimizers": "keras.optimizers",
           "tensorflow.initializers": "keras.initializers"}  # fmt: skip
SAME = {
    "tensorflow.python.framework.ops.disable_eager_execution": "tensorflow.compat.v1.disable_eager_execution",
    "keras.models.Model": "keras.Model",
    "keras.models.Sequential": "keras.Sequential",
    "keras.layers.Layer": "keras.Layer",
    "keras.layers.Input": "keras.Input",
    "keras.engine.training.Model": "keras.Model",
    "numpy.random.mtrand.RandomState": "numpy.random.RandomState",
    "tensorflow.contrib.eager.GradientTape": "tensorflow.GradientTape",
    "tensorflow.data.experimental.AUTOTUNE": "tensorflow.data.AUTOTUNE",
}
DTYPES = frozenset((
    "float16", "bfloat16", "float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32",
    "int64", "uint64", "bool", "string", "complex64", "complex128", "bool_", "half", "double", "single",
    "intp",
))  # fmt: skip
ONLY_NUMPY = frozenset(("bool_", "single", "intp"))
OTHER_DTYPES = {"half": "float16", "double": "float64", "single": "float32", "bool_": "bool", "intp": "int64"}
CONSTANTS: dict[str, Value] = {
    "numpy.newaxis": Constant(None),
    "tensorflow.newaxis": Constant(None),
    "numpy.pi": Constant(3.141592653589793),
    "math.pi": Constant(3.141592653589793),
    "numpy.e": Constant(2.718281828459045),
    "numpy.inf": Constant(float("inf")),
    "math.inf": Constant(float("inf")),
    "numpy.nan": Constant(float("nan")),
    "numpy.NaN": Constant(float("nan")),
    "math.nan": Constant(float("nan")),
    "tensorflow.data.AUTOTUNE": Constant(-1),
    "typing.TYPE_CHECKING": Constant(False),
    "tensorflow.__version__": Constant("2.21.0"),
}


def can_be_hidden(top: str) -> bool:
    """Whether a script's neighbour of this name is imported in place of the library.

    Not what Python has loaded before the script starts; and our tables are for TensorFlow as installed.
    """
    return top not in LOADED_BEFORE and top not in ("tensorflow", "keras", "tf_keras", "numpy")


def is_external(top: str) -> bool:
    """Whether a module of this name is surely not the project's own."""
    return top in THIRD_PARTY or top in STANDARD


@functools.lru_cache(maxsize=8192)
def canonical(name: str) -> str:
    """The one name of what a library offers under several."""
    name = MODULES.get(name, name)
    for prefix, replacement in PREFIXES:
        if name.startswith(prefix):
            name = replacement + name[len(prefix) :]
            break
    if name.startswith("tensorflow."):
        name = _of_tensorflow(name)
    return SAME.get(name, name)


def _of_tensorflow(name: str) -> str:
    for prefix in ("tensorflow.compat.v1.",):
        if name.startswith(prefix):
            rest = name[len(prefix) :]
            return (
                name
                if rest in ("placeholder", "Session", "disable_eager_execution")
                else f"tensorflow.{rest}"
            )
    return name


def public_names(library: str) -> frozenset[str]:
    """What `from library import *` binds, as far as we know."""
    constants = {name.rpartition(".")[2] for name in CONSTANTS if name.rpartition(".")[0] == library}
    dtypes = DTYPES - ONLY_NUMPY if library == "tensorflow" else frozenset()
    return members(library) | dtypes | {name for name in constants if not name.startswith("_")}


def dtype_name(name: str) -> str | None:
    """The dtype that a library's name stands for."""
    library, _, last = name.rpartition(".")
    if last not in DTYPES or library not in ("tensorflow", "numpy", "tensorflow.dtypes", "keras.backend"):
        return None
    return OTHER_DTYPES.get(last, last)
