"""GD332: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

from graphdoctor.model import Level, Severity

RULE = "GD332"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                a, b = tf.unstack(x)
                return a
            """,
            id="unstacked",
        ),
        pytest.param(
            """
            @tf.function
            def f(*parts: tf.Tensor):
                a, b = parts
                return tf.concat([*parts], axis=0)
            """,
            id="annotated star: a tuple of tensors",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                a, b = tf.split(x, 2)
                return a
            """,
            id="split gives a list",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                a, b = x
                return a
            """,
            id="unknown",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                a, b = tf.abs(x).shape
                return a
            """,
            id="the static shape",
        ),
        pytest.param(
            """
            def f(x):
                a, b = tf.shape(x)
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                values, indices = tf.math.top_k(x)
                return values
            """,
            id="two results",
        ),
        pytest.param(
            """
            import keras
            class M(keras.metrics.Metric):
                def update_state(self, data):
                    a, b = data
            """,
            id="an optional structure",
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
                a, b = tf.shape(x)
                return a
            """,
            id="names",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return tf.stack([*tf.abs(x)])
            """,
            id="star",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


OWNED = """
class Owner(tf.Module):
    def __init__(self):
        super().__init__()
        self.raw = tf.Variable([0.0, 0.3, 0.1])
        self.layer = tf.keras.layers.Dense(2)

    def decode(self, x):
        {}
        return a

@tf.function
def traced(owner, x):
    return owner.decode(x)

traced(Owner(), tf.ones([4, 3]))
"""


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("a, b = self.layer(x)", id="a layer, which may give several"),
        pytest.param("a, b = x", id="another number of parts"),
        pytest.param("a, *b = x", id="any number of parts"),
    ],
)
def test_what_may_be_several_has_low_confidence(statement: str) -> None:
    (finding,) = check(HEAD + OWNED.format(statement), RULE)
    assert finding.confidence.level is Level.LOW
    assert finding.confidence.reasons[0] == "nothing shows that it is one tensor, and not several"


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("a, b, c = self.raw", id="a Variable"),
        pytest.param("rest = self.raw[1:]; a, b = rest", id="a part of a Variable"),
        pytest.param("a, b, c = self.raw * 2.0", id="computed from a Variable"),
        pytest.param("a, b, c, d = x", id="an argument of so many parts"),
    ],
)
def test_one_tensor_of_as_many_parts_as_names_raises(statement: str) -> None:
    assert [each.severity for each in check(HEAD + OWNED.format(statement), RULE)] == [Severity.ERROR]
