"""GD123."""

from collections.abc import Iterator

from graphdoctor.model import Change, Finding, Fix, Related, Safety, Severity, Span
from graphdoctor.model.span import whole_line
from graphdoctor.model.words import duration
from graphdoctor.recording import History, Retrace
from graphdoctor.recording.format import Place, Trace
from graphdoctor.recording.grouping import Origin
from graphdoctor.recording.labels import ANOTHER_MODEL, COMPILED_AGAIN
from graphdoctor.recording.places import related_to, span_of
from graphdoctor.refactoring.creation.compiling import compiled_when_needed
from graphdoctor.refactoring.creation.hoisting import hoist_compiling
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.retracing.evidence import observed, retracings, times
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import node_at
from graphdoctor.source.calls import method_name

FEW_MODELS = 2
COMPILE_ONCE = "Compile once; set `model.optimizer.learning_rate` for another rate"
METHODS = ("fit", "evaluate", "predict")
BUILD_ONCE = "Build or load the model once"


class ModelRebuilt(Rule):
    """Each model built in a loop is traced separately: not a retrace, but it costs the same.

    What it finds
    A line with `fit`, `predict` or a similar method that is used by three models or more, each with a step
    that Keras traces; or one model that is compiled again each time, which discards its step. From the
    source, a `compile` after a change of `trainable` is not reported: it is needed.

    Why it matters
    TensorFlow warns of retracing here because all models share the code of Keras' step. No model is traced
    twice; the cost is that a new model starts without a graph.

    How to fix it
    Load or build the model once and reuse it; compile it once, and change its learning rate with
    `model.optimizer.learning_rate = 0.01`. For single samples call `model(x)` instead of `predict`. In a
    search over many models, run each in its own process to free the memory.

    When to leave it
    When the models differ, as in a search or an ensemble, or when different layers are trained each time.
    """

    id = "GD123"
    severity = Severity.NOTE
    examples = (
        Example(
            bad="""
                import numpy as np
                import tensorflow as tf

                for seed in range(3):
                    model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
                    model.predict_on_batch(np.ones([4, 2], "float32"))
                print("done")
                """,
            good="""
                import numpy as np
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
                for seed in range(3):
                    model.predict_on_batch(np.ones([4, 2], "float32"))
                print("done")
                """,
            output=("done", "done"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from self._predicted(facts)
        for history in facts.histories:
            retraces = [r for r in history.retraces if r.label in (ANOTHER_MODEL, COMPILED_AGAIN)]
            few = history.objects <= FEW_MODELS or not retraces
            if history.origin is Origin.KERAS and not few and not _has_inner(history):
                yield self._found(facts, history, retraces)

    def _predicted(self, facts: Facts) -> Iterator[Finding]:
        """What a loop builds or compiles again, once for each loop."""
        reported: set[Place] = set()
        for retracing in retracings(facts, Change.NEW_FUNCTION_OBJECT):
            history, trace = retracing.history, retracing.event
            if history.origin is not Origin.KERAS or retracing.retraces or trace.anew is None:
                continue
            if trace.anew.place in reported or trace.place is None:
                continue
            reported.add(trace.anew.place)
            method = _method(trace.place, facts)
            yield self.finding(
                span_of(trace.place),
                f"`{method}` runs a new model at each iteration and traces a step for each; no "
                "model is traced twice"
                if trace.tied
                else f"`{method}` traces a new step at each iteration because the model is compiled again",
                history.function,
                event=trace,
                worse=None if trace.tied else Severity.SLOW,
                related=_compiled_at(trace),
                fix=Fix(title=BUILD_ONCE, safety=Safety.MANUAL)
                if trace.tied
                else _fix(facts, span_of(trace.place), trace.made if _resets_metrics(history) else None),
            )

    def _found(self, facts: Facts, history: History, retraces: list[Retrace]) -> Finding:
        figures = observed(retraces, None, Change.NEW_FUNCTION_OBJECT)
        method, cost = history.function.name.partition(":")[0], duration(figures.seconds)
        models = len({trace.model for trace in history.traces} - {0}) or history.objects
        again = all(retrace.label == COMPILED_AGAIN for retrace in retraces)
        place = history.function.path, history.function.line
        return self.finding(
            facts.sources.call(*place, method) or whole_line(*place),
            f"`{method}` traced a new step {times(len(retraces))} ({cost}) because the model was "
            "compiled again"
            if again
            else f"`{method}` ran {models} models here and traced a step for each ({cost}); "
            "no model was traced twice",
            history.function,
            event=retraces[-1].trace,
            worse=Severity.SLOW if again else None,
            observed=figures,
            fix=_fix(facts, whole_line(*place)) if again else Fix(title=BUILD_ONCE, safety=Safety.MANUAL),
        )


def _compiled_at(trace: Trace) -> tuple[Related, ...]:
    """Where the model is compiled, if the loop does not show it: in a property, say."""
    if trace.tied or trace.made is None or trace.anew is None:
        return ()
    loop = trace.anew.place
    shown = trace.made.path == loop.path and loop.line <= trace.made.line <= loop.end_line
    return () if shown else (related_to(trace.made, "the model is compiled here"),)


def _fix(facts: Facts, span: Span, compiled: Place | None = None) -> Fix:
    """Compile the model before the loop in which it is fitted, or only where that is needed."""
    if span.column == span.end_column:  # a run knows the line
        span = facts.sources.statement(span.path, span.line)
    found = facts.sources.node(span)
    edits = hoist_compiling(*found) if found is not None else None
    compiling = node_at(facts, compiled) if edits is None else None
    if compiling is not None:
        return offer(COMPILE_ONCE, compiled_when_needed(facts.sources.modules, *compiling))
    return offer(COMPILE_ONCE, edits)


def _method(place: Place, facts: Facts) -> str:
    """The name of the method that is called there: `fit`."""
    found = facts.sources.node(span_of(place))
    return (method_name(found[1]) if found is not None else "") or "fit"


def _resets_metrics(history: History) -> bool:
    """Whether a method starts with new metrics, as it does after a new `compile`."""
    return history.function.name.partition(":")[0] in METHODS


def _has_inner(history: History) -> bool:
    """Keras wraps its step in a loop over the data; the inner step is the one to report."""
    return history.function.name.endswith(":multi_step_on_iterator")
