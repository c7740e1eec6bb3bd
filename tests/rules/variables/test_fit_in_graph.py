"""GD407: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD407"
HEAD = "import keras\nimport tensorflow as tf\nfrom keras import ops\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            m = keras.Sequential([])
            m.predict(1)
            """,
            id="outside",
        ),
        pytest.param(
            """
            m = keras.Sequential([])
            @tf.function
            def f(x): return m(x)
            """,
            id="called",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, m): return m.predict(x)
            """,
            id="another object",
        ),
        pytest.param(
            """
            m = keras.Sequential([])
            @tf.function
            def f(x): return tf.py_function(lambda v: m.predict(v), [x], tf.float32)
            """,
            id="in py_function",
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
            m = keras.Sequential([])
            @tf.function
            def f(x): return m.predict(x)
            """,
            id="predict",
        ),
        pytest.param(
            """
            class T:
                def __init__(self): self.m = keras.Sequential([])
                @tf.function
                def f(self, x): return self.m.fit(x)
            """,
            id="in self",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
