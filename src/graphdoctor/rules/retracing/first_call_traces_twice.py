"""GD131."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Safety, Severity, Span
from graphdoctor.model.span import whole_line
from graphdoctor.model.words import duration
from graphdoctor.recording import History, Retrace
from graphdoctor.recording.format import FIRST_VARIABLES, Made
from graphdoctor.recording.labels import VARIABLE_CREATION
from graphdoctor.recording.places import related_to
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule

# Below this it is no matter; from this share of the run on it is worth a line of code.
LEAST_SECONDS, LEAST_SHARE = 0.3, 0.02
SLOW_SECONDS, SLOW_SHARE = 1.0, 0.1
OPTIMIZER, LAYER = "optimizer", "layer"


class FirstCallTracesTwice(Rule):
    """A function that makes variables in its first call is traced twice for it.

    What it finds
    From a run: a graph function whose first call made the weights of a model or the slots of an optimizer,
    when the second trace took at least 0.3 s and 2 % of the run.

    Why it matters
    TensorFlow throws the first graph away, because it holds the making of the variables, and traces again.
    For a large model that is minutes before the first step. A step with a model of 13 layers and Adam took
    9.1 s the first time, 5.9 s when the model was built before, and 1.4 s when the optimizer was, too.

    How to fix it
    Make the variables before: `model.build(shape)` or one call of the model, and
    `optimizer.build(model.trainable_variables)`. Keras' `fit` does both by itself.

    When to leave it
    When the program runs for hours, and some seconds at its start do not matter.
    """

    id = "GD131"
    severity = Severity.NOTE
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                layers = [tf.keras.layers.Dense(2) for _ in range(60)]


                @tf.function
                def apply(x):
                    for layer in layers:
                        x = layer(x)
                    return x


                print(apply(tf.ones([1, 2])).shape)
                """,
            good="""
                import tensorflow as tf

                layers = [tf.keras.layers.Dense(2) for _ in range(60)]
                for layer in layers:
                    layer.build([1, 2])


                @tf.function
                def apply(x):
                    for layer in layers:
                        x = layer(x)
                    return x


                print(apply(tf.ones([1, 2])).shape)
                """,
            traces=(2, 1),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        made = [event for event in facts.of(Made) if event.what == FIRST_VARIABLES]
        for history in facts.histories:
            again = [retrace for retrace in history.retraces if retrace.label == VARIABLE_CREATION]
            seconds = sum(retrace.trace.seconds for retrace in again)
            share = seconds / max([run.seconds for run in facts.runs], default=0.0) if again else 0.0
            if seconds >= LEAST_SECONDS and share >= LEAST_SHARE:
                slow = seconds >= SLOW_SECONDS and share >= SLOW_SHARE
                first = {trace.number for trace in history.traces}
                yield self._found(facts, history, again, [e for e in made if e.trace in first], slow)

    def _found(
        self, facts: Facts, history: History, again: list[Retrace], made: list[Made], slow: bool
    ) -> Finding:
        seconds = sum(retrace.trace.seconds for retrace in again)
        made = sorted(made, key=lambda event: -int(event.options["variables"]))
        return self.finding(
            _span(facts, history, made),
            f"the first call of `{history.function.name}` traced it twice ({duration(seconds)} more) because "
            f"{_what(made)} made in it",
            history.function,
            event=again[-1].trace,
            severity=Severity.SLOW if slow else self.severity,
            observed=Observed(
                traces=len(again),
                seconds=round(seconds, 6),
                numbers=tuple(retrace.trace.number for retrace in again),
            ),
            related=tuple(
                related_to(event.place, f"{event.options['variables']} more are made here")
                for event in made[1:]
                if event.place is not None
            ),
            fix=Fix(title=_remedy({event.type for event in made}), safety=Safety.MANUAL),
        )


def _span(facts: Facts, history: History, made: list[Made]) -> Span:
    """The line that makes most of the variables."""
    if made and made[0].place is not None:
        return facts.span(made[0].place)
    return whole_line(history.function.path, history.function.line)


def _what(made: list[Made]) -> str:
    if not made:
        return "variables are"
    count, owner = int(made[0].options["variables"]), made[0].type
    kind = f"variable{'s' if count != 1 else ''}" + (f" of the {owner}" if owner else "")
    return f"{count} {kind} {'are' if count != 1 else 'is'}"


def _remedy(owners: set[str]) -> str:
    if {OPTIMIZER, LAYER} <= owners:
        return "Build model and optimizer before"
    if OPTIMIZER in owners:
        return "Call `optimizer.build(…)` before"
    return "Build the model before" if LAYER in owners else "Make the variables before"
