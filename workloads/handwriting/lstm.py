"""An LSTM over a whole sequence whose backward pass is written by hand.

Autodiff through a `tf.while_loop` stacks every intermediate of every step, and multiplies small
matrices for the weight gradient at each step. Here the loop keeps only gates and cells, and the
weight gradient is one large product after the loop.
"""

import tensorflow as tf

Tensor = tf.Tensor


def split_gates(preactivation: Tensor) -> Tensor:
    """Activations of the four gates, in the order input, forget, candidate, output."""
    first, forget, candidate, output = tf.split(preactivation, 4, axis=-1)  # 4 of [batch, hidden]
    return tf.concat(
        [tf.sigmoid(first), tf.sigmoid(forget), tf.tanh(candidate), tf.sigmoid(output)], axis=-1
    )  # [batch, 4 hidden]


def advance(gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    """The next hidden state and cell from activated gates."""
    first, forget, candidate, output = tf.split(gates, 4, axis=-1)  # 4 of [batch, hidden]
    cell = forget * cell + first * candidate  # [batch, hidden]
    return output * tf.tanh(cell), cell  # [batch, hidden] twice


def step_backward(
    gates: Tensor, cell: Tensor, previous_cell: Tensor, d_hidden: Tensor, d_cell: Tensor
) -> tuple[Tensor, Tensor]:
    """Derivatives by the gates' preactivations and by the previous cell."""
    first, forget, candidate, output = tf.split(gates, 4, axis=-1)  # 4 of [batch, hidden]
    squashed = tf.tanh(cell)  # [batch, hidden]
    d_cell += d_hidden * output * (1 - squashed * squashed)  # [batch, hidden]
    d_preactivation = tf.concat(
        [
            d_cell * candidate * first * (1 - first),
            d_cell * previous_cell * forget * (1 - forget),
            d_cell * first * (1 - candidate * candidate),
            d_hidden * squashed * output * (1 - output),
        ],
        axis=-1,
    )  # [batch, 4 hidden]
    return d_preactivation, d_cell * forget


def limit(gradient: Tensor, bound: float | None) -> Tensor:
    """The gradient clipped to ±bound, as Graves does inside the LSTM."""
    return gradient if bound is None else tf.clip_by_value(gradient, -bound, bound)


def shifted(sequence: Tensor, start: Tensor) -> Tensor:
    """The sequence one step later: `start` first, its last step dropped."""
    return tf.concat([start[tf.newaxis], sequence[:-1]], axis=0)  # [time, batch, features]


def weight_gradient(inputs: Tensor, d_outputs: Tensor) -> Tensor:
    """The gradient of `inputs @ weight` by the weight, as one product over time and batch."""
    flat_inputs = tf.reshape(inputs, [-1, inputs.shape[-1]])  # [time * batch, in]
    flat_outputs = tf.reshape(d_outputs, [-1, d_outputs.shape[-1]])  # [time * batch, out]
    return tf.matmul(flat_inputs, flat_outputs, transpose_a=True)  # [in, out]


def stored(steps: Tensor, like: Tensor, last: int | None = None) -> tf.TensorArray:
    """An array of `steps` tensors shaped like one step `like`, its last dimension replaced."""
    shape = like.shape if last is None else like.shape[:-1].concatenate([last])
    return tf.TensorArray(like.dtype, size=steps, element_shape=shape)


def unstacked(sequence: Tensor) -> tf.TensorArray:
    """The steps of a time-major sequence, so that a loop reads one at a time.

    `sequence[t]` inside the loop would do, but its gradient is a zero tensor of the whole
    sequence at every step: quadratic in time.
    """
    array = tf.TensorArray(sequence.dtype, size=tf.shape(sequence)[0], element_shape=sequence.shape[1:])
    return array.unstack(sequence)


def _run_forward(inputs: Tensor, recurrent: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    steps = tf.shape(inputs)[0]
    zeros = tf.zeros_like(inputs[0, :, : recurrent.shape[0]])  # [batch, hidden]
    steps_in = unstacked(inputs)

    def body(time, hidden, cell, hiddens, cells, all_gates):
        gates = split_gates(steps_in.read(time) + tf.matmul(hidden, recurrent))  # [batch, 4 hidden]
        hidden, cell = advance(gates, cell)  # [batch, hidden] twice
        return (
            time + 1,
            hidden,
            cell,
            hiddens.write(time, hidden),
            cells.write(time, cell),
            all_gates.write(time, gates),
        )

    arrays = (stored(steps, zeros), stored(steps, zeros), stored(steps, inputs[0]))
    final = tf.while_loop(lambda time, *_: time < steps, body, (0, zeros, zeros, *arrays))
    return final[3].stack(), final[4].stack(), final[5].stack()


def _run_backward(
    gates: Tensor, cells: Tensor, recurrent: Tensor, d_hiddens: Tensor, bound: float | None
) -> Tensor:
    steps = tf.shape(gates)[0]
    zeros = tf.zeros_like(cells[0])  # [batch, hidden]
    arrays = [unstacked(s) for s in (gates, cells, shifted(cells, zeros), d_hiddens)]

    def body(time, d_hidden, d_cell, d_inputs):
        gate, cell, previous, d_out = (array.read(time) for array in arrays)
        d_input, d_cell = step_backward(gate, cell, previous, d_hidden + d_out, d_cell)
        d_input = limit(d_input, bound)  # [batch, 4 hidden]
        d_hidden = tf.matmul(d_input, recurrent, transpose_b=True)  # [batch, hidden]
        return time - 1, d_hidden, d_cell, d_inputs.write(time, d_input)

    start = (steps - 1, zeros, zeros, stored(steps, gates[0]))
    return tf.while_loop(lambda time, *_: time >= 0, body, start)[3].stack()


def lstm(inputs: Tensor, recurrent: Tensor, gradient_bound: float | None = None) -> Tensor:
    """Hidden states of an LSTM that starts at zero.

    Args:
        inputs: what enters the gates from outside, bias included: [time, batch, 4 hidden].
        recurrent: the weights from the hidden state to the gates: [hidden, 4 hidden].
        gradient_bound: clip the derivatives by the gates' preactivations to ±this.
    """

    @tf.custom_gradient
    def run(inputs: Tensor, recurrent: Tensor):
        hiddens, cells, gates = _run_forward(inputs, recurrent)  # [time, batch, …] each

        def backward(d_hiddens: Tensor):
            d_inputs = _run_backward(gates, cells, recurrent, d_hiddens, gradient_bound)
            previous = shifted(hiddens, tf.zeros_like(hiddens[0]))  # [time, batch, hidden]
            return d_inputs, weight_gradient(previous, d_inputs)

        return hiddens, backward

    return run(inputs, recurrent)  # [time, batch, hidden]
