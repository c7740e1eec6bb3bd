"""GD324: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD324"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x): return x
            """,
            id="plain",
        ),
        pytest.param("async def f(x): return x", id="async without tf.function"),
        pytest.param(
            """
            async def f(x):
                @tf.function
                def g(y): return y
                return g(x)
            """,
            id="a graph function inside",
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
            async def f(x): return x
            """,
            id="decorated",
        ),
        pytest.param(
            """
            @tf.function(jit_compile=True)
            async def f(x): return x
            """,
            id="with options",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
