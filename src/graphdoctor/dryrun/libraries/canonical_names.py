"""The canonical names of library functions: `tf.math.reduce_sum` and `tf.reduce_sum` are one."""

from __future__ import annotations

import functools
import sys

from graphdoctor.dryrun.libraries.tables.names import names, spellings
from graphdoctor.dryrun.libraries.tables.tables import members
from graphdoctor.dryrun.values import Constant, Value

STANDARD = frozenset(sys.stdlib_module_names)
LOADED_BEFORE = frozenset(
    (*sys.builtin_module_names, "abc", "codecs", "encodings", "io", "os", "site", "stat")
)
THIRD_PARTY = names("packages that are no project")
PREFIXES = tuple(spellings("beginnings").items())
MODULES = spellings("modules")
SAME = spellings("other spellings")
DTYPES = names("dtypes")
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
