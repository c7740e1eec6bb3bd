"""GD403: must not fire, must fire, what is not edited."""

from inspect import cleandoc

import pytest
from tests.checking import check, fixed, marked

RULE = "GD403"
HEAD = (
    "import tensorflow as tf\nfrom tensorflow.keras import optimizers\n"
    "@tf.function\ndef step(x, opt):\n  opt.apply_gradients(zip(grads(x), weights))\n"
    "a, other = pair()\nd, e = optimizers.Adam(), optimizers.SGD()\n"
    "b = optimizers.Adam()\nc = optimizers.SGD(0.1, 0.9)\n"
)


@pytest.mark.parametrize(
    "calls",
    [
        pytest.param("step(1, b)\nstep(2, b)\n", id="the same one"),
        pytest.param("b.build(weights)\nc.build(weights)\nstep(1, b)\nstep(1, c)\n", id="built before"),
        pytest.param("step(1, make())\nstep(1, make())\n", id="not known what it is"),
        pytest.param("step(1, b)\nstep(1, a)\n", id="taken from a tuple"),
        pytest.param("train(b)\ntrain(c)\n", id="another function"),
        pytest.param("step(1, b)\nstep(1, optimizers.SGD(0.1))\n", id="one that makes no variables"),
    ],
)
def test_must_not_fire(calls: str) -> None:
    assert check(HEAD + calls, RULE) == []


def test_must_not_fire_where_the_function_only_passes_it_on() -> None:
    program = HEAD.replace("opt.apply_gradients(zip(grads(x), weights))", "return use(opt)")
    assert check(program + "step(1, b)\nstep(1, c)\n", RULE) == []


@pytest.mark.parametrize(
    "calls",
    [
        "step(1, b)\nstep(1, c)\n",
        "step(1, d)\nstep(1, c)\n",
        "for x in data:\n  step(x, b)\n  step(x, opt=c)\n",
    ],
)
def test_must_fire(calls: str) -> None:
    assert marked(HEAD + calls, RULE) == ["c"]


MODELS = """
import keras
import tensorflow as tf
from keras import ops
one = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
two = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
"""
LEFT = {
    "models of a loop": """
        optimizer = keras.optimizers.Adam()
        def descend(model):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(tf.ones([1, 2])))
            variables = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        for model in (one, two):
            descend(model)
        """,
    "a class that has its own way to apply": """
        class Trainer:
            def __init__(self):
                self.optimizer = keras.optimizers.Adam()
            def descend(self, model):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(model(tf.ones([1, 2])))
                variables = model.trainable_variables
                self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
            def train(self):
                self.descend(one)
                self.descend(two)
        class Quiet(Trainer):
            def descend(self, model):
                pass
        Trainer().train()
        """,
    "an optimizer that is replaced": """
        class Trainer:
            def __init__(self):
                self.optimizer = keras.optimizers.Adam()
            def faster(self):
                self.optimizer = keras.optimizers.Adam(0.1)
            def train(self):
                for_one, for_two = one.trainable_variables, two.trainable_variables
                with tf.GradientTape(persistent=True) as tape:
                    loss = tf.reduce_mean(one(tf.ones([1, 2])) + two(tf.ones([1, 2])))
                self.optimizer.apply_gradients(zip(tape.gradient(loss, for_one), for_one))
                self.optimizer.apply_gradients(zip(tape.gradient(loss, for_two), for_two))
        Trainer().train()
        """,
}


@pytest.mark.parametrize("name", LEFT)
def test_is_left_alone(name: str) -> None:
    program = MODELS + cleandoc(LEFT[name]) + "\n"
    assert check(program, RULE)
    assert fixed(program, RULE) == program.lstrip()
