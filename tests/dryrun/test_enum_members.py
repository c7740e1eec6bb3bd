"""Members of an enum are gone through and are keys; classes are keys too."""

from inspect import cleandoc

import pytest
from tests.checking import check

HEAD = """
import enum
import keras
import tensorflow as tf

class Phase(enum.Enum):
    CRITIC = "critic"
    GENERATOR = "generator"
    @property
    def title(self): return self.value.title()
    def __str__(self): return self.value

class Gan:
    def __init__(self, build):
        self.nets = {p: keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)]) for p in Phase}
        self.opts = {Phase.CRITIC: keras.optimizers.Adam(), Phase["GENERATOR"]: keras.optimizers.Adam()}
        if build:
            for phase, opt in self.opts.items(): opt.build(self.nets[phase].trainable_variables)
    @tf.function
    def step(self, phase, x):
        with tf.GradientTape() as tape: loss = tf.reduce_sum(self.nets[phase](x))
        weights = self.nets[phase].trainable_variables
        self.opts[phase].apply_gradients(zip(tape.gradient(loss, weights), weights))
"""
EACH = "for i in range(9):\n    for phase in Phase: gan.step(phase, tf.ones([4, 3]))"


def rules(program: str) -> list[str]:
    text = cleandoc(HEAD) + "\n" + cleandoc(program)
    return [each.rule for rule in ("GD101", "GD109", "GD310", "GD403") for each in check(text, rule)]


SILENT = {
    "optimizers that are built first": f"gan = Gan(True)\n{EACH}",
    "one phase only": "gan = Gan(False)\nfor i in range(9): gan.step(Phase.CRITIC, tf.ones([4, 3]))",
    "few members as arguments": """
        @tf.function
        def f(x, phase): return x * (2.0 if phase is Phase.CRITIC else 1.0)
        for phase in list(Phase) + [Phase("critic")]: f(tf.ones([2]), phase)
        """,
    "a function for each class": """
        HOW = {int: tf.function(lambda x: x + 1), Phase: tf.function(lambda x: x * 2)}
        for kind, how in HOW.items(): how(tf.ones([2])), HOW[kind](tf.ones([2]))
        """,
}


@pytest.mark.parametrize("program", SILENT.values(), ids=SILENT)
def test_silent(program: str) -> None:
    assert rules(program) == []


@pytest.mark.parametrize("loop", [EACH, EACH.replace("in Phase", "in (Phase.CRITIC, Phase['GENERATOR'])")])
def test_each_member_has_its_own_optimizer(loop: str) -> None:
    assert rules(f"gan = Gan(False)\n{loop}") == ["GD403"]
