"""What hearing of None gradients costs an eager training loop, after its first steps and in them.

Each figure is a ratio of medians of CPU time: the variants take turns in one process, and the same
variant is measured twice ("A/A control") to show what the machine's own noise amounts to.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import statistics
import time
from collections.abc import Callable

import tensorflow as tf

from graphdoctor.observer.gradients.optimizers import OptimizerProbe
from graphdoctor.observer.gradients.tapes import FIRST_USES, TapeProbe

ROUNDS = 60
STEPS = 20


def training_step(units: int, batch: int) -> Callable[[], None]:
    """One eager step: forward, backward, update."""
    model = tf.keras.Sequential(
        [tf.keras.Input([units]), tf.keras.layers.Dense(units, "relu"), tf.keras.layers.Dense(1)]
    )
    optimizer = tf.keras.optimizers.SGD(0.01)
    x, y = tf.random.normal([batch, units]), tf.random.normal([batch, 1])

    def step() -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))

    return step


def seconds(action: Callable[[], None], times: int) -> float:
    begun = time.process_time()
    for _ in range(times):
        action()
    return time.process_time() - begun


def observed_seconds(probe: TapeProbe, action: Callable[[], None], times: int) -> float:
    """The same with the hooks in place; putting them there is not counted."""
    undo = [probe.install(), OptimizerProbe(print, probe.answers).install()]
    try:
        return seconds(action, times)
    finally:
        for take_away in undo:
            take_away()


def compare(name: str, step: Callable[[], None]) -> None:
    """The loop after its first steps."""
    probe = TapeProbe(lambda event: print(event))
    seconds(step, 10)
    observed_seconds(probe, step, FIRST_USES + 2)
    taken: dict[str, list[float]] = {"plain": [], "control": [], "observed": []}
    for number in range(ROUNDS):
        for variant in [*taken][number % 3 :] + [*taken][: number % 3]:
            if variant == "observed":
                taken[variant].append(observed_seconds(probe, step, STEPS))
            else:
                taken[variant].append(seconds(step, STEPS))
    report(name, taken)


def compare_first_steps(name: str, step: Callable[[], None], rounds: int = ROUNDS) -> None:
    """A step that is recorded: each time a new probe that has seen no step yet."""
    seconds(step, min(rounds, 10))
    taken: dict[str, list[float]] = {"plain": [], "control": [], "observed": []}
    for number in range(rounds):
        for variant in [*taken][number % 3 :] + [*taken][: number % 3]:
            if variant == "observed":
                taken[variant].append(observed_seconds(TapeProbe(lambda event: print(event)), step, 1))
            else:
                taken[variant].append(seconds(step, 1))
    report(name, taken)


def tracing_step() -> Callable[[], None]:
    """Trace a step whose model runs loops of the graph: there the path of every gradient is looked at."""
    layers = [tf.keras.Input([None, 8]), tf.keras.layers.LSTM(8, return_sequences=True, use_cudnn=False)]
    model = tf.keras.Sequential([*layers, tf.keras.layers.LSTM(8, use_cudnn=False), tf.keras.layers.Dense(1)])

    def step(x: tf.Tensor) -> list[tf.Tensor]:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True)))
        return list(tape.gradient(loss, model.trainable_variables))

    return lambda: tf.function(step).get_concrete_function(tf.TensorSpec([None, None, 8]))


def report(name: str, taken: dict[str, list[float]]) -> None:
    median = {variant: statistics.median(values) for variant, values in taken.items()}
    ratio, control = median["observed"] / median["plain"], median["control"] / median["plain"]
    print(
        f"{name:<44} observed/plain {ratio:6.3f}   A/A control {control:6.3f}   above {ratio - control:+.3f}"
    )


if __name__ == "__main__":
    print(f"TensorFlow {tf.__version__}; {ROUNDS} rounds of {STEPS} steps, variants in turn")
    compare("eager loop, after the first steps, 8 units", training_step(8, 4))
    compare("eager loop, after the first steps, 256 units", training_step(256, 64))
    compare_first_steps(f"each of the first {FIRST_USES} steps, 8 units", training_step(8, 4))
    compare_first_steps("tracing a step with two LSTM layers", tracing_step(), rounds=9)
