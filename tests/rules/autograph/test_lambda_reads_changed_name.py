"""GD313: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD313"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(n):
                t = n
                def show(): return t
                if tf.abs(n) > 1:
                    t = n + 1
                return show()
            """,
            id="def",
        ),
        pytest.param(
            """
            @tf.function
            def f(n):
                t = n
                show = lambda: t
                y = show()
                if tf.abs(n) > 1:
                    t = n + 1
                return t + y
            """,
            id="called before the change",
        ),
        pytest.param(
            """
            @tf.function
            def f(n):
                t = n
                show = lambda: t
                if tf.abs(n) > 1:
                    n = n + 1
                return show()
            """,
            id="another name changes",
        ),
        pytest.param(
            """
            @tf.function
            def f(n, flag=True):
                t = n
                show = lambda: t
                if flag:
                    t = n + 1
                return show()
            """,
            id="a Python condition",
        ),
        pytest.param(
            """
            @tf.function
            def f(n):
                t = n
                show = lambda t: t
                if tf.abs(n) > 1:
                    t = n + 1
                return show(t)
            """,
            id="its own parameter",
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
            def f(n):
                t = n
                show = lambda: t
                if tf.abs(n) > 1:
                    t = n + 1
                return show()
            """,
            id="tensor if",
        ),
        pytest.param(
            """
            @tf.function
            def f(n):
                i = 0
                show = lambda: i
                for i in tf.range(n):
                    pass
                return show()
            """,
            id="loop variable",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
