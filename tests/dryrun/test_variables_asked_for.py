"""Which variables a tape is asked for: of several models, of a module, behind assignments."""

from typing import Any

import pytest
from tests.checking import check, marked

HEAD = """
import tensorflow as tf
from tensorflow import keras
encoder = keras.Sequential([keras.Input((3,)), keras.layers.Dense(3)])
decoder = keras.Sequential([keras.layers.Dense(3)])
x = tf.ones([2, 3])
class Scale(tf.Module):
    def __init__(self, start):
        super().__init__()
        self.factor = tf.Variable(start)
        self.seen = tf.Variable(0, trainable=False)
class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.weights = [tf.Variable(tf.ones(s)) for s in ([3, 2], [2])]
    def __call__(self, x):
        w, b = self.weights
        return tf.reduce_sum(x @ w + b)
slow, fast = Net(), Net()
def descend(net):
    with tf.GradientTape() as tape: loss = net(x)
    for w, g in zip(net.weights, tape.gradient(loss, net.weights)): w.assign_sub(0.1 * g)
"""
ASKED = """
with tf.GradientTape() as tape: loss = tf.reduce_sum(decoder(encoder(x)))
gradients = tape.gradient(loss, variables)
"""
SCALED = """
with tf.GradientTape() as tape: loss = tf.reduce_sum(x * tf.cast(scale.factor, tf.float32))
print(tape.gradient(loss, scale.trainable_variables))
"""


@pytest.mark.parametrize(
    "program",
    [
        "decoder(encoder(x))\nvariables = encoder.trainable_variables + decoder.trainable_variables" + ASKED,
        "decoder.build([None, 3])\nvariables = encoder.trainable_variables + decoder.trainable_variables"
        + ASKED,
        "variables = encoder.trainable_variables" + ASKED,
    ],
)
def test_variables_of_models_that_are_built(program: str) -> None:
    assert check(HEAD + program, "GD509") == []


@pytest.mark.parametrize(
    ("program", "at"),
    [
        (
            "variables = encoder.trainable_variables + decoder.trainable_variables" + ASKED,
            "decoder.trainable_variables",
        ),
        (
            "variables = decoder.trainable_variables\nvariables += encoder.trainable_variables" + ASKED,
            "decoder.trainable_variables",
        ),
    ],
)
def test_one_of_two_models_has_no_variables_yet(program: str, at: str) -> None:
    assert marked(HEAD + program, "GD509") == [at]


@pytest.mark.parametrize(
    "gathered",
    [
        "variables = [v for part in (encoder, decoder) for v in part.trainable_variables]",
        "variables = []\nfor part in (encoder, decoder): variables += part.trainable_variables",
        "variables = []\nfor part in (encoder, decoder): variables.extend(part.trainable_variables)",
    ],
)
def test_variables_gathered_from_several_models(gathered: str) -> None:
    assert check(HEAD + "decoder(encoder(x))\n" + gathered + ASKED, "GD509") == []
    assert marked(HEAD + gathered + ASKED, "GD509") == ["part.trainable_variables"]


def test_a_list_that_goes_through_no_variables_is_empty() -> None:
    assert check(HEAD + "variables = [v for v in decoder.trainable_variables]" + ASKED, "GD509")


def test_a_module_of_floats_has_gradients() -> None:
    assert check(HEAD + "scale = Scale(1.0)" + SCALED, "GD505") == []


def test_a_module_whose_dtype_is_unknown() -> None:
    assert check(HEAD + "scale = Scale(float(input()))" + SCALED, "GD505") == []


def test_a_module_whose_variables_are_whole_numbers() -> None:
    (finding,) = check(HEAD + "scale = Scale(1)" + SCALED, "GD505")
    assert finding.message == (
        "the gradient for `scale.trainable_variables` is None: it is int32, and only floating point and "
        "complex numbers have gradients"
    )


def test_what_is_taken_from_an_assigned_variable_has_still_no_way() -> None:
    program = """
with tf.GradientTape() as outer:
    for one, other in zip(fast.weights, slow.weights): one.assign(other)
    descend(fast)
    loss = fast(x)
print(outer.gradient(loss, {}.weights))
"""
    assert check(HEAD + program.format("fast"), "GD512") == []
    assert len(check(HEAD + program.format("slow"), "GD512")) == 1


