"""GD212: must not fire, must fire."""

from inspect import cleandoc

import pytest

from checking import check

RULE = "GD212"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            class A:
                @tf.function
                def f(self, x):
                    self.h = tf.abs(x)
                    return x
            """,
            id="never read",
        ),
        pytest.param(
            """
            class A:
                @tf.function
                def f(self, x):
                    self.h = tf.abs(x)
                    return self.g()
                def g(self): return self.h
            """,
            id="read in the same trace",
        ),
        pytest.param(
            """
            class A:
                @tf.function
                def f(self, x):
                    self.h = 3
                    return x
            a = A()
            print(a.h)
            """,
            id="no tensor",
        ),
        pytest.param(
            """
            class A:
                @tf.function
                def f(self, x):
                    self.h = tf.abs(x)
                    return x
            class B: pass
            b = B()
            print(b.h)
            """,
            id="another class's attribute",
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
                    self.h = tf.abs(x)
                    return x
            a = A()
            a.f(1)
            print(a.h)
            """,
            id="read at the top",
        ),
        pytest.param(
            """
            class A:
                @tf.function
                def f(self, x):
                    self.h = tf.abs(x)
                    return x
            def show():
                a = A()
                print(a.h)
            """,
            id="read in a function",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
