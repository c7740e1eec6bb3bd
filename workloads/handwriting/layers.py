"""The network's recurrent layers, as Keras layers around the loops of `lstm.py`.

Inside, time comes first. Each layer has `call` for a whole sequence and `step` for the sampler.
"""

from typing import Any

import keras
import numpy as np
import tensorflow as tf

from workloads.handwriting import window as windows
from workloads.handwriting.alphabet import HANDS, SIZE
from workloads.handwriting.attended_lstm import (
    Attended,
    AttendedWeights,
    attended_lstm,
    attended_step,
)
from workloads.handwriting.config import ModelConfig
from workloads.handwriting.lstm import advance, lstm, open_gates

Tensor = tf.Tensor


def _value(variable: keras.Variable) -> Tensor:
    """The variable as a tensor of the layer's compute type."""
    return tf.convert_to_tensor(variable.value)


def _sizes(tensor: Tensor) -> list[int | Tensor]:
    """Its dimensions, as numbers where they are known."""
    dynamic = tf.shape(tensor)
    return [dynamic[axis] if size is None else size for axis, size in enumerate(tensor.shape)]


def _forget_bias(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Ones for the forget gates, so that a new network remembers."""
    bias = np.zeros(shape, np.float32)
    bias[shape[0] // 4 : shape[0] // 2] = 1
    return bias  # [4 hidden]


class _Gated(keras.layers.Layer):
    """What every LSTM here shares: the weights from its input to its gates."""

    def __init__(self, config: ModelConfig, **options: Any):
        super().__init__(**options)
        self.config = config

    def _add(self, name: str, shape: tuple[int, ...], initializer: Any) -> keras.Variable:
        return self.add_weight(name=name, shape=shape, initializer=initializer)

    def _build_gates(self, inputs: int, recurrent_inputs: int) -> None:
        gates = 4 * self.config.hidden
        self.kernel = self._add("kernel", (inputs, gates), "glorot_uniform")
        self.recurrent = self._add("recurrent", (recurrent_inputs, gates), "glorot_uniform")
        self.bias = self._add("bias", (gates,), _forget_bias)

    def gate_inputs(self, inputs: Tensor) -> Tensor:
        """What enters the gates from outside, for all steps in one product."""
        kernel = _value(self.kernel)  # [in, 4 hidden]
        flat = tf.reshape(inputs, [-1, kernel.shape[0]])  # [time * batch, in]
        # `bias_add` on the flat product is one pass over memory with it; `tensordot` + bias is two.
        gates = tf.nn.bias_add(tf.matmul(flat, kernel), _value(self.bias))  # [time * batch, 4 hidden]
        return tf.reshape(gates, [*_sizes(inputs)[:-1], kernel.shape[1]])


@keras.saving.register_keras_serializable("handwriting")
class Recurrent(_Gated):
    """A plain LSTM."""

    def build(self, input_shape: tuple[int | None, ...]) -> None:
        self._build_gates(input_shape[-1], self.config.hidden)

    def call(self, inputs: Tensor) -> Tensor:
        bound = self.config.gate_gradient_bound
        return lstm(self.gate_inputs(inputs), _value(self.recurrent), bound)

    def step(self, inputs: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
        """The next hidden state and cell."""
        outside = self.gate_inputs(inputs)  # [batch, 4 hidden]
        return advance(open_gates(outside + tf.matmul(hidden, _value(self.recurrent))), cell)


class _Reading(_Gated):
    """A first layer: an LSTM with a window over the text."""

    def _build_window(self) -> None:
        components = self.config.components
        self.window_kernel = self._add(
            "window_kernel",
            (self.config.hidden, 3 * components),
            keras.initializers.RandomNormal(stddev=0.02),
        )
        self.window_bias = self._add("window_bias", (3 * components,), self._window_bias)

    def _window_bias(self, shape: tuple[int, ...], dtype: str) -> np.ndarray:
        # With any other start than the text's own pace the window never finds the characters,
        # and the loss hardly shows it.
        components = self.config.components
        pace = -np.log(self.config.points_per_character)
        height = -np.log(components)
        return np.repeat([height, 0.0, pace], components).astype(np.float32)  # [3 components]


@keras.saving.register_keras_serializable("handwriting")
class FedBack(_Reading):
    """Graves' first layer: the window enters the gates of the next step."""

    def build(self, input_shape: tuple[int | None, ...]) -> None:
        self._build_gates(input_shape[-1], self.config.hidden + SIZE + HANDS)
        self._build_window()

    def weights_of_loop(self) -> AttendedWeights:
        """The weights in the order of the loop."""
        variables = (self.recurrent, self.window_kernel, self.window_bias)
        return AttendedWeights(*map(_value, variables))

    def call(self, inputs: Tensor, text: Tensor) -> Attended:
        bound = self.config.gate_gradient_bound
        return attended_lstm(self.gate_inputs(inputs), text, self.weights_of_loop(), bound)

    def step(
        self,
        inputs: Tensor,
        hidden: Tensor,
        cell: Tensor,
        window: windows.WindowStep,
        text: Tensor,
    ) -> tuple[Tensor, Tensor, windows.WindowStep]:
        """The next hidden state, cell and window."""
        outside = self.gate_inputs(inputs)  # [batch, 4 hidden]
        weights = self.weights_of_loop()
        _, hidden, cell, _, window = attended_step(outside, hidden, cell, window, text, weights)
        return hidden, cell, window


@keras.saving.register_keras_serializable("handwriting")
class Ahead(_Reading):
    """The first layer of `parallel`: the LSTM runs ahead, the windows follow all at once."""

    def build(self, input_shape: tuple[int | None, ...]) -> None:
        self._build_gates(input_shape[-1], self.config.hidden)
        self._build_window()

    def projection(self) -> windows.Projection:
        """From hidden states to raw window parameters."""
        return windows.Projection(_value(self.window_kernel), _value(self.window_bias))

    def call(self, inputs: Tensor, text: Tensor) -> Attended:
        bound = self.config.gate_gradient_bound
        hidden = lstm(self.gate_inputs(inputs), _value(self.recurrent), bound)
        windowed = windows.VARIANTS[self.config.attention](hidden, self.projection(), text)
        return Attended(hidden, *windowed)

    def step(
        self,
        inputs: Tensor,
        hidden: Tensor,
        cell: Tensor,
        window: windows.WindowStep,
        text: Tensor,
    ) -> tuple[Tensor, Tensor, windows.WindowStep]:
        """The next hidden state, cell and window."""
        outside = self.gate_inputs(inputs)  # [batch, 4 hidden]
        gates = open_gates(outside + tf.matmul(hidden, _value(self.recurrent)))
        hidden, cell = advance(gates, cell)  # [batch, hidden] twice
        raw = self.projection()(hidden)  # [batch, 3 components]
        return hidden, cell, windows.window_step(raw, window.position, text)
