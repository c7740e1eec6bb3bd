"""The soft window over the text: Gaussians whose positions only move forward.

The window of one step needs the raw parameters of that step and the positions κ of the step
before. Where the raw parameters do not depend on the window (the `parallel` network), κ is a
running sum, and no loop is needed. The three loops beside it compute the same; they are here to
be compared, in the tests and in `benchmarks/handwriting.py`.
"""

from collections.abc import Callable
from typing import NamedTuple

import tensorflow as tf

from workloads.handwriting.lstm import unstacked

Tensor = tf.Tensor
# exp() of the raw parameters stays within float32 and within any text: never inf, never NaN.
LOWEST, HIGHEST = -12.0, 6.0


class WindowStep(NamedTuple):
    """The window at one step, or, with a leading time dimension, at all of them."""

    window: Tensor  # [batch, characters]
    weight: Tensor  # [batch, text], float32: φ, how much of each character is read
    position: Tensor  # [batch, components], float32: κ


def _activate(raw: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    bounded = tf.clip_by_value(raw, LOWEST, HIGHEST)  # [..., 3 components]
    height, width, advance = tf.split(tf.exp(bounded), 3, axis=-1)  # 3 of [..., components]
    return height, width, advance


def _bells(height: Tensor, width: Tensor, position: Tensor, length: Tensor) -> tuple[Tensor, ...]:
    """Each Gaussian at each character, and the distance from its centre."""
    places = tf.cast(tf.range(length), tf.float32)  # [text]
    distance = position[..., tf.newaxis] - places  # [..., components, text]
    bell = height[..., tf.newaxis] * tf.exp(-width[..., tf.newaxis] * distance * distance)
    return bell, distance


def window_weights(raw: Tensor, position: Tensor, length: Tensor) -> Tensor:
    """φ: how much each of `length` characters is read."""
    height, width, _ = _activate(raw)  # [..., components] each
    return tf.reduce_sum(_bells(height, width, position, length)[0], axis=-2)  # [..., text]


def window_step(raw: Tensor, previous_position: Tensor, text: Tensor) -> WindowStep:
    """The window of one step, from raw float32 parameters [batch, 3 components]."""
    height, width, advance = _activate(raw)  # [batch, components] each
    position = previous_position + advance  # [batch, components]
    bell, _ = _bells(height, width, position, tf.shape(text)[1])  # [batch, components, text]
    weight = tf.reduce_sum(bell, axis=1)  # [batch, text]
    return WindowStep(_read(weight, text), weight, position)


def _read(weight: Tensor, text: Tensor) -> Tensor:
    """The window: characters weighted by φ, at one step or at all."""
    return tf.einsum("...bu,buc->...bc", tf.cast(weight, text.dtype), text)  # [..., batch, characters]


def window_step_backward(raw: Tensor, position: Tensor, text: Tensor, d: WindowStep) -> tuple[Tensor, Tensor]:
    """Derivatives by the raw parameters and by the previous position."""
    activated = _activate(raw)  # 3 of [batch, components]
    height, width, _ = activated
    bell, distance = _bells(height, width, position, tf.shape(text)[1])  # [batch, comp., text]
    by_bells = _bells_backward(bell, distance, width, _weight_backward(text, d))
    d_position = d.position + by_bells[2]  # [batch, components]
    return _raw_backward(raw, activated, *by_bells[:2], d_position), d_position


def _weight_backward(text: Tensor, d: WindowStep) -> Tensor:
    d_read = tf.einsum("...bc,buc->...bu", d.window, text)  # [..., batch, text]
    return d.weight + tf.cast(d_read, tf.float32)


def _bells_backward(bell: Tensor, distance: Tensor, width: Tensor, d_weight: Tensor) -> tuple[Tensor, ...]:
    """Derivatives by log height, log width and position: [..., components] each."""
    d_bell = d_weight[..., tf.newaxis, :] * bell  # [..., components, text]
    d_height = tf.reduce_sum(d_bell, axis=-1)
    d_bell *= distance
    d_position = -2 * width * tf.reduce_sum(d_bell, axis=-1)
    d_bell *= distance
    return d_height, -width * tf.reduce_sum(d_bell, axis=-1), d_position


def _raw_backward(
    raw: Tensor, activated: tuple[Tensor, ...], d_height: Tensor, d_width: Tensor, d_position: Tensor
) -> Tensor:
    """The derivative by the raw parameters, from that by every later position: [..., 3 components]."""
    d_raw = tf.concat([d_height, d_width, d_position * activated[2]], axis=-1)
    inside = tf.cast((raw > LOWEST) & (raw < HIGHEST), tf.float32)
    return d_raw * inside


class Projection(NamedTuple):
    """From the hidden state to the raw parameters of the window."""

    kernel: Tensor  # [hidden, 3 components]
    bias: Tensor  # [3 components]

    def __call__(self, hidden: Tensor) -> Tensor:
        """Raw float32 parameters [..., 3 components] from hidden states [..., hidden]."""
        return tf.cast(tf.tensordot(hidden, self.kernel, 1) + self.bias, tf.float32)

    def start(self, hidden: Tensor) -> Tensor:
        """The positions before the first step, from time-major hidden states."""
        return tf.zeros([tf.shape(hidden)[1], self.bias.shape[0] // 3])  # [batch, components]


def cumsum(hidden: Tensor, project: Projection, text: Tensor) -> WindowStep:
    """All windows at once: κ is the running sum of the advances."""

    @tf.custom_gradient
    def run(raw: Tensor):
        activated = _activate(raw)  # 3 of [time, batch, components]
        height, width, advance = activated
        position = tf.cumsum(advance, axis=0)  # [time, batch, components]
        bell, distance = _bells(height, width, position, tf.shape(text)[1])  # [time, batch, comp., text]
        weight = tf.reduce_sum(bell, axis=-2)  # [time, batch, text]

        def backward(*d_outputs: Tensor):
            d = WindowStep(*d_outputs)
            by_bells = _bells_backward(bell, distance, width, _weight_backward(text, d))
            d_position = tf.cumsum(d.position + by_bells[2], axis=0, reverse=True)  # of all later steps
            return _raw_backward(raw, activated, *by_bells[:2], d_position)

        return (_read(weight, text), weight, position), backward

    return WindowStep(*run(project(hidden)))


def scan(hidden: Tensor, project: Projection, text: Tensor) -> WindowStep:
    """All windows by `tf.scan` over the steps."""
    start = WindowStep(
        tf.zeros_like(text[:, 0]),  # [batch, characters]
        tf.zeros_like(text[:, :, 0], tf.float32),  # [batch, text]
        project.start(hidden),  # [batch, components]
    )
    return tf.scan(lambda last, step: window_step(project(step), last.position, text), hidden, start)


def tensorarray(hidden: Tensor, project: Projection, text: Tensor) -> WindowStep:
    """All windows by a loop that reads its input from a TensorArray."""
    return _loop(unstacked(hidden).read, hidden, project, text)


def tensorarray_sliced(hidden: Tensor, project: Projection, text: Tensor) -> WindowStep:
    """All windows by a loop that slices its input: the backward pass is quadratic in time."""
    by_batch = tf.transpose(hidden, [1, 0, 2])  # [batch, time, hidden]
    return _loop(lambda time: by_batch[:, time, :], hidden, project, text)


def _loop(read: Callable[[Tensor], Tensor], hidden: Tensor, project: Projection, text: Tensor) -> WindowStep:
    # An explicit `tf.while_loop`: AutoGraph does not convert code that Keras 3 calls.
    steps = tf.shape(hidden)[0]
    dtypes = (text.dtype, tf.float32, tf.float32)
    arrays = tuple(tf.TensorArray(dtype, size=steps) for dtype in dtypes)

    def body(time, position, arrays):
        step = window_step(project(read(time)), position, text)
        arrays = tuple(a.write(time, part) for a, part in zip(arrays, step, strict=True))
        return time + 1, step.position, arrays

    start = (0, project.start(hidden), arrays)
    final = tf.while_loop(lambda time, *_: time < steps, body, start, maximum_iterations=steps)
    return WindowStep(*(array.stack() for array in final[2]))


VARIANTS: dict[str, Callable[[Tensor, Projection, Tensor], WindowStep]] = {
    "cumsum": cumsum,
    "scan": scan,
    "tensorarray": tensorarray,
    "tensorarray_sliced": tensorarray_sliced,
}
