"""GD323: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD323"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x, m):
                match m:
                    case 1:
                        x += 1
                return x
            """,
            id="no tensor decides anything",
        ),
        pytest.param(
            """
            def f(x, m):
                match m:
                    case 1:
                        x += 1
                if tf.reduce_sum(x) > 0:
                    x += 1
                return x
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function(autograph=False)
            def f(x, m):
                match m:
                    case 1:
                        x += 1
                return x
            """,
            id="autograph is off",
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
            def f(x, m):
                match m:
                    case 1:
                        x += 1
                if tf.reduce_sum(x) > 0:
                    x += 1
                return x
            """,
            id="constants",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, m):
                match m:
                    case [a, b]:
                        x += a
                if tf.reduce_sum(x) > 0:
                    x += 1
                return x
            """,
            id="a pattern without a fix",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
