"""GD112."""

from collections.abc import Iterator
from typing import NamedTuple

from graphdoctor.model import Finding, Fix, Observed, Related, Safety, Severity
from graphdoctor.recording.format import INPUT, Pipeline, Place, Stage, Steps
from graphdoctor.recording.training_time import Training
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.training.evidence import (
    LEAST_SECONDS,
    about,
    event_of,
    part_of,
    span_at,
)

LEAST_SHARE = 0.2
# Stages that tf.data does not make parallel by itself, as it does `map` (seen in TensorFlow 2.21, which also
# adds a `prefetch` at the end: its absence in the program is no cause).
STAYS_SERIAL = ("interleave",)
# What reads a pipeline of its own, beside that of the training.
OWN_PIPELINE = ("predict", "evaluate")
CALLS_A_FUNCTION = ("map", "filter", "flat_map", "interleave")


class Cause(NamedTuple):
    """Why a pipeline is slow: where, a clause for the message, and what to do."""

    place: Place | None
    clause: str
    order: str


class TrainingWaitsForInput(Rule):
    """The training waits for its input: the model is idle while the next batch is made.

    What it finds
    From a run: training steps that spend a fifth of their time or more waiting for the next batch, with the
    stage of the pipeline to look at: a Python generator, a `map` that calls Python, an `interleave` that
    reads one source after the other, or a function that is called for each element. In `fit` the wait happens
    inside the graph: it is measured in short windows of TensorFlow's own profiler, and reported as an
    estimate. In a loop of your own, the wait is what its `for` takes to get the next batch, from `tf.data` or
    from Python.

    Why it matters
    A faster model or a faster device changes nothing while the input is the bottleneck.

    How to fix it
    Python in a pipeline runs one element at a time and holds Python's lock: do the work with TensorFlow
    operations, or once before the training (files, `cache()`). Give `interleave`
    `num_parallel_calls=tf.data.AUTOTUNE`. A loop over a Python generator makes no batch while the model
    computes: `tf.data.Dataset.from_generator` with `prefetch` does. Current versions of `tf.data` run `map`
    in parallel and prefetch by themselves (seen in TensorFlow 2.21): an own `prefetch` changes nothing there,
    and only cheaper stages, fewer elements or more processors help.

    When to leave it
    When the data cannot come any faster: a simulator, a sensor, a network that others share.
    """

    id = "GD112"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import time

                import tensorflow as tf


                def batches():
                    for _ in range(5):
                        time.sleep(0.01)
                        yield [[1.0]], [[2.0]]


                spec = tf.TensorSpec([1, 1])
                data = tf.data.Dataset.from_generator(batches, output_signature=(spec, spec))
                model = tf.keras.Sequential([tf.keras.Input([1]), tf.keras.layers.Dense(1)])
                model.compile("sgd", "mse")
                history = model.fit(data, epochs=1, verbose=0)
                print(len(history.history["loss"]))
                """,
            good="""
                import time

                import tensorflow as tf


                def batches():
                    for _ in range(5):
                        time.sleep(0.01)
                        yield [[1.0]], [[2.0]]


                spec = tf.TensorSpec([1, 1])
                data = tf.data.Dataset.from_generator(batches, output_signature=(spec, spec))
                data = data.cache()
                model = tf.keras.Sequential([tf.keras.Input([1]), tf.keras.layers.Dense(1)])
                model.compile("sgd", "mse")
                history = model.fit(data, epochs=1, verbose=0)
                print(len(history.history["loss"]))
                """,
            output=("1", "1"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        training = facts.training
        if training is None or training.share(INPUT) < LEAST_SHARE or training.of(INPUT) < LEAST_SECONDS:
            return
        event = event_of(facts, training)
        if event is None or event.place is None or _is_of_another_call(training):
            return
        cause = _cause(facts, training, event)
        there = cause.place or event.place
        elsewhere = (there.path, there.line) != (event.place.path, event.place.line)
        elsewhere = elsewhere and event.kind != "calls"  # these are at the function, not at the loop
        yield self.finding(
            facts.span(there),
            f"training waited {about(training, INPUT)}{part_of(training, INPUT)} for input after its first "
            f"step{cause.clause}",
            event=event,
            observed=Observed(traces=0, seconds=round(training.of(INPUT), 6)),
            related=(_waits_here(facts, event.place),) if elsewhere else (),
            fix=Fix(title=cause.order, safety=Safety.MANUAL),
        )


def _is_of_another_call(training: Training) -> bool:
    """Whether most of the input is a pipeline that a `predict` or `evaluate` makes for itself: see GD130."""
    line = training.line_of(INPUT)
    return line is not None and line.entered in OWN_PIPELINE and line.entered != training.steps.kind


def _waits_here(facts: Facts, place: Place) -> Related:
    span = span_at(facts, place.path, place.line)
    return Related(
        path=span.path,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        message="the training waits here",
    )


def _cause(facts: Facts, training: Training, event: Steps) -> Cause:
    """The stage that makes the pipeline slow, as far as its make-up and the lines tell."""
    stages = _stages(facts, event)
    line = training.line_of(INPUT)
    own = line is not None and (line.path, line.line) != (training.steps.path, training.steps.line)
    place = Place(path=line.path, line=line.line) if own and line is not None else None
    python = next((stage for stage in stages if stage.python), None)
    if python is not None:
        order = (
            "Use TensorFlow operations in `map`"
            if python.name in CALLS_A_FUNCTION
            else "Produce batches without a Python generator"
        )
        return Cause(place or python.place, f": `{python.name}` runs Python for each element", order)
    serial = next((stage for stage in stages if stage.name in STAYS_SERIAL and not stage.parallel), None)
    if serial is not None:
        clause = f": `{serial.name}` reads one source after the other"
        return Cause(place or serial.place, clause, f"Set `num_parallel_calls` of `{serial.name}`")
    called = next((one for one in stages if one.name in CALLS_A_FUNCTION and one.place), None)
    if called is not None:
        cached = any(stage.name == "cache" for stage in stages)
        order = f"Make `{called.name}` cheaper" if cached else f"Cache what `{called.name}` makes"
        return Cause(called.place, f": `{called.name}` calls this function for each element", order)
    if not stages and place is not None and event.kind not in ("fit", "dataset"):
        return Cause(
            place, ": the loop over it runs Python for each batch", "Make batches ahead, in `tf.data`"
        )
    return Cause(place, "", "Make the input pipeline faster")


def _stages(facts: Facts, event: Steps) -> tuple[Stage, ...]:
    """The stages of the pipeline that the line of the training goes through."""
    assert event.place is not None
    where = event.place.path, event.place.line
    recorded = [one for one in facts.of(Pipeline) if one.place is not None]
    here = [one for one in recorded if one.place and (one.place.path, one.place.line) == where]
    found = here or (recorded if len(recorded) == 1 else [])
    return found[0].stages if found else ()
