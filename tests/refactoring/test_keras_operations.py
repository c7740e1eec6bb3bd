"""Each function that `keras.ops` is said to have as well gives the same, under both names."""

import json

import pytest
from tests.running import TensorFlowServer

from graphdoctor.refactoring.calls.keras_operations import KERAS_OPERATIONS

# What is given beside the tensors, by the name of the function.
MORE: dict[str, tuple[str, ...]] = {
    "cast": ("'int32'",),
    "clip_by_value": ("0.3", "0.6"),
    "concat": ("1",),
    "expand_dims": ("1",),
    "one_hot": ("4",),
    "reshape": ("[3, 2]",),
    "squeeze": ("-1",),
    "stack": ("1",),
    "tile": ("[2, 1]",),
    "transpose": ("[1, 0]",),
    **{f"reduce_{name}": ("1", "True") for name in ("sum", "mean", "max", "min", "prod", "logsumexp")},
}
PROGRAM = """
import inspect, json, keras, numpy as np, tensorflow as tf

FLOATS = np.array([[-0.5, 0.2, 0.5], [1.5, 2.5, -2.0]], "float32")
PLACED = {"float32": FLOATS, "int32": np.array([[1, 0, 2], [3, 2, 1]], "int32"), "bool": FLOATS > 0.3}
for name, keras_name, kind, number, more, names, keywords in json.loads(CASES):
    value = PLACED[kind]
    value = value[..., None] if name.endswith("squeeze") else value
    value = abs(value) if "log" in name.rpartition(".")[2] and kind != "bool" or "sqrt" in name else value
    function, other = tf, keras.ops
    for part in name.split(".")[1:]:
        function = getattr(function, part)
    other = getattr(keras.ops, keras_name)
    if list(inspect.signature(function).parameters)[: len(names)] != names:
        print(name, names)
    if number == "list":
        given, tensors = [[tf.constant(value)] * 2], [tf.constant(value)] * 2
    else:
        tensors = [tf.constant(value)] * number
        given = [tf.transpose(t) if name.endswith("matmul") and i else t for i, t in enumerate(tensors)]
    rest = [eval(each) for each in more]
    expected = function(*given, *rest)
    for found in (other(*given, *rest), other(**dict(zip(keywords, [*given, *rest])))):
        same = np.allclose(expected, found, rtol=1e-6, equal_nan=True) and expected.dtype == found.dtype
        if not same:
            print(name, kind, expected, found)
print("done")
"""


def _cases() -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for name, known in KERAS_OPERATIONS.items():
        last = name.rpartition(".")[2]
        pair = "x2" in known.parameters.values()
        number = "list" if last in ("concat", "stack") else 2 if pair else 1
        kinds = ["int32"] if last == "one_hot" else ["bool"] if last.startswith("logical") else ["float32"]
        kinds += (
            []
            if known.floats or last in ("one_hot", "logical_and", "logical_or", "clip_by_value")
            else ["int32"]
        )
        more = MORE.get(last, ())
        names, keywords = list(known.parameters), list(known.parameters.values())
        found += [(name, known.name, kind, number, more, names, keywords) for kind in kinds]
    return found


@pytest.mark.tensorflow
def test_both_give_the_same(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(f"CASES = {json.dumps(_cases())!r}\n{PROGRAM}")
    assert (ran.error, ran.output.strip()) == (None, "done")


def test_the_names_are_those_of_tensorflow() -> None:
    assert KERAS_OPERATIONS["tensorflow.reduce_sum"].name == "sum"
    assert "tensorflow.argmax" not in KERAS_OPERATIONS
