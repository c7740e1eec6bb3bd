"""GD411: must not fire, must fire."""

from inspect import cleandoc

import pytest

from checking import check

RULE = "GD411"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            class A:
                @tf.function
                def f(self, x): return self.k
            a = A()
            a.f(1)
            """,
            id="kept",
        ),
        pytest.param(
            """
            class A:
                @tf.function
                def f(self, x): return x
            A().f(1)
            """,
            id="self is not read",
        ),
        pytest.param(
            """
            class A:
                def f(self, x): return self.k
            A().f(1)
            """,
            id="not a graph method",
        ),
        pytest.param(
            """
            class A(tf.Module):
                @tf.function
                def f(self, x): return self.k
            A().f(1)
            """,
            id="a base that may keep it",
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
                def f(self, x): return self.k
            A().f(1)
            """,
            id="temporary",
        ),
        pytest.param(
            """
            class A:
                def __init__(self, k): self.k = k
                @tf.function
                def f(self, x): return self.k
            print(A(2).f(1))
            """,
            id="with arguments",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
