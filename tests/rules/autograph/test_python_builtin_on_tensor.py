"""GD333: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD333"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                y = tf.abs(x)
                return len(y), abs(y), int(y), float(y), sorted(y), range(y)
            """,
            id="AutoGraph knows these",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return sum([tf.abs(x), tf.square(x)])
            """,
            id="a list of tensors",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return max(x, 0)
            """,
            id="unknown",
        ),
        pytest.param(
            """
            def f(x):
                return max(tf.abs(x), 0)
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return max([1, 2], key=tf.abs)
            """,
            id="a key",
        ),
        pytest.param(
            """
            ds = tf.data.Dataset.range(3)
            @tf.function
            def f(x):
                for i, v in enumerate(ds):
                    x += v
                return x
            """,
            id="a dataset",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, d):
                y = tf.abs(x)
                return 'a' in d
            """,
            id="in a dict",
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
            def f(x): return max(tf.abs(x), 0)
            """,
            id="max",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return any(tf.abs(x) > 0)
            """,
            id="any",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return tf.reduce_sum(x) in [1, 2]
            """,
            id="in",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                for a, b in zip(tf.abs(x), x):
                    pass
                return x
            """,
            id="zip",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


def test_a_range_that_nobody_converts_is_not_told_to_become_tf_range() -> None:
    program = """
        class L(tf.keras.layers.Layer):
            def call(self, x):
                total = x[:, 0]
                for i in range(tf.shape(x)[1]):
                    total = total + x[:, i]
                return total
        model = tf.keras.Sequential([L()])
        model.predict(tf.ones([2, 3]))
        """
    (found,) = check(HEAD + cleandoc(program), RULE)
    assert found.fix is not None
    assert found.fix.title == "Put `@tf.function` on it"
