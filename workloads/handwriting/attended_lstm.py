"""The first LSTM of Graves' network: its attention window is fed back at the next step.

The recurrence is a true one (the window of step t enters the gates of step t+1), so there is a
loop; its backward pass is written by hand like that of `lstm.py`.
"""

from typing import NamedTuple

import tensorflow as tf

from workloads.handwriting.lstm import (
    advance,
    limit,
    shifted,
    split_gates,
    step_backward,
    stored,
    unstacked,
    weight_gradient,
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
    cells: Tensor  # [time, batch, hidden]
    gates: Tensor  # [time, batch, 4 hidden]
    raw_windows: Tensor  # [time, batch, 3 components], float32


def attended_step(
    gate_inputs: Tensor,
    hidden: Tensor,
    cell: Tensor,
    previous: WindowStep,
    text: Tensor,
    weights: AttendedWeights,
) -> tuple[Tensor, Tensor, Tensor, Tensor, WindowStep]:
    """One step: gates, hidden state, cell, raw window parameters, window."""
    both = tf.concat([hidden, previous.window], axis=-1)  # [batch, hidden + characters]
    gates = split_gates(gate_inputs + tf.matmul(both, weights.recurrent))  # [batch, 4 hidden]
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
    window = initial_window(text, weights.window_bias.shape[0] // 3)
    steps_in = unstacked(inputs)

    def body(time, hidden, cell, window, arrays):
        gates, hidden, cell, raw, window = attended_step(
            steps_in.read(time), hidden, cell, window, text, weights
        )
        values = (hidden, *window, cell, gates, raw)
        arrays = tuple(a.write(time, v) for a, v in zip(arrays, values, strict=True))
        return time + 1, hidden, cell, window, arrays

    raw = tf.zeros([1, 3]) * window.position[:, :1]  # [batch, 3], a float32 like the raw window
    arrays = (
        stored(steps, zeros),
        *(stored(steps, part) for part in window),
        stored(steps, zeros),
        stored(steps, inputs[0]),
        stored(steps, raw, weights.window_bias.shape[0]),
    )
    final = tf.while_loop(lambda time, *_: time < steps, body, (0, zeros, zeros, window, arrays))
    stacked = [array.stack() for array in final[4]]
    return _Kept(Attended(*stacked[:4]), *stacked[4:])


def _run_backward(
    kept: _Kept, text: Tensor, weights: AttendedWeights, d: Attended, bound: float | None
) -> tuple[Tensor, Tensor]:
    """Derivatives by the gates' preactivations and by the raw window parameters."""
    steps = tf.shape(kept.gates)[0]
    zeros = tf.zeros_like(kept.cells[0])  # [batch, hidden]
    hidden_size = zeros.shape[-1]
    sequences = (kept.gates, kept.cells, shifted(kept.cells, zeros), kept.raw_windows)
    reads = [unstacked(s) for s in (*sequences, kept.outputs.position, *d)]

    def body(time, d_hidden, d_cell, d_window, d_position, d_inputs, d_raws):
        gates, cell, previous, raw, position, *d_out = (array.read(time) for array in reads)
        d_step = WindowStep(d_window + d_out[1], d_out[2], d_position + d_out[3])
        d_raw, d_position = window_step_backward(raw, position, text, d_step)
        through_window = tf.matmul(
            tf.cast(d_raw, zeros.dtype), weights.window_kernel, transpose_b=True
        )  # [batch, hidden]
        d_hidden = d_hidden + d_out[0] + through_window
        d_input, d_cell = step_backward(gates, cell, previous, d_hidden, d_cell)
        d_input = limit(d_input, bound)  # [batch, 4 hidden]
        d_both = tf.matmul(d_input, weights.recurrent, transpose_b=True)
        d_hidden, d_window = d_both[:, :hidden_size], d_both[:, hidden_size:]
        d_inputs, d_raws = d_inputs.write(time, d_input), d_raws.write(time, d_raw)
        return time - 1, d_hidden, d_cell, d_window, d_position, d_inputs, d_raws

    arrays = stored(steps, kept.gates[0]), stored(steps, kept.raw_windows[0])
    nothing = tf.zeros_like(text[:, 0]), tf.zeros_like(kept.outputs.position[0])
    start = (steps - 1, zeros, zeros, *nothing, *arrays)
    final = tf.while_loop(lambda time, *_: time >= 0, body, start)
    return final[5].stack(), final[6].stack()


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
            previous = shifted(both, tf.zeros_like(both[0]))
            d_raws = tf.cast(d_raws, inputs.dtype)
            return (
                d_inputs,
                weight_gradient(previous, d_inputs),
                weight_gradient(out.hidden, d_raws),
                tf.reduce_sum(d_raws, axis=[0, 1]),  # [3 components]
            )

        return tuple(kept.outputs), backward

    return Attended(*run(inputs, *weights))
