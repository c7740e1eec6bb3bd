"""The dtype in which Keras computes: each program was run on TensorFlow 2.21."""

from inspect import cleandoc

import pytest
from tests.checking import check

LOOP = """
cell = tf.keras.layers.Dense(8{options})
cell(tf.zeros([1, 8]))

@tf.function
def roll(n):
    h = tf.zeros([4, 8]{dtype})
    for _ in tf.range(n):
        h = cell(h)
    return h

roll(tf.constant(3))
"""
HALF = "tf.keras.mixed_precision.set_global_policy('mixed_float16')\n"


def _found(program: str, rule: str = "GD306") -> list[str]:
    return [
        finding.rule for finding in check("import sys\nimport tensorflow as tf\n" + cleandoc(program), rule)
    ]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(LOOP.format(options="", dtype=""), id="as usual"),
        pytest.param(HALF + LOOP.format(options="", dtype=", tf.float16"), id="half, and starts so"),
        pytest.param(LOOP.format(options=", dtype='float64'", dtype=", tf.float64"), id="a layer's own"),
        pytest.param(HALF + LOOP.format(options=", dtype='float32'", dtype=""), id="own beside the policy"),
        pytest.param(f"if sys.argv[1:]: {HALF}" + LOOP.format(options="", dtype=""), id="perhaps"),
        pytest.param(
            f"if sys.argv[1:]: {HALF}" + LOOP.format(options="", dtype=", tf.float16"), id="perhaps half"
        ),
        pytest.param(
            "tf.keras.backend.set_floatx(sys.argv[1])\n" + LOOP.format(options="", dtype=", tf.float64"),
            id="from the command line",
        ),
        pytest.param(
            LOOP.format(options="", dtype=", tf.float16").replace("roll(tf.constant(3))", ""),
            id="a function that nothing here calls",
        ),
        pytest.param(
            HALF
            + cleandoc(
                """
                class Cell(tf.keras.layers.Layer):
                    def __init__(self):
                        super().__init__()
                        self.w = self.add_weight(shape=(8, 8))
                    def call(self, h):
                        return tf.nn.relu(h @ self.w)
                """
            )
            + LOOP.format(options="", dtype=", tf.float16").replace("tf.keras.layers.Dense(8)", "Cell()"),
            id="a layer of the project",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert _found(program) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(HALF + LOOP.format(options="", dtype=""), id="half, and starts as usual"),
        pytest.param(LOOP.format(options=", dtype='float64'", dtype=""), id="a layer's own"),
        pytest.param(
            HALF
            + cleandoc(
                """
                class Cell(tf.keras.layers.Layer):
                    def call(self, h):
                        return h * 2
                """
            )
            + LOOP.format(options="", dtype="").replace("tf.keras.layers.Dense(8)", "Cell()"),
            id="a layer of the project: Keras casts what it gets",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert _found(program) == ["GD306"]
