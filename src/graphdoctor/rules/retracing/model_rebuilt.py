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
from graphdoctor.rewriting.hoisting import hoist_compiling
from graphdoctor.rewriting.recompiling import compiled_when_needed
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
    """Models that are built in a loop are traced one by one; that is no retrace, but it costs.

    What it finds
    A line with `fit`, `predict` or the like that serves three models or more, each with a step that Keras
    traces for it; or one model that is compiled again each time, which throws its step away. From the
    source, a `compile` that follows a change of `trainable` is not told: it is needed.

    Why it matters
    TensorFlow warns of retracing here, because it counts by the code of Keras' step, which all models
    share. Nothing is traced twice for one model; what costs is that a new model knows no graph.

    How to fix it
    Load or build the model once and use it again; compile it once, and change its learning rate by
    `model.optimizer.learning_rate = 0.01`. For single samples call the model, `model(x)`,
    instead of `predict`. In a search over many models, run each in a process of its own to give the
    memory back.

    When to leave it
    When the models really differ, as in a search or an ensemble; when other layers are trained each time.
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
        yield from self._foretold(facts)
        for history in facts.histories:
            retraces = [r for r in history.retraces if r.label in (ANOTHER_MODEL, COMPILED_AGAIN)]
            few = history.objects <= FEW_MODELS or not retraces
            if history.origin is Origin.KERAS and not few and not _has_inner(history):
                yield self._found(facts, history, retraces)

    def _foretold(self, facts: Facts) -> Iterator[Finding]:
        """What a loop builds or compiles again, once for each loop."""
        told: set[Place] = set()
        for retracing in retracings(facts, Change.NEW_FUNCTION_OBJECT):
            history, trace = retracing.history, retracing.event
            if history.origin is not Origin.KERAS or retracing.retraces or trace.anew is None:
                continue
            if trace.anew.place in told or trace.place is None:
                continue
            told.add(trace.anew.place)
            method = _method(trace.place, facts)
            yield self.finding(
                span_of(trace.place),
                f"`{method}` serves a new model at each turn of the loop and traces a step for each; no "
                "model is traced twice"
                if trace.tied
                else f"`{method}` traces a new step at each turn of the loop because the model is compiled "
                "again",
                history.function,
                event=trace,
                severity=self.severity if trace.tied else Severity.SLOW,
                related=_compiled_at(trace),
                fix=Fix(title=BUILD_ONCE, safety=Safety.MANUAL)
                if trace.tied
                else _fix(facts, span_of(trace.place), trace.made if _begins_anew(history) else None),
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
            else f"`{method}` served {models} models here and traced a step for each ({cost}); "
            "no model was traced twice",
            history.function,
            event=retraces[-1].trace,
            severity=Severity.SLOW if again else self.severity,
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


def _begins_anew(history: History) -> bool:
    """Whether a method begins with new metrics by itself, as it does after a new `compile`."""
    return history.function.name.partition(":")[0] in METHODS


def _has_inner(history: History) -> bool:
    """Keras wraps its step in a loop over the data; the inner step is the one to speak of."""
    return history.function.name.endswith(":multi_step_on_iterator")
