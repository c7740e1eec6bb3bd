"""GD002: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD002"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                print(x)  # noqa: GD219
                return x
            """,
            id="needed",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return x  # noqa
            """,
            id="bare",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return x  # noqa: E501
            """,
            id="another tool's",
        ),
        pytest.param("text = '# noqa: GD201'", id="in a string"),
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
                return x  # noqa: GD201
            """,
            id="not needed",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                print(x)  # noqa: GD219, GD208
                return x
            """,
            id="one of two",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
