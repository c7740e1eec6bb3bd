"""GD322: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD322"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                y = (z := x + 1)
                return y + z
            """,
            id="no tensor decides anything",
        ),
        pytest.param(
            """
            def f(x):
                if (n := tf.reduce_sum(x)) > 0:
                    return n
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function(autograph=False)
            def f(x):
                return (y := x) + y
            """,
            id="in a function that is not converted",
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
                if (n := tf.reduce_sum(x)) > 0:
                    x += n
                return x
            """,
            id="in the condition",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                y = (z := x + 1)
                if tf.reduce_sum(x) > 0:
                    x += z
                return x + y
            """,
            id="elsewhere",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
