"""GD339: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD339"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                items = []
                if tf.reduce_sum(x) > 0:
                    y = 1
                else:
                    y = 2
                items.append(y)
                return items
            """,
            id="after the if",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    items = []
                    items.append(1)
                return x
            """,
            id="a list of the branch",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, flag=True):
                items = []
                if flag:
                    items.append(x)
                return items
            """,
            id="a Python condition",
        ),
        pytest.param(
            """
            def f(x):
                items = []
                if tf.reduce_sum(x) > 0:
                    items.append(x)
                return items
            """,
            id="not traced",
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
                items = []
                if tf.reduce_sum(x) > 0:
                    items.append(1)
                return items
            """,
            id="append",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                items = [1]
                if tf.reduce_sum(x) > 0:
                    x += 1
                else:
                    items.extend([2])
                return items
            """,
            id="in else",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
