"""GD104: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD104"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([2])])
            def f(x): return x
            """,
            id="fits",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([2])])
            def f(x, y=1): return x
            """,
            id="a default may be left out",
        ),
        pytest.param(
            """
            class A:
                @tf.function(input_signature=[tf.TensorSpec([2])])
                def f(self, x): return x
            """,
            id="self does not count",
        ),
        pytest.param(
            """
            @tf.function(input_signature=SIGNATURE)
            def f(x, y): return x
            """,
            id="made elsewhere",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([2])] * 2)
            def f(x, y): return x
            """,
            id="any number",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([2]), tf.TensorSpec([2])])
            def f(*x): return x
            """,
            id="star",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[{'a': tf.TensorSpec([2])}])
            def f(x): return x
            """,
            id="a dict of specs as one argument",
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
            @tf.function(input_signature=tf.TensorSpec([2]))
            def f(x): return x
            """,
            id="bare",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([2]), tf.TensorSpec([2])])
            def f(x): return x
            """,
            id="too many",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([2])])
            def f(x, y): return x
            """,
            id="too few",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
