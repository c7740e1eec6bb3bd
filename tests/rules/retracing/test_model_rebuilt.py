"""GD123: must not fire, must fire."""

import pytest
from tests.checking import check

RULE = "GD123"
HEAD = """
import keras
import numpy as np
x, y = np.ones([8, 2]), np.ones([8, 1])
def build(units=1):
    model = keras.Sequential([keras.Input([2]), keras.layers.Dense(units)])
    model.compile("sgd", "mse")
    return model
model = build()
first, second, third = [keras.layers.Dense(2) for _ in range(3)]
base = keras.Sequential([keras.Input([2]), first, second, third])
tuned = keras.Sequential([base, keras.layers.Dense(1)])
"""
COMPILE_AND_FIT = "  tuned.compile('sgd', 'mse')\n  tuned.fit(x, y)"
AGAIN = "`fit` traces a new step at each iteration because the model is compiled again"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("for e in range(9): model.fit(x, y)", id="fitted again and again"),
        pytest.param("for e in range(9):\n  model.fit(x, y)\n  model.predict(x)", id="fit and predict"),
        pytest.param("for name in ('a', 'b'): build().fit(x, y)", id="two models"),
        pytest.param("models = [build() for _ in range(9)]", id="never fitted"),
        pytest.param("for e in range(9): model.compile('sgd', 'mse')", id="compiled, never fitted"),
        pytest.param(
            "models = []\nfor _ in range(n): models.append(build())\nfor each in models: each.fit(x, y)",
            id="an ensemble, fitted one by one",
        ),
        pytest.param("for e in range(9): unknown().fit(x, y)", id="who knows whose fit it is"),
        pytest.param(
            "for e in range(9):\n  base.trainable = e > 3\n" + COMPILE_AND_FIT, id="frozen, then thawed"
        ),
        pytest.param(
            "class GAN(keras.Model):\n"
            "  def __init__(self):\n    super().__init__()\n    self.part = grown(0)\n"
            "  def call(self, x): return self.part(x)\n"
            "def grown(n): return keras.Sequential([keras.layers.Dense(4) for _ in range(n + 1)])\n"
            "tuned = GAN()\nfor e in range(9):\n  tuned.part = grown(e)\n" + COMPILE_AND_FIT,
            id="another part for each size",
        ),
        pytest.param(
            "for name in names:\n  base.get_layer(name).trainable = True\n" + COMPILE_AND_FIT,
            id="some layer is thawed",
        ),
        pytest.param(
            "base.trainable = False\n"
            "for e in range(3):\n  for layer in base.layers[2 - e:]: layer.trainable = True\n"
            + COMPILE_AND_FIT,
            id="layers are thawed",
        ),
        pytest.param(
            "base.trainable = False\nfor layer in (first, second, third):\n  layer.trainable = True\n"
            + COMPILE_AND_FIT,
            id="layers that were frozen with their model",
        ),
        pytest.param(
            "def thaw(model, n):\n  for layer in model.layers[-n:]: layer.trainable = True\n"
            "for n in range(9):\n  thaw(base, n)\n" + COMPILE_AND_FIT,
            id="in a function",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + program, RULE) == []


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            "for rate in (0.1, 0.01, 0.001):\n  model.compile(keras.optimizers.SGD(rate), 'mse')\n"
            "  model.fit(x, y)",
            AGAIN,
        ),
        ("base.trainable = False\nfor e in range(9):\n" + COMPILE_AND_FIT, AGAIN),
        ("for e in range(9):\n  base.trainable = False\n" + COMPILE_AND_FIT, AGAIN),
        ("for e in range(9):\n  model.trainable = e > 3\n" + COMPILE_AND_FIT, AGAIN),
        (
            "for units in range(1, 9):\n  net = build(units)\n  net.fit(x, y)\n  net.predict(x)",
            "`fit` runs a new model at each iteration and traces a step for each; no model is traced twice",
        ),
    ],
)
def test_must_fire_once_for_a_loop(program: str, message: str) -> None:
    assert [finding.message for finding in check(HEAD + program, RULE)] == [message]


def test_the_place_is_named_that_compiles_the_model_where_the_loop_does_not_show_it() -> None:
    program = (
        "class Painter:\n  @property\n  def model(self):\n    model.compile('sgd', 'mse')\n    return model\n"
        "  def paint(self):\n    for e in range(9): self.model.predict_on_batch(x)\n"
    )
    [finding] = check(HEAD + program, RULE)
    assert [(each.line, each.message) for each in finding.related] == [(15, "the model is compiled here")]


def test_no_place_is_named_that_the_loop_shows() -> None:
    [finding] = check(HEAD + "for e in range(9):\n  model.compile('sgd', 'mse')\n  model.fit(x, y)", RULE)
    assert finding.related == ()
