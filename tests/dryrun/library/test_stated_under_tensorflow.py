"""The facts that are stated by hand (`library_probe.special`), on the real libraries."""

import functools
import json
import subprocess
import sys
from typing import Any

import pytest
from given import Given

from graphdoctor.dryrun.libraries.tables.dtypes import result_dtype
from graphdoctor.dryrun.libraries.tables.shapes import result_shape
from graphdoctor.dryrun.libraries.tables.tables import operation, promotion

pytestmark = pytest.mark.tensorflow

ONES = {"value": (3,)}
PICTURE = (
    {"image": (5, 6, 3), "images": (5, 6, 3)},
    {"image": "uint8", "images": "uint8"},
)
SIZE = {"target_height": 2, "target_width": 4}
PICTURES: dict[str, dict[str, Any]] = {
    "resize(picture, [2, 4])": {"size": [2, 4], "method": "bilinear"},
    "resize(picture, [2, 4], 'nearest')": {"size": [2, 4], "method": "nearest"},
    "resize(picture, [2, 4], 'area')": {"size": [2, 4], "method": "area"},
    "resize_with_pad(picture, 2, 4)": {**SIZE, "method": "bilinear"},
    "resize_with_pad(picture, 2, 4, 'nearest')": {**SIZE, "method": "nearest"},
    "resize_with_crop_or_pad(picture, 2, 4)": SIZE,
    "crop_to_bounding_box(picture, 0, 0, 2, 4)": SIZE,
    "pad_to_bounding_box(picture, 0, 0, 7, 8)": {"target_height": 7, "target_width": 8},
}
# name, the call, the same call as the rules see it
CALLS = [
    ("tensorflow.constant", "tf.constant(1.5)", Given(value=1.5, dtype=None)),
    ("tensorflow.constant", "tf.constant([1, 2])", Given({"value": (2,)}, {"value": "int"}, dtype=None)),
    ("tensorflow.constant", "tf.constant(1, tf.int64)", Given(value=1, dtype="int64")),
    ("tensorflow.convert_to_tensor", "tf.convert_to_tensor(np.ones(3))", Given(ONES, {"value": "float64"})),
    ("tensorflow.convert_to_tensor", "tf.convert_to_tensor(True)", Given(value=True)),
    ("tensorflow.range", "tf.range(5)", Given(start=5, limit=None, delta=1)),
    ("tensorflow.range", "tf.range(1, 6, 2)", Given(start=1, limit=6, delta=2)),
    ("tensorflow.range", "tf.range(2.0)", Given(start=2.0, limit=None, delta=1)),
    ("tensorflow.range", "tf.range(5, dtype=tf.int64)", Given(start=5, limit=None, delta=1, dtype="int64")),
    ("tensorflow.linspace", "tf.linspace(0.0, 1.0, 5)", Given(start=0.0, stop=1.0, num=5)),
    ("tensorflow.linspace", "tf.linspace(0, 1, 5)", Given(start=0, stop=1, num=5)),
    ("tensorflow.cast", "tf.cast(tf.ones([2]), tf.int32)", Given({"x": (2,)}, dtype="int32")),
    ("tensorflow.shape", "tf.shape(tf.ones([2, 3]))", Given({"input": (2, 3)}, {"input": "float32"})),
    (
        "tensorflow.gather",
        "tf.gather(tf.ones([2, 3]), [[0], [1]], axis=1)",
        Given({"params": (2, 3), "indices": (2, 1)}, {"params": "float32"}, axis=1, batch_dims=0),
    ),
    *(
        (f"tensorflow.math.{name}", f"tf.math.{name}(x('{dtype}'), x('{dtype}'))", of)
        for name in ("truediv", "divide")
        for dtype in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16")
        for of in [Given({"x": (2,), "y": (2,)}, {"x": dtype, "y": dtype})]
    ),
    ("tensorflow.one_hot", "tf.one_hot(1, 3)", Given({"indices": ()}, {"indices": "int32"}, depth=3)),
    (
        "tensorflow.one_hot",
        "tf.one_hot(1, 3, on_value=1, off_value=0)",
        Given({"indices": ()}, {"indices": "int32"}, depth=3, on_value=1, off_value=0),
    ),
    *(
        (f"tensorflow.image.{call.partition('(')[0]}", f"tf.image.{call}", Given(*PICTURE, **values))
        for call, values in PICTURES.items()
    ),
    (
        "tensorflow.image.crop_and_resize",
        "tf.image.crop_and_resize(tf.ones([1, 5, 6, 3]), [[0.0, 0.0, 1.0, 1.0]] * 2, [0, 0], [2, 4])",
        Given({"image": (1, 5, 6, 3), "boxes": (2, 4)}, {"image": "float32"}, crop_size=[2, 4]),
    ),
    (
        "tensorflow.linalg.matmul",
        "tf.linalg.matmul(tf.ones([2, 2], tf.int8), tf.ones([2, 2], tf.int8), output_type=tf.int32)",
        Given({"a": (2, 2), "b": (2, 2)}, {"a": "int8", "b": "int8"}, output_type="int32"),
    ),
    (
        "tensorflow.random.categorical",
        "tf.random.categorical(tf.ones([2, 3]), 4)",
        Given({"logits": (2, 3)}, num_samples=4),
    ),
    ("keras.ops.arange", "tf.keras.ops.arange(5)", Given(start=5, stop=None, step=None)),
    ("keras.ops.arange", "tf.keras.ops.arange(1, 6, 2)", Given(start=1, stop=6, step=2)),
    ("keras.ops.arange", "tf.keras.ops.arange(2.0)", Given(start=2.0, stop=None, step=None)),
    ("numpy.arange", "np.arange(5)", Given(start_or_stop=5, stop=None, step=1)),
    ("numpy.arange", "np.arange(0.5)", Given(start_or_stop=0.5, stop=None, step=1)),
    (
        "numpy.fft.rfft",
        "np.fft.rfft(np.ones([3, 8]))",
        Given({"a": (3, 8)}, {"a": "float64"}, n=None, axis=-1),
    ),
    (
        "numpy.fft.rfft",
        "np.fft.rfft(np.ones([9, 2]), 6, 0)",
        Given({"a": (9, 2)}, {"a": "float64"}, n=6, axis=0),
    ),
    ("numpy.float32", "np.float32(1)", Given(value=1)),
    (
        "tensorflow.image.non_max_suppression_overlaps",
        "tf.image.non_max_suppression_overlaps(tf.eye(2), [0.9, 0.8], 2)",
        Given(max_output_size=2),
    ),
]


