"""What the observer costs: a cached call, a Keras `fit`, and a trace, with and without it.

The variants take turns in one process, in short slices; a figure is the median over all rounds of the
ratio within one round, in processor time. The plain variant is measured twice ("A/A control") to show
what the machine's own noise amounts to.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import statistics
import time
from collections.abc import Callable, Iterator

import tensorflow as tf

from graphdoctor.observer import hooks
from graphdoctor.observer.recorder import Recorder


def observed(action: Callable[[], None]) -> Callable[[], None]:
    """The action with the observer at work."""

    def act() -> None:
        recorder = Recorder(lambda event: None)
        undo = hooks.attach(recorder)
        try:
            action()
        finally:
            undo()
            recorder.pause()

    return act


def seconds(action: Callable[[], None]) -> float:
    begun = time.process_time()
    action()
    return time.process_time() - begun


def compare(name: str, action: Callable[[], None], rounds: int) -> None:
    """Print the ratios with the observer, and of the action to itself."""
    variants = {"plain": action, "control": action, "observed": observed(action)}
    times: dict[str, list[float]] = {variant: [] for variant in variants}
    action()
    for number in range(rounds):
        for variant in _rotated(list(variants), number):
            times[variant].append(seconds(variants[variant]))
    control, ratio = (
        statistics.median(taken / plain for taken, plain in zip(times[variant], times["plain"], strict=True))
        for variant in ("control", "observed")
    )
    print(
        f"{name:<34} observed/plain {ratio:6.3f}   A/A control {control:6.3f}   above {ratio - control:+.3f}"
    )


def _rotated(names: list[str], by: int) -> Iterator[str]:
    for index in range(len(names)):
        yield names[(index + by) % len(names)]


def cached_calls() -> Callable[[], None]:
    @tf.function
    def smallest(x: tf.Tensor) -> tf.Tensor:
        return x + 1.0

    x = tf.constant(1.0)

    def call() -> None:
        for _ in range(200):
            smallest(x)

    return call


def keras_fit() -> Callable[[], None]:
    model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    x, y = tf.random.normal([512, 16]), tf.random.normal([512, 1])

    def fit() -> None:
        model.fit(x, y, epochs=1, batch_size=8, verbose=0)

    return fit


def traces() -> Callable[[], None]:
    dense = [tf.keras.layers.Dense(16) for _ in range(6)]
    x = tf.ones([4, 16])
    for layer in dense:
        layer(x)

    def trace() -> None:
        @tf.function
        def deep(x: tf.Tensor) -> tf.Tensor:
            for layer in dense:
                x = tf.nn.relu(layer(x)) + 1.0
            return tf.reduce_sum(x)

        deep.get_concrete_function(x)

    return trace


if __name__ == "__main__":
    print(f"TensorFlow {tf.__version__}")
    compare("200 cached calls", cached_calls(), rounds=400)
    compare("Keras fit, 64 steps", keras_fit(), rounds=80)
    compare("one trace (a new Function object)", traces(), rounds=60)
