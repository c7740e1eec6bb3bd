"""What looking for silent wrongs costs: a cached call of a function that reads values from outside,
with the observer as it runs by default and with `--calls`; and a trace.

Each figure is a ratio of the least CPU seconds of many rounds, which hold on a busy machine too: the
variants take turns in one process, and the plain variant is measured twice ("A/A control") to show what
the machine's own noise amounts to.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import time
from collections.abc import Callable

import tensorflow as tf

from graphdoctor.observer.event_probes import event_probes
from graphdoctor.observer.instrumentation import hooks
from graphdoctor.observer.probe import default_probes
from graphdoctor.observer.recorder import Recorder

SCALE, OFFSET, MODE = 2.0, 1.0, "train"
ROUNDS = 60
CALLS = 500  # of a fresh function each round: by default each of the first thousand is looked at


class Model(tf.Module):
    """Reads five values from outside itself: as many as an ordinary training step, or more."""

    def __init__(self) -> None:
        super().__init__()
        self.rate, self.depth = 0.5, 3

    @tf.function
    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        return x * SCALE * self.rate + OFFSET + self.depth if MODE == "train" else x


Undo = Callable[[], None]


def observe(calls: bool) -> Undo:
    """The observer at work, as `graphdoctor run` or `graphdoctor run --calls` puts it to work."""
    emit = [].append
    recorder = Recorder(emit, [*default_probes(), *event_probes(emit, calls=calls)])
    detach = hooks.attach(recorder)

    def stop() -> None:
        detach()
        recorder.pause()

    return stop


def measure(name: str, action: Callable[[], Callable[[], None]], rounds: int = ROUNDS) -> None:
    """Print what the observer adds to an action, by default and with `--calls`."""
    variants = ("plain", "control", "default", "calls")
    times: dict[str, list[float]] = {variant: [] for variant in variants}
    for number in range(rounds):
        for index in range(len(variants)):
            variant = variants[(index + number) % len(variants)]
            times[variant].append(_seconds(variant, action))
    least = {variant: min(taken) for variant, taken in times.items()}
    control = least["control"] / least["plain"]
    print(
        f"{name:<44} default {least['default'] / least['plain']:6.3f}   "
        f"--calls {least['calls'] / least['plain']:6.3f}   A/A control {control:6.3f}",
        flush=True,
    )


def _seconds(variant: str, action: Callable[[], Callable[[], None]]) -> float:
    stop = observe(variant == "calls") if variant in ("default", "calls") else None
    try:
        timed = action()
        begun = time.process_time()
        timed()
        return time.process_time() - begun
    finally:
        if stop is not None:
            stop()


def cached_calls() -> Callable[[], None]:
    """A fresh function, traced while observed; then its cached calls alone are timed."""
    model, x = Model(), tf.constant(1.0)
    model(x)

    def call() -> None:
        for _ in range(CALLS):
            model(x)

    return call


def reads_nothing() -> Callable[[], None]:
    @tf.function
    def smallest(x: tf.Tensor) -> tf.Tensor:
        return x + 1.0

    x = tf.constant(1.0)
    smallest(x)

    def call() -> None:
        for _ in range(CALLS):
            smallest(x)

    return call


def one_trace() -> Callable[[], None]:
    layers = [tf.keras.layers.Dense(16) for _ in range(6)]
    x = tf.ones([4, 16])
    for layer in layers:
        layer(x)

    @tf.function
    def deep(x: tf.Tensor) -> tf.Tensor:
        for layer in layers:
            x = tf.nn.relu(layer(x)) * SCALE + OFFSET
        return tf.reduce_sum(x)

    return lambda: deep.get_concrete_function(x)


if __name__ == "__main__":
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    print(f"TensorFlow {tf.__version__}")
    measure(f"{CALLS} cached calls, reads nothing outside", reads_nothing)
    measure(f"{CALLS} cached calls, reads five values", cached_calls)
    measure("one trace of six dense layers", one_trace)