@functools.cache
def results() -> Any:
    """The dtype and shape that each call gives."""
    lines = "\n".join(f"show({call})" for _, call, _ in CALLS)
    program = (
        "import os; os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'\n"
        "import json, numpy as np, tensorflow as tf\n"
        "def show(x):\n"
        "    dtype = getattr(x.dtype, 'as_numpy_dtype', x.dtype)\n"
        "    print(json.dumps([np.dtype(dtype).name, list(x.shape)]))\n"
        "def x(dtype): return tf.ones([2], dtype)\n"
        "picture = tf.ones([5, 6, 3], tf.uint8)\n"
        f"{lines}\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("index", range(len(CALLS)), ids=[call for _, call, _ in CALLS])
def test_rules_of_special_functions(index: int) -> None:
    name, _, arguments = CALLS[index]
    dtype, shape = results()[index]
    found = operation(name)
    assert found is not None
    assert result_dtype(found.dtype, arguments, found.library, promotion(found.library)) == dtype
    assert matches(result_shape(found.shape, arguments), shape)


def matches(expected: Any, shape: list[int]) -> bool:
    return len(expected) == len(shape) and all(
        size == real for size, real in zip(expected, shape, strict=True) if isinstance(size, int)
    )


NMS = "tf.image.non_max_suppression_padded(tf.ones([3, 4]), tf.ones([3]), 2{})"
RESULTS = [
    *(
        (
            "tensorflow.image.non_max_suppression_padded",
            f"[x.dtype.name for x in {NMS.format(option)}] == ['int32', 'int32']",
        )
        for option in ("", ", pad_to_max_output_size=True")
    ),
    ("numpy.ndarray.item", "type(np.ones(1).item()) is float and type(np.ones(1, int).item()) is int"),
    ("numpy.ndarray.tolist", "type(np.ones(1).tolist()) is list"),
    ("numpy.einsum", "type(np.einsum('ij->ji', np.ones((2, 3)))) is np.ndarray"),
    ("tensorflow.print", "tf.print() is None"),
    ("tensorflow.TensorArray.write", "hasattr(tf.TensorArray(tf.float32, 1).write(0, 1.0), 'stack')"),
    ("tensorflow.math.imag", "gradient(lambda v: tf.math.imag(tf.complex(1.0, v))) is not None"),
    ("tensorflow.math.angle", "gradient(lambda v: tf.math.angle(tf.complex(1.0, v))) is not None"),
    ("tensorflow.math.zeta", "gradient(lambda v: tf.math.zeta(2.0, v)) is not None"),
    ("tensorflow.py_function", "gradient(lambda v: tf.py_function(tf.square, [v], tf.float32)) is not None"),
    ("tensorflow.numpy_function", "gradient(lambda v: tf.numpy_function(np.abs, [v], tf.float32)) is None"),
    ("tensorflow.Variable.read_value", "gradient(lambda v: v.read_value()) is not None"),
    ("tensorflow.Variable.value", "gradient(lambda v: v.value()) is not None"),
]


def test_results_of_special_functions() -> None:
    program = (
        "import os; os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'\n"
        "import numpy as np, tensorflow as tf\n"
        "def gradient(read):\n"
        "    v = tf.Variable(1.0)\n"
        "    with tf.GradientTape() as tape:\n"
        "        y = read(v) * 2\n"
        "    return tape.gradient(y, v)\n"
    ) + "\n".join(f"assert {check}, {name!r}" for name, check in RESULTS)
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert all(operation(name) for name, _ in RESULTS)
