"""What the observer costs: a cached call, a Keras `fit`, an eager loop and a trace, with and without it.

The variants alternate in one process, in an order that rotates. To put the hooks in or to take them out
makes Python forget how it had specialised its own code, and a program does it once and not every 20 ms:
each measurement therefore begins with one unmeasured go of the action, in all variants alike, and what
attaching costs is reported by itself. A figure is the median over all rounds of the ratio within one round,
in processor time, with the interval in which 95 of 100 such medians would lie. The plain variant is
measured twice ("control"): what its interval does not exclude is the machine's own noise. "Own" is the
processor time that the observer itself took at the beginning and the end of each trace, as a share of the
plain variant's: noise hardly moves it. "With time" adds the account of time, whose thread counts: the
processor time is that of the whole process.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import math
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

from graphdoctor.observer.instrumentation import hooks
from graphdoctor.observer.process.writer import Writer
from graphdoctor.observer.recorder import Recorder
from graphdoctor.observer.timing.install import Timing
from graphdoctor.recording.format import encode_event

Undo = Callable[[], None]
WRITER = Writer(os.path.join(tempfile.mkdtemp(), "recording.jsonl"))


class TimedRecorder(Recorder):
    """A recorder that knows what it took itself."""

    seconds = 0.0

    def begin(self, function_type: Any, options: Any) -> Any:
        begun = time.thread_time()
        try:
            return super().begin(function_type, options)
        finally:
            TimedRecorder.seconds += time.thread_time() - begun

    def end(self, running: Any, *ended: Any, **named: Any) -> None:
        begun = time.thread_time()
        super().end(running, *ended, **named)
        TimedRecorder.seconds += time.thread_time() - begun


def attach() -> Undo:
    """Put the observer to work."""
    return _attach()[0]


def _attach() -> tuple[Undo, Recorder]:
    recorder = TimedRecorder(lambda event: WRITER.write(encode_event(event)))
    detach = hooks.attach(recorder)

    def undo() -> None:
        detach()
        recorder.pause()

    return undo, recorder


def attach_with_time() -> Undo:
    """Put the observer to work, with the account of time: its hooks, and the thread that looks."""
    detach, recorder = _attach()
    timing = Timing(lambda event: WRITER.write(encode_event(event)), time.perf_counter())
    timing.start()
    timing.listen(recorder.under_way)

    def undo() -> None:
        timing.end()
        detach()

    return undo


def leave_alone() -> Undo:
    return lambda: None


VARIANTS = {"plain": leave_alone, "control": leave_alone, "observed": attach, "timed": attach_with_time}


def seconds(action: Callable[[], object]) -> float:
    begun = time.process_time()
    action()
    return time.process_time() - begun


def compare(name: str, action: Callable[[], None], rounds: int) -> None:
    """Print the ratios with the observer, and of the action to itself."""
    taken: dict[str, list[float]] = {variant: [] for variant in VARIANTS}
    own: list[float] = []
    for number in range(rounds):
        for variant in _rotated(list(VARIANTS), number):
            undo = VARIANTS[variant]()
            action()
            TimedRecorder.seconds = 0.0
            taken[variant].append(seconds(action))
            if variant == "observed":
                own.append(TimedRecorder.seconds)
            undo()
    control, observed, timed = (
        [time / plain for time, plain in zip(taken[variant], taken["plain"], strict=True)]
        for variant in ("control", "observed", "timed")
    )
    above = [one - other for one, other in zip(observed, control, strict=True)]
    above_timed = [one - other for one, other in zip(timed, control, strict=True)]
    print(
        f"{name:<34} {statistics.median(taken['plain']) * 1e3:7.1f} ms   observed {_median(observed)}   "
        f"control {_median(control)}   above {_median(above, '+.3f')}   "
        f"with time {_median(timed)}   above {_median(above_timed, '+.3f')}   "
        f"own {statistics.median(own) / statistics.median(taken['plain']):.3f}",
        flush=True,
    )


def _median(figures: list[float], form: str = ".3f") -> str:
    """The median with its 95 % interval, which the ranks alone give: no shape of the noise is assumed."""
    ranked, reach = sorted(figures), 0.98 * math.sqrt(len(figures))
    low = ranked[max(0, math.floor(len(ranked) / 2 - reach))]
    high = ranked[min(len(ranked) - 1, math.ceil(len(ranked) / 2 + reach))]
    return f"{statistics.median(ranked):{form}} [{low:{form}}, {high:{form}}]"


def attaching(rounds: int = 200) -> None:
    """Print what it costs to attach and to detach, which a program does once."""
    taken = [seconds(lambda: attach()()) for _ in range(rounds)]
    print(f"attaching and detaching, once: {statistics.median(taken) * 1e6:.0f} µs")


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


def eager_loop() -> Callable[[], None]:
    weights = tf.Variable(tf.ones([32, 32]))
    x = tf.ones([16, 32])

    def train() -> None:
        for _ in range(40):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.tanh(x @ weights) ** 2)
            weights.assign_sub(0.01 * tape.gradient(loss, weights))

    return train


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
    attaching()
    compare("200 cached calls", cached_calls(), rounds=400)
    compare("eager loop, 40 steps", eager_loop(), rounds=200)
    compare("Keras fit, 64 steps", keras_fit(), rounds=240)
    compare("one trace (a new Function object)", traces(), rounds=200)
