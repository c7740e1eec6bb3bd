"""GD906: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD906"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("p = tf.compat.v1.placeholder(tf.float32)", id="outside"),
        pytest.param(
            """
            def f():
                with tf.Graph().as_default():
                    return tf.compat.v1.placeholder(tf.float32)
            """,
            id="in a v1 graph",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return tf.compat.v1.where(x)
            """,
            id="another function of v1",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                with tf.compat.v1.Session() as session:
                    return x + session.run(tf.constant(1.0))
            """,
            id="a session can run constants",
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
            def f(x): return x + tf.compat.v1.placeholder(tf.float32)
            """,
            id="placeholder",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return x + tf.cast(tf.compat.v1.placeholder(tf.int32, [2]), tf.float32)
            """,
            id="with a shape",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
