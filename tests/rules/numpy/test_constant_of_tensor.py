"""GD804: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD804"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x): return x + tf.constant([1.0])
            """,
            id="a literal",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return tf.constant(x)
            """,
            id="unknown",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return tf.convert_to_tensor(tf.abs(x))
            """,
            id="convert_to_tensor",
        ),
        pytest.param("def f(x): return tf.constant(tf.abs(x))", id="not traced"),
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
            def f(x): return tf.constant(tf.abs(x))
            """,
            id="a tensor",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return tf.constant(tf.abs(x), dtype=tf.float32)
            """,
            id="with a dtype",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
