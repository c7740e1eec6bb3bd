"""`model.compile` at each iteration: under an `if` where nothing but the rate differs, else left alone."""

import pytest
from tests.checking import check, fixed

RULE = "GD123"
HEAD = """import keras
import numpy as np
import tensorflow as tf

model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
x, y = np.ones((8, 2)), np.ones((8, 1))
"""
PREPARE = (
    "def prepare(model, rate):\n"
    '    optimizer = getattr(model, "optimizer", None) or keras.optimizers.Adam()\n'
    "    optimizer.learning_rate = rate\n"
    "    model.compile(optimizer=optimizer, {})\n"
    "{}for rate in (0.1, 0.01, 0.001):\n    prepare(model, rate)\n    model.fit(x, y)\n"
)
SGD = "for rate in (0.1, 0.01, 0.001):\n    model.compile({}, 'mse')\n    model.fit(x, y)\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(PREPARE.format("loss=CHOSEN[rate]", "CHOSEN = {}\n"), id="a loss of its own"),
        pytest.param(PREPARE.format("loss='mse' if rate > 0.05 else 'mae'", ""), id="a loss by the rate"),
        pytest.param(PREPARE.format("loss=keras.losses.Huber(delta=rate)", ""), id="a loss with the rate"),
        pytest.param(
            PREPARE.format("loss=make_loss()", "def make_loss(): return 'mse'\n"), id="made by hand"
        ),
        pytest.param(PREPARE.format("**options", "options = {'loss': 'mse'}\n"), id="options from a dict"),
        pytest.param(PREPARE.format("loss='mse'", "model.layers[0].trainable = False\n"), id="frozen layers"),
        pytest.param(
            PREPARE.format("loss=loss", "loss = 'mse'\n").replace(
                "fit(x, y)\n", "fit(x, y)\n    loss = 'mae'\n"
            ),
            id="a global that changes",
        ),
        pytest.param(
            PREPARE.format("loss='mse'", "").replace('getattr(model, "optimizer", None) or ', ""),
            id="a new Adam each time, which forgets its moments",
        ),
        pytest.param(
            "adam = keras.optimizers.Adam()\nclass Painter:\n  @property\n  def model(self):\n"
            "    model.compile(adam, 'mse')\n    return model\n"
            "  def paint(self):\n    for e in range(9): self.model.predict_on_batch(x)\n",
            id="a method that resets no metrics",
        ),
        pytest.param(SGD.format("keras.optimizers.Adam(rate)"), id="a new Adam"),
        pytest.param(SGD.format("keras.optimizers.SGD(rate, momentum=0.9)"), id="momentum"),
        pytest.param(SGD.format("keras.optimizers.SGD(rate, 0.9)"), id="momentum by its place"),
        pytest.param(
            SGD.format("keras.optimizers.SGD(rate)") + "model.compile('adam', 'mae')\n",
            id="compiled elsewhere",
        ),
        pytest.param(
            SGD.format("keras.optimizers.SGD(keras.optimizers.schedules.ExponentialDecay(rate, 9, 0.9))"),
            id="a schedule",
        ),
    ],
)
def test_left_alone(program: str) -> None:
    assert [finding.fix.edits for finding in check(HEAD + program, RULE) if finding.fix] == [()]


@pytest.mark.parametrize(
    ("program", "line"),
    [
        pytest.param(
            PREPARE.format("loss=keras.losses.Huber(delta=1.0), metrics=['mae']", ""),
            'if getattr(model, "optimizer", None) is not optimizer:',
            id="in a helper",
        ),
        pytest.param(
            "class Trainer:\n  def __init__(self): self.net = model\n  def prepare(self, optimizer):\n"
            "    self.net.compile(\n      optimizer,\n      LOSS,\n    )\n"
            "LOSS = 'mse'\ntrainer, adam = Trainer(), keras.optimizers.Adam()\n"
            "for _ in range(9):\n  trainer.prepare(adam)\n  trainer.net.fit(x, y)\n",
            "if getattr(self.net, 'optimizer', None) is not optimizer:",
            id="an attribute, over several lines",
        ),
        pytest.param(
            SGD.format("keras.optimizers.SGD(learning_rate=rate)"),
            "model.optimizer.learning_rate = rate",
            id="SGD keeps nothing",
        ),
    ],
)
def test_compiled_when_needed(program: str, line: str) -> None:
    after = fixed(HEAD + program, RULE)
    assert [each.strip() for each in after.splitlines()].count(line) == 1
    assert check(after, RULE) == []


@pytest.mark.parametrize("asked", ['getattr(model, "optimizer", None)', "model.optimizer"])
def test_who_asks_for_the_optimizer_compiles_once(asked: str) -> None:
    program = (
        f"opt = keras.optimizers.Adam()\nfor _ in range(9):\n  if {asked} is not opt: model.compile(opt)\n"
    )
    assert check(HEAD + program + "  model.fit(x, y)\n", RULE) == []
