"""The network: points so far and a text in, a mixture for each next point out."""

from typing import Any, NamedTuple

import keras
import msgspec
import tensorflow as tf

from workloads.handwriting.alphabet import HAND, HANDS, SIZE
from workloads.handwriting.attended_lstm import initial_window
from workloads.handwriting.config import ModelConfig
from workloads.handwriting.layers import Ahead, FedBack, Recurrent
from workloads.handwriting.loss import outputs_for
from workloads.handwriting.window import WindowStep
from workloads.settings import convert

Tensor = tf.Tensor


class Reading(NamedTuple):
    """What the network says, and which character it read for it."""

    parameters: Tensor  # [batch, time, 1 + 6 mixtures]
    weight: Tensor  # [batch, time, text], float32: φ
    position: Tensor  # [batch, time, components], float32: κ


class State(NamedTuple):
    """Where the network stands between two steps of the sampler."""

    hidden: tuple[Tensor, ...]  # `layers` of [batch, hidden]
    cell: tuple[Tensor, ...]  # `layers` of [batch, hidden]
    window: WindowStep
    height: Tensor  # [batch, 1], float32: how far the pen is below the line's start


def one_hot_text(text: Tensor, dtype: Any) -> Tensor:
    """Characters as one-hot vectors, each followed by its hand; padding and no hand as zeros."""
    character = tf.one_hot(text % HAND - 1, SIZE, dtype=dtype)  # [batch, text, characters]
    # The hand goes through the window at every step. A network that must remember it from the
    # first letters falls back into another hand after a few words.
    hand = tf.one_hot(text // HAND - 1, HANDS, dtype=dtype)  # [batch, text, hands]
    return tf.concat([character, hand], axis=-1)  # [batch, text, characters + hands]


def limit_gradient(tensor: Tensor, bound: float | None) -> Tensor:
    """The tensor unchanged; its gradient clipped to ±bound."""
    if bound is None:
        return tensor

    @tf.custom_gradient
    def identity(tensor: Tensor):
        return tf.identity(tensor), lambda d: tf.clip_by_value(d, -bound, bound)

    return identity(tensor)


@keras.saving.register_keras_serializable("handwriting")
class Handwriting(keras.Model):
    """Graves' synthesis network (`graves`), or the one without feedback (`parallel`).

    Called with `{"points": [batch, time, 3], "text": [batch, text]}`, gives the raw mixture
    parameters [batch, time, 1 + 6 mixtures] of each next point.
    """

    def __init__(self, config: ModelConfig | dict[str, Any], **options: Any):
        super().__init__(**options)
        self.config = convert(ModelConfig, config) if isinstance(config, dict) else config
        hidden, layers = self.config.hidden, self.config.layers
        first = FedBack if self.config.architecture == "graves" else Ahead
        policy = self.dtype_policy
        features = 4 if self.config.sees_height else 3
        self.first = first(self.config, name="first", dtype=policy)
        self.first.build((None, None, features))
        self.rest = []
        for number in range(1, layers):
            layer = Recurrent(self.config, name=f"layer{number}", dtype=policy)
            layer.build((None, None, features + SIZE + HANDS + hidden))
            self.rest.append(layer)
        outputs = outputs_for(self.config.mixtures)
        self.output_layer = keras.layers.Dense(outputs, name="outputs", dtype=policy)
        self.output_layer.build((None, layers * hidden))
        self.built = True

    def build(self, input_shape: Any = None) -> None:
        """Nothing left to do: every size is known from the configuration."""

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "config": msgspec.to_builtins(self.config)}

    def call(self, inputs: dict[str, Tensor]) -> Tensor:
        return self.read(inputs).parameters

    def read(self, inputs: dict[str, Tensor]) -> Reading:
        """The mixture parameters, and the attention that led to them."""
        points = tf.cast(inputs["points"], tf.float32)  # [batch, time, 3]
        points = tf.transpose(points, [1, 0, 2])  # [time, batch, 3]
        points = self._features(points, tf.cumsum(points[..., 1:2], axis=0))
        text = one_hot_text(inputs["text"], self.compute_dtype)  # [batch, text, characters]
        attended = self.first(points, text)  # time first
        hiddens = [attended.hidden]  # `layers` of [time, batch, hidden]
        for layer in self.rest:
            hiddens.append(layer(tf.concat([points, attended.window, hiddens[-1]], axis=-1)))
        parameters = self.output_layer(tf.concat(hiddens, axis=-1))  # [time, batch, outputs]
        parameters = limit_gradient(parameters, self.config.output_gradient_bound)
        by_batch = (tf.transpose(t, [1, 0, 2]) for t in (parameters, *attended[2:]))
        return Reading(*by_batch)

    def _features(self, points: Tensor, height: Tensor) -> Tensor:
        """What the layers read of points [..., 3] at a height [..., 1]."""
        # From its moves alone the network must add up where the line is, and drifts off after a few
        # long strokes.
        seen = tf.concat([points, height], axis=-1) if self.config.sees_height else points
        return tf.cast(seen, self.compute_dtype)  # [..., 3 or 4]

    def initial_state(self, text: Tensor) -> State:
        """The state before the first point, for one-hot text [batch, text, characters]."""
        zeros = tf.zeros([tf.shape(text)[0], self.config.hidden], text.dtype)  # [batch, hidden]
        empty = (zeros,) * self.config.layers
        height = tf.zeros([tf.shape(text)[0], 1])
        return State(empty, empty, initial_window(text, self.config.components), height)

    def step(self, point: Tensor, state: State, text: Tensor) -> tuple[Tensor, State]:
        """The mixture parameters after one more point [batch, 3], and the next state."""
        point = tf.cast(point, tf.float32)
        height = state.height + point[:, 1:2]  # [batch, 1]
        seen = self._features(point, height)  # [batch, 3 or 4]
        hidden, cell, window = self.first.step(seen, state.hidden[0], state.cell[0], state.window, text)
        hiddens, cells = [hidden], [cell]  # `layers` of [batch, hidden]
        for layer, old_hidden, old_cell in zip(self.rest, state.hidden[1:], state.cell[1:], strict=True):
            inputs = tf.concat([seen, window.window, hiddens[-1]], axis=-1)
            hidden, cell = layer.step(inputs, old_hidden, old_cell)
            hiddens.append(hidden)
            cells.append(cell)
        parameters = self.output_layer(tf.concat(hiddens, axis=-1))  # [batch, outputs]
        return parameters, State(tuple(hiddens), tuple(cells), window, height)