OWN_MODEL = """
import tensorflow as tf
{keras}
class Block(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.norm = tf.keras.layers.LayerNormalization()
    def call(self, x):
        return self.norm(x)

class Net(tf.keras.Model):
    def __init__(self, count):
        super().__init__()
        self.blocks = [Block() for _ in range(count)]
    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return x

net = Net(2)
net.build((None, 3))
mine = {variables}
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(net(tf.ones([2, 3])))
print(tape.gradient(loss, mine))
"""


@pytest.mark.parametrize("variables", ["net.trainable_variables", "net.blocks[0].trainable_variables"])
def test_keras_2_builds_all_inside_a_model_by_its_shape_and_keras_3_nothing(variables: str) -> None:
    old = OWN_MODEL.format(keras="import tensorflow_addons as tfa", variables=variables)
    assert check(old, "GD509") == []
    new = OWN_MODEL.format(keras="from keras import ops", variables=variables)
    assert [finding.rule for finding in check(new, "GD509")] == ["GD509"]


@pytest.mark.tensorflow
def test_keras_3_itself_makes_no_variables_by_a_shape() -> None:
    program = OWN_MODEL.format(keras="", variables="net.trainable_variables")
    names: dict[str, Any] = {}
    with pytest.warns(UserWarning, match="does not have a `build"):
        exec(program, names)
    assert names["mine"] == []
    assert len(names["net"].trainable_variables) == 4


TWINS = """
import keras
import tensorflow as tf
def make(): return keras.Sequential([keras.Input([2]), keras.layers.Dense(3), keras.layers.Dense(1)])
class Own(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner, self.outer = keras.layers.Dense(3), keras.layers.Dense(1)
    def call(self, x): return self.outer(self.inner(x))
x = tf.ones([4, 2])
slow, fast = {twins}
slow(x), fast(x)
def copy(to, rate):
    for one, other in zip(to.trainable_variables, slow.trainable_variables): one.assign(other * rate)
"""
KINDS_OF_TWINS = ("make(), make()", "Own(), Own()")
# Each was run on 2.21: there is a gradient.
WITH_GRADIENT = (
    "with tf.GradientTape() as tape:\n    copy(fast, 0.9)\n    loss = fast(x)\nmine = fast",
    "with tf.GradientTape() as tape:\n    copy(slow, 0.9)\n    loss = slow(x)\nmine = slow",
    "with tf.GradientTape() as tape:\n    copy(fast, 0.9)\n    loss = fast(x) + slow(x)\nmine = slow",
    "copy(fast, 0.9)\nwith tf.GradientTape() as tape: loss = fast(x) * slow(x)\nmine = slow",
    "for _ in range(9):\n    copy(fast, 0.9)\n"
    "    with tf.GradientTape() as tape: loss = slow(x)\nmine = slow",
)
# And here each is None.
WITHOUT_GRADIENT = (
    "with tf.GradientTape() as tape:\n    copy(fast, 0.9)\n    loss = fast(x)\nmine = slow",
    "with tf.GradientTape() as tape:\n    with tf.GradientTape() as own: loss = slow(x)\n"
    "    parts = own.gradient(loss, slow.trainable_variables)\n"
    "    for one, other, part in zip(fast.trainable_variables, slow.trainable_variables, parts):\n"
    "        one.assign(other - 0.1 * part)\n    loss = fast(x)\nmine = slow",
)
ASK = "\nprint(tape.gradient(loss, mine.trainable_variables))"


@pytest.mark.parametrize("twins", KINDS_OF_TWINS)
@pytest.mark.parametrize("program", WITH_GRADIENT)
def test_weights_that_are_assigned_beside_the_way(twins: str, program: str) -> None:
    assert check(TWINS.format(twins=twins) + program + ASK, "GD512") == []


@pytest.mark.parametrize("twins", KINDS_OF_TWINS)
@pytest.mark.parametrize("program", WITHOUT_GRADIENT)
def test_weights_of_a_model_that_are_assigned_one_by_one(twins: str, program: str) -> None:
    [found] = marked(TWINS.format(twins=twins) + program + ASK, "GD512")
    assert found.startswith("one.assign(other ")
