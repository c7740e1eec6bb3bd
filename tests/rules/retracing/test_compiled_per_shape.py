"""GD118 from the source: must not fire, must fire; what a run tells is in tests/observer."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD118"
PROGRAM = cleandoc(
    """
    import numpy as np
    import tensorflow as tf

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)], jit_compile=True)
    def total(x):
        return tf.reduce_sum(x)

    lengths = np.random.default_rng(0).integers(4, 90, 320)
    for n in lengths:
        total(tf.ones([n]))
    """
)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(PROGRAM.replace("jit_compile=True", "jit_compile=False"), id="not compiled"),
        pytest.param(PROGRAM.replace("tf.ones([n])", "tf.ones([90])"), id="one shape"),
        pytest.param(PROGRAM.replace("integers(4, 90, 320)", "integers(4, 6, 320)"), id="two shapes"),
        pytest.param(PROGRAM.replace("for n in lengths", "for n in (3, 4)"), id="two iterations"),
        pytest.param(PROGRAM.replace("    total(", "    len("), id="not called"),
        pytest.param(PROGRAM.replace("for n in lengths", "for n in read(lengths)"), id="unknown"),
        pytest.param(
            PROGRAM.replace("tf.ones([n])", "tf.pad(tf.ones([n]), [[0, 90 - n]])"), id="padded to one length"
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(program, RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(PROGRAM, id="a signature"),
        pytest.param(
            PROGRAM.replace("input_signature=[tf.TensorSpec([None], tf.float32)]", "reduce_retracing=True"),
            id="shapes that are relaxed",
        ),
        pytest.param(PROGRAM.replace("for n in lengths", "for n in range(3, 90)"), id="a Python number"),
    ],
)
def test_must_fire(program: str) -> None:
    (finding,) = check(program, RULE)
    assert finding.message == (
        "`tf.ones([n])` has a different shape at each iteration, and XLA compiles `total` again for each "
        "shape"
    )


def test_a_function_that_is_not_relaxed_is_traced_again() -> None:
    program = PROGRAM.replace("input_signature=[tf.TensorSpec([None], tf.float32)], ", "")
    assert check(program, RULE) == []
    assert len(check(program, "GD103")) == 1
