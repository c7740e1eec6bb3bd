"""GD411: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

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
            class A(tf.keras.layers.Layer):
                @tf.function
                def f(self, x): return self.k
            A().f(1)
            """,
            id="a base that may keep it",
        ),
        pytest.param(
            """
            import functools
            class A:
                @tf.function
                def f(self, x): return self.k
            @functools.lru_cache
            def make(): return A()
            make().f(1)
            """,
            id="a function that keeps what it made",
        ),
        pytest.param(
            """
            class A:
                @tf.function
                def f(self, x): return self.k
            made = []
            def make():
                a = A()
                made.append(a)
                return a
            make().f(1)
            """,
            id="a list has it",
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
            class A(tf.Module):
                def __init__(self):
                    super().__init__()
                    self.k = tf.Variable(1.0)
                @tf.function
                def f(self, x): return self.k * x
            A().f(tf.ones([2]))
            """,
            id="a module of TensorFlow's",
        ),
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
        pytest.param(
            """
            class A:
                @tf.function
                def f(self, x): return self.k
            def make(*given): return A(*given)
            make().f(1)
            """,
            id="made by a function",
        ),
        pytest.param(
            """
            import functools
            class A:
                @tf.function
                def f(self, x): return self.k
            functools.partial(A().f, 1)()
            """,
            id="the method is kept, the object is not",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
