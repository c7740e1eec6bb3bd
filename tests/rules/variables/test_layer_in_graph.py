"""GD402: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD402"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            import keras
            d = keras.layers.Dense(2)
            @tf.function
            def f(x): return d(x)
            """,
            id="outside",
        ),
        pytest.param(
            """
            import keras
            @tf.function
            def f(x): return keras.layers.Flatten()(x)
            """,
            id="without weights",
        ),
        pytest.param(
            """
            import keras
            class M:
                d = None
                @tf.function
                def f(self, x):
                    if self.d is None:
                        self.d = keras.layers.Dense(2)
                    return self.d(x)
            """,
            id="guarded",
        ),
        pytest.param(
            """
            import json, keras
            class M(tf.Module):
                def __init__(self, count):
                    self.count = count
                def get(self, name, ctor, *args):
                    if not hasattr(self, "kept"):
                        self.kept = {}
                    if name not in self.kept:
                        self.kept[name] = ctor(*args)
                    return self.kept[name]
                @tf.function
                def f(self, x):
                    for k in range(self.count):
                        x = self.get(f"layer_{k}", keras.layers.Dense, 3)(x)
                    return x
            m = M(json.load(open("c.json"))["n"])
            m.f(tf.ones([2, 3]))
            m.f(tf.ones([4, 3]))
            """,
            id="kept by name",
        ),
        pytest.param(
            """
            import keras
            @tf.function
            def f(x):
                d = keras.layers.Dense(2)
                return x
            """,
            id="never called",
        ),
        pytest.param(
            """
            import keras
            def f(x): return keras.layers.Dense(2)(x)
            """,
            id="not traced",
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
            import keras
            @tf.function
            def f(x):
                d = keras.layers.Dense(2)
                return d(x)
            """,
            id="layer",
        ),
        pytest.param(
            """
            import keras
            @tf.function
            def f(x):
                o = keras.optimizers.Adam()
                return x
            """,
            id="optimizer",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return tf.keras.layers.Dense(2)(x)
            """,
            id="tf.keras",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
