"""Writes src/graphdoctor/source/signatures.json from the installed TensorFlow, Keras and NumPy.

    python scripts/generate_signatures.py

The checker needs no TensorFlow; what it must know of it stands in that table:

tensor  functions that return one tensor in a graph. Each was called in a `tf.function` and its result
        looked at; where no plain call works, the first words of "Returns" in its docstring decide.
numpy   NumPy functions that raise NotImplementedError when they are given a symbolic tensor (run).
name    the position of the parameter `name`, for functions that take it by position.
"""

import inspect
import json
import os
import pathlib
import re
import warnings

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
warnings.simplefilter("ignore")

import keras  # noqa: E402
import numpy  # noqa: E402
import tensorflow as tf  # noqa: E402

TARGET = pathlib.Path(__file__).parents[1] / "src/graphdoctor/source/signatures.json"
SUBMODULES = (
    "math", "linalg", "nn", "image", "signal", "strings", "random", "io", "audio", "bitwise", "sets",
    "quantization", "sparse", "ragged", "dtypes",
)  # fmt: skip
NAMESPACES = {
    "tensorflow": tf,
    **{f"tensorflow.{name}": getattr(tf, name) for name in SUBMODULES},
    "tensorflow.experimental.numpy": tf.experimental.numpy,
    "keras.ops": keras.ops,
    "keras.activations": keras.activations,
    "keras.losses": keras.losses,
    "keras.random": keras.random,
}
# They take a tensor, but run no operation that makes one, or are no functions of the graph.
NOT_CALLED = {
    "tensorflow.function", "tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.print",
    "tensorflow.io.write_file", "tensorflow.random.set_seed", "tensorflow.load_op_library",
    "tensorflow.load_library",
}  # fmt: skip
RETURNS = re.compile(
    r"Returns:\s*\n?\s*(?:(?:A|An|The|Output|Returns?)\s+)?(?:\w+\s+){0,2}`?(?:tf\.)?[Tt]ensor`?(?=[\s.,;:]|$)"
)
NOT_ONE = re.compile(r"Returns:\s*\n?\s*[^\n]*(tuple|list|[Ss]parse|[Rr]agged|\bor\b|Tensors\b|tensors\b)")


def main() -> None:
    """Write the table."""
    functions = dict(public_functions())
    table = {
        "versions": {
            "tensorflow": tf.__version__,
            "keras": keras.__version__,
            "numpy": numpy.__version__,
        },
        "tensor": sorted(name for name, function in functions.items() if returns_tensor(name, function)),
        "numpy": sorted(f"numpy.{name}" for name in numpy_functions_that_raise()),
        "name": {name: index for name, function in functions.items() if (index := name_position(function))},
    }
    TARGET.write_text(json.dumps(table, indent=0) + "\n", encoding="utf-8")
    print({key: len(value) for key, value in table.items()}, TARGET.stat().st_size, "bytes")


def public_functions():
    for prefix, namespace in NAMESPACES.items():
        for name in sorted(dir(namespace)):
            value = getattr(namespace, name, None)
            if (
                name.startswith(("_", "experimental_"))
                or not callable(value)
                or inspect.isclass(value)
                or inspect.ismodule(value)
            ):
                continue
            yield f"{prefix}.{name}", value


def returns_tensor(name: str, function) -> bool:
    if name in NOT_CALLED:
        return False
    kinds = set()
    with tf.Graph().as_default():
        for arguments in sample_arguments():
            try:
                result = function(*arguments)
            except Exception:
                continue
            kinds.add("tensor" if isinstance(result, tf.Tensor) else "other")
            if len(kinds) > 1:
                return False
    if kinds:
        return kinds == {"tensor"}
    text = inspect.getdoc(function) or ""
    return bool(RETURNS.search(text)) and not NOT_ONE.search(text)


def sample_arguments():
    square, numbers, text = tf.ones([2, 2]), tf.constant([1, 0]), tf.constant(["a"])
    image = tf.ones([1, 4, 4, 3])
    yield from ([], [square], [square, square], [square] * 3, [numbers], [text], [square, 0], [square, [4]])
    yield from ([numbers, 2], [[2, 2]], [3], [text, text], [square, tf.float32], [[square, square], 0])
    yield from ([text, "a", "b"], [square, numbers], [image], [image, [2, 2]], [tf.constant([True])])


def numpy_functions_that_raise():
    for name in sorted(dir(numpy)):
        function = getattr(numpy, name)
        if name.startswith("_") or not callable(function) or inspect.isclass(function):
            continue
        with tf.Graph().as_default():
            if numpy_outcomes(function, tf.ones([2, 2])) == {"raises"}:
                yield name


def numpy_outcomes(function, symbolic) -> set[str]:
    outcomes = set()
    for arguments in ((symbolic,), (symbolic, symbolic)):
        try:
            function(*arguments)
            outcomes.add("works")
        except NotImplementedError:
            outcomes.add("raises")
        except Exception:
            continue
    return outcomes


def name_position(function) -> int | None:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    for index, parameter in enumerate(parameters):
        if parameter.kind is parameter.VAR_POSITIONAL:
            return None
        if parameter.name == "name" and parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            return index
    return None


if __name__ == "__main__":
    main()
