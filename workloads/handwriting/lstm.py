"""An LSTM over a whole sequence whose backward pass is written by hand.

Autodiff through a `tf.while_loop` stacks every intermediate of every step, and multiplies small
matrices for the weight gradient at each step. Here the loop keeps only gates and cells, and the
weight gradient is one large product after the loop.
"""

from typing import NamedTuple

import tensorflow as tf

Tensor = tf.Tensor


class Gates(NamedTuple):
    """The activated gates of one step, or, with a leading time dimension, of all steps."""

    first: Tensor  # [batch, hidden]
    forget: Tensor  # [batch, hidden]
    candidate: Tensor  # [batch, hidden]
    output: Tensor  # [batch, hidden]

    def at(self, time: Tensor) -> "Gates":
        """Those of one step."""
        return Gates(*(gate[time] for gate in self))


def open_gates(preactivation: Tensor) -> Gates:
    """The gates from their preactivations [batch, 4 hidden], in the order of `Gates`."""
    first, forget, candidate, output = tf.split(preactivation, 4, axis=-1)  # 4 of [batch, hidden]
    return Gates(tf.sigmoid(first), tf.sigmoid(forget), tf.tanh(candidate), tf.sigmoid(output))


def advance(gates: Gates, cell: Tensor) -> tuple[Tensor, Tensor]:
    """The next hidden state and cell."""
    cell = gates.forget * cell + gates.first * gates.candidate  # [batch, hidden]
    return gates.output * tf.tanh(cell), cell  # [batch, hidden] twice


def step_backward(
    gates: Gates, cell: Tensor, previous_cell: Tensor, d_hidden: Tensor, d_cell: Tensor
) -> tuple[Tensor, Tensor]:
    """Derivatives by the gates' preactivations and by the previous cell."""
    by_tanh, by_sigmoid = tf.raw_ops.TanhGrad, tf.raw_ops.SigmoidGrad  # one pass over memory each
    squashed = tf.tanh(cell)  # [batch, hidden]
    d_cell += by_tanh(y=squashed, dy=d_hidden * gates.output)  # [batch, hidden]
    d_preactivation = tf.concat(
        [
            by_sigmoid(y=gates.first, dy=d_cell * gates.candidate),
            by_sigmoid(y=gates.forget, dy=d_cell * previous_cell),
            by_tanh(y=gates.candidate, dy=d_cell * gates.first),
            by_sigmoid(y=gates.output, dy=d_hidden * squashed),
        ],
        axis=-1,
    )  # [batch, 4 hidden]
    return d_preactivation, d_cell * gates.forget


def limit(gradient: Tensor, bound: float | None) -> Tensor:
    """The gradient clipped to ±bound, as Graves does inside the LSTM."""
    if bound is None:
        return gradient
    low, high = (tf.constant(value, gradient.dtype) for value in (-bound, bound))
    return tf.raw_ops.ClipByValue(t=gradient, clip_value_min=low, clip_value_max=high)  # in one pass


def shifted(sequence: Tensor) -> Tensor:
    """The sequence one step later: zeros first, its last step dropped."""
    return tf.concat([tf.zeros_like(sequence[:1]), sequence[:-1]], axis=0)  # [time, batch, features]


def weight_gradient(inputs: Tensor, d_outputs: Tensor) -> Tensor:
    """The gradient of `inputs @ weight` by the weight, as one product over time and batch."""
    flat_inputs = tf.reshape(inputs, [-1, inputs.shape[-1]])  # [time * batch, in]
    flat_outputs = tf.reshape(d_outputs, [-1, d_outputs.shape[-1]])  # [time * batch, out]
    return tf.matmul(flat_inputs, flat_outputs, transpose_a=True)  # [in, out]


def turned(weight: Tensor) -> Tensor:
    """The weight transposed, once for all steps of a loop.

    A small product with `transpose_b=True` would turn it at every step: twice the time at 32 lines.
    """
    return tf.transpose(weight)  # [out, in]


def stored(steps: Tensor, like: Tensor, last: int | None = None) -> tf.TensorArray:
    """An array of `steps` tensors shaped like one step `like`, its last dimension replaced."""
    shape = like.shape if last is None else like.shape[:-1].concatenate([last])
    return tf.TensorArray(like.dtype, size=steps, element_shape=shape)


