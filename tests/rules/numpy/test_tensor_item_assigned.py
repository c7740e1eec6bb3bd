"""GD806: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD806"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            import numpy as np
            import tensorflow as tf
            @tf.function
            def f(x):
                a = np.zeros(3)
                a[0] = 1
                return x + a
            """,
            id="an array",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                a = [0, 1]
                a[0] = x
                return a
            """,
            id="a list",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                x[0] = 1
                return x
            """,
            id="unknown",
        ),
        pytest.param(
            """
            v = tf.Variable([1.0])
            @tf.function
            def f(x):
                v[0].assign(x)
                return v
            """,
            id="a slice assign of a Variable",
        ),
        pytest.param(
            """
            class Model(tf.keras.Model):
                def call(self, features):
                    features["power"] = tf.square(features["amplitude"])
                    return features
            """,
            id="what Keras hands on, with a text as key",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + cleandoc(program), RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                y = tf.abs(x)
                y[0] = 1
                return y
            """,
            id="element",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                y = tf.abs(x)
                y[:, 1] = 0
                return y
            """,
            id="slice",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


ANNOTATED = """
@tf.function
def f(states: tf.Tensor):
    states[0] = 1.0
    return states
"""


def test_an_annotation_alone_does_not_make_a_tensor_of_what_is_assigned_to() -> None:
    assert check(HEAD + ANNOTATED, RULE) == []
    assert check(HEAD + ANNOTATED + "f([tf.ones([2])])\n", RULE) == []
    assert len(check(HEAD + ANNOTATED + "f(tf.ones([2]))\n", RULE)) == 1
