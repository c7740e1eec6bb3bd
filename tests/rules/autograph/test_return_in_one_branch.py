"""GD303: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD303"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    return x
                return -x
            """,
            id="a return after",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    return x
                else:
                    return -x
            """,
            id="both return",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    tf.print(x)
            """,
            id="no value is returned",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, flag=True):
                if flag:
                    return x
            """,
            id="a Python condition",
        ),
        pytest.param(
            """
            @tf.function(autograph=False)
            def f(x):
                if tf.reduce_sum(x) > 0:
                    return x
            """,
            id="not converted",
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
                if tf.reduce_sum(x) > 0:
                    return x
            """,
            id="nothing after",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    return x
                else:
                    tf.print(x)
            """,
            id="else without",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