def write_each(arrays: tuple, time: Tensor, values: tuple) -> tuple:
    """The arrays with one more step each."""
    return tuple(array.write(time, value) for array, value in zip(arrays, values, strict=True))


def stacked_gates(arrays: tuple) -> Gates:
    """The gates of all steps. Arrays would save a copy, but a SavedModel cannot keep a gradient of them."""
    return Gates(*(array.stack() for array in arrays))  # [time, batch, hidden] each


def unstacked(sequence: Tensor) -> tf.TensorArray:
    """The steps of a time-major sequence, so that a loop under autodiff reads one at a time.

    `sequence[t]` inside the loop would do, but its gradient is a zero tensor of the whole
    sequence at every step: quadratic in time. The loops of this file have no such gradient and
    take `sequence[t]`, which copies nothing.
    """
    array = tf.TensorArray(sequence.dtype, size=tf.shape(sequence)[0], element_shape=sequence.shape[1:])
    return array.unstack(sequence)


class _Kept(NamedTuple):
    hiddens: Tensor  # [time, batch, hidden]
    cells: Tensor  # [1 + time, batch, hidden]: before the first step, and after every step
    gates: Gates  # [time, batch, hidden] each


def _run_forward(inputs: Tensor, recurrent: Tensor) -> _Kept:
    steps = tf.shape(inputs)[0]
    zeros = tf.zeros_like(inputs[0, :, : recurrent.shape[0]])  # [batch, hidden]

    def body(time, hidden, cell, hiddens, cells, kept):
        gates = open_gates(inputs[time] + tf.matmul(hidden, recurrent))
        hidden, cell = advance(gates, cell)  # [batch, hidden] twice
        hiddens, cells = hiddens.write(time, hidden), cells.write(time + 1, cell)
        return time + 1, hidden, cell, hiddens, cells, write_each(kept, time, gates)

    hiddens, *kept = (stored(steps, zeros) for _ in range(5))
    cells = stored(steps + 1, zeros).write(0, zeros)
    start = (0, zeros, zeros, hiddens, cells, tuple(kept))
    final = tf.while_loop(lambda time, *_: time < steps, body, start)
    return _Kept(final[3].stack(), final[4].stack(), stacked_gates(final[5]))


def _run_backward(kept: _Kept, recurrent: Tensor, d_hiddens: Tensor, bound: float | None) -> Tensor:
    steps = tf.shape(d_hiddens)[0]
    zeros = tf.zeros_like(d_hiddens[0])  # [batch, hidden]
    back = turned(recurrent)  # [4 hidden, hidden]

    def body(time, cell, d_hidden, d_cell, d_inputs):
        previous, d_hidden = kept.cells[time], d_hidden + d_hiddens[time]  # [batch, hidden] each
        d_input, d_cell = step_backward(kept.gates.at(time), cell, previous, d_hidden, d_cell)
        d_input = limit(d_input, bound)  # [batch, 4 hidden]
        d_hidden = tf.matmul(d_input, back)  # [batch, hidden]
        return time - 1, previous, d_hidden, d_cell, d_inputs.write(time, d_input)

    d_inputs = stored(steps, zeros, recurrent.shape[1])
    start = (steps - 1, kept.cells[steps], zeros, zeros, d_inputs)
    return tf.while_loop(lambda time, *_: time >= 0, body, start)[4].stack()


def lstm(inputs: Tensor, recurrent: Tensor, gradient_bound: float | None = None) -> Tensor:
    """Hidden states of an LSTM that starts at zero.

    Args:
        inputs: what enters the gates from outside, bias included: [time, batch, 4 hidden].
        recurrent: the weights from the hidden state to the gates: [hidden, 4 hidden].
        gradient_bound: clip the derivatives by the gates' preactivations to ±this.
    """

    @tf.custom_gradient
    def run(inputs: Tensor, recurrent: Tensor):
        kept = _run_forward(inputs, recurrent)

        def backward(d_hiddens: Tensor):
            d_inputs = _run_backward(kept, recurrent, d_hiddens, gradient_bound)
            return d_inputs, weight_gradient(shifted(kept.hiddens), d_inputs)

        return kept.hiddens, backward

    return run(inputs, recurrent)  # [time, batch, hidden]
