"""The variants that `benchmarks/handwriting.py` compares: the same network, written in different ways."""

from collections.abc import Callable
from typing import NamedTuple

import keras
import numpy as np
import tensorflow as tf

from workloads.handwriting import window as windows
from workloads.handwriting.alphabet import HANDS, SIZE
from workloads.handwriting.config import ModelConfig
from workloads.handwriting.loss import outputs_for, read_mixture, total_loss
from workloads.handwriting.model import Handwriting, one_hot_text
from workloads.handwriting.sample import Sampler, draw_point

LAYERS, MIXTURES, COMPONENTS, TEXT = 3, 20, 10, 30


class Size(NamedTuple):
    """What is computed."""

    hidden: int
    time: int
    batch: int


class KerasVariant(keras.Model):
    """`parallel` as a user would write it: Keras LSTMs, autodiff, one of the four attentions."""

    def __init__(self, size: Size, attention: str):
        super().__init__()
        self.attention = attention
        self.lstms = [keras.layers.LSTM(size.hidden, return_sequences=True) for _ in range(LAYERS)]
        self.window_layer = keras.layers.Dense(3 * COMPONENTS)
        self.window_layer.build((None, size.hidden))
        self.window_layer.bias.assign(np.repeat([-2.3, 0.0, -2.3], COMPONENTS))
        self.outputs_layer = keras.layers.Dense(outputs_for(MIXTURES))

    def call(self, inputs: dict[str, tf.Tensor]) -> tf.Tensor:
        points = inputs["points"]  # [batch, time, 3]
        text = one_hot_text(inputs["text"], tf.float32)  # [batch, text, characters]
        hidden = self.lstms[0](points)  # [batch, time, hidden]
        layer = self.window_layer
        project = windows.Projection(*map(tf.convert_to_tensor, (layer.kernel, layer.bias)))
        by_time = tf.transpose(hidden, [1, 0, 2])  # [time, batch, hidden]
        read = windows.VARIANTS[self.attention](by_time, project, text).window
        read = tf.transpose(read, [1, 0, 2])  # [batch, time, characters]
        hiddens = [hidden]
        for lstm in self.lstms[1:]:
            hiddens.append(lstm(tf.concat([points, read, hiddens[-1]], axis=-1)))
        return self.outputs_layer(tf.concat(hiddens, axis=-1))  # [batch, time, outputs]


def _ours(size: Size, architecture: str) -> Handwriting:
    config = ModelConfig(
        architecture,
        hidden=size.hidden,
        layers=LAYERS,
        mixtures=MIXTURES,
        components=COMPONENTS,
        points_per_character=size.time / TEXT,
    )
    return Handwriting(config)


# `tensorarray_sliced` is the loop that is usually recommended: a TensorArray, its input sliced by step.
VARIANTS: dict[str, Callable[[Size], keras.Model]] = {
    "eager": lambda size: KerasVariant(size, "tensorarray"),
    "tensorarray_sliced": lambda size: KerasVariant(size, "tensorarray_sliced"),
    "tensorarray": lambda size: KerasVariant(size, "tensorarray"),
    "scan": lambda size: KerasVariant(size, "scan"),
    "cumsum": lambda size: KerasVariant(size, "cumsum"),
    "parallel": lambda size: _ours(size, "parallel"),
    "graves": lambda size: _ours(size, "graves"),
}


def make_inputs(size: Size) -> tuple[tf.Tensor, tf.Tensor]:
    """Random points [batch, time + 1, 3] and text [batch, text]."""
    random = np.random.default_rng(0)
    points = random.normal(size=(size.batch, size.time + 1, 3)).astype(np.float32)
    points[..., 2] = random.random(points.shape[:2]) < 0.1
    text = random.integers(1, SIZE + 1, (size.batch, TEXT)).astype(np.int32)
    return tf.constant(points), tf.constant(text)


def make_step(name: str, size: Size) -> Callable[[tf.Tensor, tf.Tensor], tf.Tensor]:
    """Loss, gradients and a plain update, whose result needs all of them."""
    model = VARIANTS[name](size)
    points, text = make_inputs(size._replace(time=2, batch=1))
    model({"points": points, "text": text})
    weights = model.trainable_variables

    def step(points: tf.Tensor, text: tf.Tensor) -> tf.Tensor:
        mask = tf.ones_like(points[:, 1:, 0])  # [batch, time]
        with tf.GradientTape() as tape:
            parameters = model({"points": points[:, :-1], "text": text})
            loss = total_loss(points[:, 1:], parameters, mask)
        gradients = tape.gradient(loss, weights)
        for weight, gradient in zip(weights, gradients, strict=True):
            weight.value.assign_sub(1e-9 * gradient)
        return loss

    return step


def step_operations(name: str, size: Size) -> float:
    """Operations of the matrix products alone: forward, and twice that backward."""
    hidden, gates = size.hidden, 4 * size.hidden
    fed_back = SIZE + HANDS if name == "graves" else 0
    weights = (3 + hidden + fed_back) * gates + hidden * 3 * COMPONENTS
    weights += (LAYERS - 1) * (3 + SIZE + HANDS + 2 * hidden) * gates
    weights += LAYERS * hidden * outputs_for(MIXTURES)
    return 6.0 * weights * size.time * size.batch


def sampling_loops(points: int) -> dict[str, Callable[[], tf.Tensor]]:
    """The sampler, and two loops in Python that draw as many points."""
    model = _ours(Size(160, 300, 1), "graves")
    bias = np.array(model.first.window_bias.value)
    bias[-COMPONENTS:] = -12.0  # the window stands still, so that no line ends early
    model.first.window_bias.assign(bias)
    sampler = Sampler(model)
    text = tf.constant([[*range(2, 22), 1]])
    start = tf.constant([[[0.0, 0.0, 1.0]]])
    one_hot = one_hot_text(text, tf.float32)

    def one_graph() -> tf.Tensor:
        limit = tf.constant(points + 1)
        samples = sampler(text, start, tf.constant([1]), tf.constant(0.0), tf.constant([0, 0]), limit)
        assert samples.points.shape[1] == points
        return samples.points

    def one_step(point, state, time):
        parameters, state = model.step(point, state, one_hot)
        uniform = tf.random.stateless_uniform([1, 2], tf.stack([0, time]))
        normal = tf.random.stateless_normal([1, 2], tf.stack([1, time]))
        return draw_point(read_mixture(parameters), uniform, normal), state

    def loop_over(step: Callable) -> Callable[[], tf.Tensor]:
        def run() -> tf.Tensor:
            point, state = start[:, 0], model.initial_state(one_hot)
            for time in range(points):
                point, state = step(point, state, tf.constant(time))
            return point

        return run

    loops = {
        "one graph": one_graph,
        "Python loop, eager steps": loop_over(one_step),
        "Python loop, each step a tf.function": loop_over(tf.function(one_step)),
    }
    for loop in loops.values():
        loop()
    return loops
