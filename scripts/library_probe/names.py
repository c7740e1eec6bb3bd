"""The public names of the libraries, and which of them are one thing."""

import collections
import importlib
import inspect
import types

SKIPPED = {  # namespaces that are not in the tables, and why
    "tensorflow.compat": "canonical() maps it to the names without compat",
    "tensorflow.keras": "canonical() maps it to keras",
    "tensorflow.raw_ops": "1,460 generated wrappers; those that people use have a public form",
    "tensorflow.tools": "not part of the API, visible because the package holds it",
    "tensorflow.security": "not part of the API, visible because the package holds it",
    "tensorflow.dtensor": "protocol buffers; the API is tf.experimental.dtensor",
    "tensorflow.include": "C++ headers",
    "tensorflow.lite": "a converter: no graph function holds it",
    "tensorflow.mlir": "for the compiler's authors",
    "tensorflow.tpu": "needs the hardware to be run",
    "tensorflow.python": "private",
    "tensorflow.core": "private",
    "tensorflow.experimental.tensorrt": "needs the hardware to be run",
    "tensorflow.experimental.dtensor": "needs a mesh to be run",
    "keras.ops.numpy": "canonical() maps it to keras.ops",
    "keras.ops.nn": "canonical() maps it to keras.ops",
    "keras.ops.linalg": "canonical() maps it to keras.ops",
    "keras.src": "private",
    "keras.utils.legacy": "serialisation of old files",
    "keras.legacy": "serialisation of old files",
    "keras.datasets": "downloads",
    "numpy.ma": "masked arrays: no TensorFlow program was seen with them",
    "numpy.f2py": "a compiler driver",
    "numpy.polynomial": "no TensorFlow program was seen with it",
    "numpy.rec": "record arrays hold no tensor",
    "numpy.char": "text",
    "numpy.strings": "text",
    "numpy.ctypeslib": "C pointers",
    "numpy.core": "private",
    "numpy.lib": "private, but for stride_tricks, which np.broadcast_to covers",
    "numpy.random.mtrand": "private; the same functions as numpy.random",
    "numpy.random.bit_generator": "private",
    "numpy.testing": "asserts of tests",
    "numpy.typing": "types only",
    "numpy.dtypes": "types only",
    "numpy.exceptions": "types only",
    "numpy.conftest": "private",
    "numpy.tests": "private",
    "numpy.matrixlib": "private",
    "numpy.version": "text",
}
# One object, several names: of two names that are equally short the one in the earlier namespace.
PREFERRED = ("keras.layers", "keras.losses", "keras.metrics", "keras.ops", "keras.activations")


class Symbol:
    """One public function or class: its canonical name, its other names, the object."""

    def __init__(self, name: str, aliases: list[str], value: object) -> None:
        self.name = name
        self.aliases = aliases
        self.value = value


def symbols(library: str) -> list[Symbol]:
    """Every public function and class of `library`, each once."""
    root = importlib.import_module(library)
    found = dict(walk(root, library, library, {id(root)})) if library != "scipy" else scipy_functions()
    if library == "keras":  # names that only tf.keras has, such as keras.backend.mean
        legacy = importlib.import_module("keras._tf_keras.keras")
        found = dict(walk(legacy, "keras", "keras", {id(legacy)})) | found
    names = collections.defaultdict(list)
    for name, value in found.items():
        names[id(value)].append(name)
    chosen = {key: canonical(library, found[spelt[0]], spelt) for key, spelt in names.items()}
    result = [Symbol(name, sorted(set(names[key]) - {name}), found[name]) for key, name in chosen.items()]
    return sorted(result, key=lambda symbol: symbol.name)


def scipy_functions() -> dict[str, object]:
    """Functions of the parts of SciPy that TensorFlow programs were seen with."""
    found = {}
    for part in ("special", "stats", "signal", "ndimage"):
        module = importlib.import_module(f"scipy.{part}")
        for name in sorted(getattr(module, "__all__", dir(module))):
            value = getattr(module, name, None)
            if callable(value) and not inspect.isclass(value) and name not in ("test", "get_window"):
                found[f"scipy.{part}.{name}"] = value
    return found


def walk(module, prefix: str, library: str, seen: set[int]):
    for name in sorted(dir(module)):
        full = f"{prefix}.{name}"
        if name.startswith("_") or name == "test" or full in SKIPPED:
            continue
        value = getattr(module, name, None)
        if inspect.ismodule(value):
            inside = value.__name__.startswith(library)  # tf.losses and others are Keras' own
            if inside and id(value) not in seen:
                seen.add(id(value))
                yield from walk(value, full, library, seen)
        elif callable(value) and not isinstance(value, types.ModuleType) and not is_typing(value):
            yield full, value


def is_typing(value: object) -> bool:
    return getattr(type(value), "__module__", "") == "typing"


def canonical(library: str, value, names: list[str]) -> str:
    """The one name: TensorFlow states its own; else the function's own name, in the outermost namespace."""
    if library == "tensorflow":
        from tensorflow.python.util import tf_export

        own = tf_export.get_canonical_name_for_symbol(value)
        if own and f"tensorflow.{own}" in names:
            return f"tensorflow.{own}"
    own = getattr(value, "__name__", "")
    return min(names, key=lambda name: (name.rsplit(".", 1)[1] != own, name.count("."), rank(name), name))


def rank(name: str) -> int:
    namespace = name.rsplit(".", 1)[0]
    return PREFERRED.index(namespace) if namespace in PREFERRED else len(PREFERRED)
