"""The first LSTM of Graves' network: its attention window is fed back at the next step.

The recurrence is a true one (the window of step t enters the gates of step t+1), so there is a
loop; its backward pass is written by hand like that of `lstm.py`.
"""

from typing import NamedTuple

import tensorflow as tf

from workloads.handwriting.lstm import (
    Gates,
    advance,
    limit,
    open_gates,
    shifted,
    stacked_gates,
    step_backward,
    stored,
    turned,
    weight_gradient,
    write_each,
)
from workloads.handwriting.window import (
    WindowStep,
    window_step,
    window_step_backward,
)

Tensor = tf.Tensor


class AttendedWeights(NamedTuple):
    """Weights of the loop; the gates' input weights and bias are applied before it."""

    recurrent: Tensor  # [hidden + characters, 4 hidden], for the hidden state and the window
    window_kernel: Tensor  # [hidden, 3 components]
    window_bias: Tensor  # [3 components]


class Attended(NamedTuple):
    """What the loop gives for every step."""

    hidden: Tensor  # [time, batch, hidden]
    window: Tensor  # [time, batch, characters]
    weight: Tensor  # [time, batch, text], float32: φ, how much of each character was read
    position: Tensor  # [time, batch, components], float32: κ


class _Kept(NamedTuple):
    outputs: Attended
    raws: Tensor  # [time, batch, 3 components], float32: the window's parameters
    cells: Tensor  # [1 + time, batch, hidden]: before the first step, and after every step
    gates: Gates  # [time, batch, hidden] each


def attended_step(
    gate_inputs: Tensor,
    hidden: Tensor,
    cell: Tensor,
    previous: WindowStep,
    text: Tensor,
    weights: AttendedWeights,
) -> tuple[Gates, Tensor, Tensor, Tensor, WindowStep]:
    """One step: gates, hidden state, cell, raw window parameters, window."""
    both = tf.concat([hidden, previous.window], axis=-1)  # [batch, hidden + characters]
    gates = open_gates(gate_inputs + tf.matmul(both, weights.recurrent))
    hidden, cell = advance(gates, cell)  # [batch, hidden] twice
    raw = tf.matmul(hidden, weights.window_kernel) + weights.window_bias  # [batch, 3 components]
    raw = tf.cast(raw, tf.float32)
    return gates, hidden, cell, raw, window_step(raw, previous.position, text)


def initial_window(text: Tensor, components: int) -> WindowStep:
    """The window before the first step: nothing read yet."""
    batch = tf.shape(text)[0]
    return WindowStep(
        tf.zeros_like(text[:, 0]),  # [batch, characters]
        tf.zeros([batch, tf.shape(text)[1]], tf.float32),  # [batch, text]
        tf.zeros([batch, components], tf.float32),  # [batch, components]
    )


def _run_forward(inputs: Tensor, text: Tensor, weights: AttendedWeights) -> _Kept:
    steps = tf.shape(inputs)[0]
    zeros = tf.zeros_like(inputs[0, :, : inputs.shape[-1] // 4])  # [batch, hidden]
    parameters = weights.window_bias.shape[0]
    window = initial_window(text, parameters // 3)

    def body(time, hidden, cell, window, cells, arrays):
        gates, hidden, cell, raw, window = attended_step(inputs[time], hidden, cell, window, text, weights)
        arrays = write_each(arrays, time, (hidden, *window, raw, *gates))
        return time + 1, hidden, cell, window, cells.write(time + 1, cell), arrays

    raw = stored(steps, window.position, parameters)
    outputs = [stored(steps, part) for part in (zeros, *window)]
    gates = [stored(steps, zeros) for _ in Gates._fields]
    cells = stored(steps + 1, zeros).write(0, zeros)
    start = (0, zeros, zeros, window, cells, (*outputs, raw, *gates))
    final = tf.while_loop(lambda time, *_: time < steps, body, start)
    *outputs, raws = (array.stack() for array in final[5][:5])
    return _Kept(Attended(*outputs), raws, final[4].stack(), stacked_gates(final[5][5:]))


def _run_backward(
    kept: _Kept, text: Tensor, weights: AttendedWeights, d: Attended, bound: float | None
) -> tuple[Tensor, Tensor]:
    """Derivatives by the gates' preactivations and by the raw window parameters."""
    steps = tf.shape(d.hidden)[0]
    zeros = tf.zeros_like(d.hidden[0])  # [batch, hidden]
    hidden_size = zeros.shape[-1]
    back, back_window = turned(weights.recurrent), turned(weights.window_kernel)

    def body(time, cell, d_hidden, d_cell, d_window, d_position, d_inputs, d_raws):
        d_step = WindowStep(d_window + d.window[time], d.weight[time], d_position + d.position[time])
        position = kept.outputs.position[time]  # [batch, components]
        d_raw, d_position = window_step_backward(kept.raws[time], position, text, d_step)
        through_window = tf.matmul(tf.cast(d_raw, zeros.dtype), back_window)  # [batch, hidden]
        d_hidden = d_hidden + d.hidden[time] + through_window
        previous = kept.cells[time]  # [batch, hidden]
        d_input, d_cell = step_backward(kept.gates.at(time), cell, previous, d_hidden, d_cell)
        d_input = limit(d_input, bound)  # [batch, 4 hidden]
        d_both = tf.matmul(d_input, back)  # [batch, hidden + characters]
        d_hidden, d_window = d_both[:, :hidden_size], d_both[:, hidden_size:]
        d_inputs, d_raws = d_inputs.write(time, d_input), d_raws.write(time, d_raw)
        return time - 1, previous, d_hidden, d_cell, d_window, d_position, d_inputs, d_raws

    nothing = tf.zeros_like(text[:, 0]), tf.zeros_like(d.position[0])
    d_inputs = stored(steps, zeros, 4 * hidden_size)
    d_raws = stored(steps, nothing[1], weights.window_bias.shape[0])
    start = (steps - 1, kept.cells[steps], zeros, zeros, *nothing, d_inputs, d_raws)
    final = tf.while_loop(lambda time, *_: time >= 0, body, start)
    return final[6].stack(), final[7].stack()


def attended_lstm(
    inputs: Tensor, text: Tensor, weights: AttendedWeights, gradient_bound: float | None = None
) -> Attended:
    """Hidden states and windows of an LSTM that reads `text` as it writes.

    Args:
        inputs: what enters the gates from outside, bias included: [time, batch, 4 hidden].
        text: one-hot characters, all zero where there is none: [batch, text, characters].
        weights: the weights of the loop.
        gradient_bound: clip the derivatives by the gates' preactivations to ±this.
    """

    @tf.custom_gradient
    def run(inputs: Tensor, *weight_tensors: Tensor):
        weights = AttendedWeights(*weight_tensors)
        kept = _run_forward(inputs, text, weights)

        def backward(*d_outputs: Tensor):
            d = Attended(*d_outputs)
            d_inputs, d_raws = _run_backward(kept, text, weights, d, gradient_bound)
            out = kept.outputs
            both = tf.concat([out.hidden, out.window], axis=-1)  # [time, batch, hidden + chars]
            d_raws = tf.cast(d_raws, inputs.dtype)
            return (
                d_inputs,
                weight_gradient(shifted(both), d_inputs),
                weight_gradient(out.hidden, d_raws),
                tf.reduce_sum(d_raws, axis=[0, 1]),  # [3 components]
            )

        return tuple(kept.outputs), backward

    return Attended(*run(inputs, *weights))
