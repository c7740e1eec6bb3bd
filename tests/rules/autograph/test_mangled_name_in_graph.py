"""GD320: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD320"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            class A:
                @tf.function
                def f(self, x): return x * self.__k
            """,
            id="no tensor decides anything",
        ),
        pytest.param(
            """
            class A:
                @tf.function
                def f(self, x):
                    if tf.reduce_sum(x) > 0:
                        x = x * self._k
                    return x
            """,
            id="one underscore",
        ),
        pytest.param(
            """
            class A:
                @tf.function
                def f(self, x):
                    if tf.reduce_sum(x) > 0:
                        x = x * self.__class__.k
                    return x
            """,
            id="a name of Python's",
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
            class A:
                @tf.function
                def f(self, x):
                    if tf.reduce_sum(x) > 0:
                        x = x * self.__k
                    return x
            """,
            id="read",
        ),
        pytest.param(
            """
            class A:
                @tf.function
                def f(self, x):
                    if tf.reduce_sum(x) > 0:
                        x = self.__g(x)
                    return x
            """,
            id="called",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
