"""A model is compiled again after what it trains was changed; and where that is not offered."""

import pytest
from tests.checking import changed_lines, check

RULE = "GD215"
HEAD = """import keras
import numpy as np

x, y = np.ones((8, 3), "float32"), np.ones((8, 1), "float32")

def ours(y, p):
    return keras.ops.mean((y - p) ** 2)

"""
TRAINER = """class Trainer:
    def __init__(self):
        self.body = keras.layers.Dense(4)
        self.body.trainable = False
        self.net = keras.Sequential([keras.Input((3,)), self.body, keras.layers.Dense(1)])
        self.net.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")

    def unfreeze(self):
        for layer in self.net.layers:
            layer.trainable = True

    def train(self):
        self.net.fit(x, y)

trainer = Trainer()
trainer.train()
trainer.unfreeze()
trainer.train()
"""
AGAIN = ["if self.net.compiled:", "self.net.compile_from_config(self.net.get_compile_config())"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('loss="mse"', "loss=ours", id="a loss of the program's own"),
        pytest.param('loss="mse"', "loss=lambda y, p: y - p", id="a lambda"),
        pytest.param('loss="mse"', "**options", id="options from a dict"),
        pytest.param("class Trainer:", "class Trainer(keras.callbacks.Callback):", id="a callback"),
        pytest.param(
            "trainer = Trainer()", "trainer = Trainer()\nlater = [trainer.unfreeze]", id="given away"
        ),
        pytest.param(
            "            layer.tr", "            print(layer)\n            layer.tr", id="more in the loop"
        ),
    ],
)
def test_left_alone(old: str, new: str) -> None:
    found = check(HEAD + TRAINER.replace(old, new), RULE)
    assert not [fix for finding in found for fix in finding.fixes if fix.edits]


def test_a_method_of_the_same_object_compiles_again() -> None:
    assert changed_lines(HEAD + TRAINER, RULE) == AGAIN


def test_a_helper_compiles_again_what_it_is_given() -> None:
    program = """def thaw(net):
    net.get_layer("body").trainable = True

def main():
    body = keras.layers.Dense(4, name="body")
    body.trainable = False
    model = keras.Sequential([keras.Input((3,)), body, keras.layers.Dense(1)])
    rate = keras.optimizers.Adam(0.1)
    model.compile(rate, keras.losses.Huber(), metrics=["mae"])
    model.fit(x, y)
    thaw(model)
    model.fit(x, y)

main()
"""
    assert changed_lines(HEAD + program, RULE) == [line.replace("self.net", "net") for line in AGAIN]


def test_what_was_compiled_again_is_well() -> None:
    after = TRAINER.replace(
        "layer.trainable = True\n", f"layer.trainable = True\n        {AGAIN[0]} {AGAIN[1]}\n"
    )
    assert check(HEAD + after, RULE) == []
