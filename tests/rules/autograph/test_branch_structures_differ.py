"""GD305: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD305"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = (x, x)
                else:
                    y = (x, -x)
                return y
            """,
            id="same length",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = {'a': x, 'b': x}
                else:
                    y = {'b': x, 'a': x}
                return y
            """,
            id="same keys in another order",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = (x, x)
                else:
                    y = (x,)
                return x
            """,
            id="not read after",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = [*x]
                else:
                    y = [x]
                return y
            """,
            id="unknown lengths",
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
                    y = (x, x)
                else:
                    y = (x,)
                return y
            """,
            id="lengths",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = {'a': x}
                else:
                    y = {'b': x}
                return y
            """,
            id="keys",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
