"""GD307: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD307"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(n):
                s = tf.zeros([0])
                for i in tf.range(n):
                    tf.autograph.experimental.set_loop_options(shape_invariants=[(s, tf.TensorShape([None]))])
                    s = tf.concat([s, [1.0]], 0)
                return s
            """,
            id="invariants",
        ),
        pytest.param(
            """
            @tf.function
            def f(n, s):
                for i in tf.range(n):
                    s = tf.concat([s, [1.0]], 0)
                return s
            """,
            id="unknown start",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                s = tf.zeros([0])
                for i in range(3):
                    s = tf.concat([s, [1.0]], 0)
                return s
            """,
            id="a Python loop",
        ),
        pytest.param(
            """
            @tf.function
            def f(n, x):
                s = tf.zeros([2])
                for i in tf.range(n):
                    s = tf.concat([x, [1.0]], 0)
                return s
            """,
            id="does not grow",
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
            def f(n):
                s = tf.zeros([0])
                for i in tf.range(n):
                    s = tf.concat([s, [1.0]], 0)
                return s
            """,
            id="zeros",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                s = tf.constant([1.0])
                while tf.reduce_sum(s) < 9.0:
                    s = tf.concat([s, s], axis=0)
                return s
            """,
            id="constant, in while",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
