"""GD130."""

import dataclasses
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Severity
from graphdoctor.model.words import duration
from graphdoctor.recording import History
from graphdoctor.recording.format import Applied
from graphdoctor.refactoring.calls.models import called_on_batch
from graphdoctor.rules.event_places import function_at
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule

FEW_ITERATIONS = 4
MANY_STEPS = 8  # what comes once after so many steps of a training is no loop of single calls
LEAST_SECONDS, LEAST_SHARE = 0.05, 0.01  # what is less of a run is not worth a change
ON_BATCH = {"predict": "predict_on_batch", "fit": "train_on_batch", "evaluate": "test_on_batch"}


class PredictInLoop(Rule):
    """`predict`, `fit` or `evaluate` called per batch spends its time on setup.

    What it finds
    `model.predict(x)`, `evaluate(x, y)` or `fit(x, y)` of one epoch in a Python loop of many iterations, when
    `x` holds a single sample: the action of an agent, one image of many. Also through functions and methods
    that the loop calls, and in a callback at each batch. From a run, any line that repeatedly calls one of
    them with a single batch; not one that does so after each epoch, nor one that a loop reaches only every
    hundredth iteration.

    Why it matters
    Each call builds an input pipeline, which traces functions of Keras, runs callbacks and starts a loop.
    Measured on a small model (`benchmarks/predict_in_loop.py`): `predict` takes 25 times as long as calling
    the model and 100 times as long as `predict_on_batch`; `fit` of one batch takes 43 times as long as
    `train_on_batch`, `evaluate` 56 times as long as `test_on_batch`. A run reports the seconds spent on
    building the pipelines; the fix saves about twice as much.

    How to fix it
    `model.predict_on_batch(x)` takes and gives the same arrays. `model(x, training=False)` gives a tensor;
    inside a `tf.function` it is as fast. For `fit` there is `train_on_batch`, for `evaluate` `test_on_batch`.
    Best is one `predict` for many samples at once.

    When to leave it
    When the loop waits for something else at each iteration. A loop that waits for what somebody types
    (`input()`) is left alone.
    """

    id = "GD130"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import numpy as np
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])


                def act(state):
                    return np.argmax(model.predict(state[None], verbose=0)[0])


                state = np.ones(4, "float32")
                actions = [act(state) for _ in range(10)]
                print(len(actions))
                """,
            good="""
                import numpy as np
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])


                def act(state):
                    return np.argmax(model.predict_on_batch(state[None])[0])


                state = np.ones(4, "float32")
                actions = [act(state) for _ in range(10)]
                print(len(actions))
                """,
            output=("10", "10"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for event in _by_line(facts):
            figures = _figures(facts, event)
            if event.place is None or (figures is None and (not _is_predicted(event) or _waits(event))):
                continue
            yield self.finding(
                facts.span(event.place),
                f"`{event.what}` is called for one sample at each iteration and builds a new input pipeline "
                "each time"
                if figures is None
                else f"`{event.what}` was called {event.calls} times with a single batch, and built a new "
                f"input pipeline each time ({duration(event.seconds)})",
                function_at(event),
                event=event,
                observed=figures,
                fix=_fix(facts, event),
            )


def _by_line(facts: Facts) -> Iterator[Applied]:
    """The calls at each line; a run reports one several times, the last time with all of its calls."""
    found: dict[object, Applied] = {}
    for event in facts.of(Applied):
        if event.what not in ON_BATCH or event.place is None:
            continue
        known = found.setdefault((event.place.path, event.place.line, event.what), event)
        if (event.calls or 0) > (known.calls or 0):
            reported = known if known.foretold else event
            found[event.place.path, event.place.line, event.what] = dataclasses.replace(
                reported, calls=event.calls, seconds=event.seconds, options={**known.options, **event.options}
            )
    yield from found.values()


def _is_predicted(event: Applied) -> bool:
    """Whether the source shows `predict` for single samples in a loop of many iterations.

    `fit` with several epochs of one sample sets up once for all of them.
    """
    once = event.what != "fit" or event.options.get("epochs") == "1"
    single = once and event.options.get("samples") == "1"
    loops = [loop for frame in event.chain for loop in frame.loops]
    inner = max((at + 1 for at, loop in enumerate(loops) if loop.seldom), default=0)
    return single and any(_has_many_iterations(loop.turns) for loop in loops[inner:])


def _waits(event: Applied) -> bool:
    """Whether the innermost loop waits for input at each iteration."""
    loops = [loop for frame in event.chain for loop in frame.loops]
    return bool(loops) and loops[-1].waits


def _figures(facts: Facts, event: Applied) -> Observed | None:
    """What it cost, when a run shows that it did."""
    if event.calls is None or event.options.get("batches") != "1":
        return None
    if event.calls <= FEW_ITERATIONS * max(1, _models(facts, event)):
        return None
    if int(event.options.get("steps between", 0)) >= MANY_STEPS:
        return None
    if event.seconds < max(LEAST_SECONDS, LEAST_SHARE * max(run.seconds for run in facts.runs)):
        return None
    return Observed(traces=_pipelines(facts, event), seconds=event.seconds, calls=event.calls)


def _models(facts: Facts, event: Applied) -> int:
    """How many models the line runs: what is built for each of them, no other method saves."""
    return len({trace.model for history in _here(facts, event) for trace in history.traces} - {0})


def _pipelines(facts: Facts, event: Applied) -> int:
    """How many functions of Keras' own were traced for the pipelines."""
    name = f"{event.what}:input pipeline"
    return sum(len(history.traces) for history in _here(facts, event) if history.function.name == name)


def _here(facts: Facts, event: Applied) -> Iterator[History]:
    """What the line of an event traced."""
    place = event.place
    for history in facts.histories:
        if place and (history.function.path, history.function.line) == (place.path, place.line):
            yield history


def _has_many_iterations(iterations: int | None) -> bool:
    return iterations is None or iterations > FEW_ITERATIONS


def _fix(facts: Facts, event: Applied) -> Fix:
    """`model.predict(x, verbose=0)` → `model.predict_on_batch(x)`."""
    instead, place = ON_BATCH[event.what], event.place
    if event.what != "predict" or place is None:
        return offer(f"Use `{instead}`", None)
    found = facts.sources.call_at(facts.span(place))
    on_line = facts.sources.call(place.path, place.line, event.what)  # a run knows the line only
    if found is None and on_line is not None:
        found = facts.sources.call_at(on_line)
    return offer(f"Use `{instead}`", called_on_batch(*found, instead) if found is not None else None)
