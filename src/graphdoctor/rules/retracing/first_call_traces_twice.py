"""GD131."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Safety, Severity, Span
from graphdoctor.model.span import whole_line
from graphdoctor.model.words import duration
from graphdoctor.recording import History, Retrace
from graphdoctor.recording.format import FIRST_VARIABLES, Made
from graphdoctor.recording.grouping import Origin
from graphdoctor.recording.labels import VARIABLE_CREATION
from graphdoctor.recording.places import related_to
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule

# Below this it is not actionable; from this share of the run on it is worth a line of code.
LEAST_SECONDS, LEAST_SHARE = 1.0, 0.05
SLOW_SECONDS, SLOW_SHARE = 5.0, 0.1
OPTIMIZER, LAYER = "optimizer", "layer"


class FirstCallTracesTwice(Rule):
    """A function that creates variables in its first call is traced twice.

    What it finds
    From a run: a `tf.function` whose first call created the weights of a model or the slots of an optimizer,
    when the second trace took at least 1 s and 5 % of the run.

    Why it matters
    TensorFlow discards the first graph, because it creates the variables, and traces again. For a large model
    this takes minutes before the first step. A step with a model of 13 layers and Adam took 9.1 s the first
    time, 5.9 s when the model was built before, and 1.4 s when the optimizer was built too.

    How to fix it
    Create the variables first: give the model an `Input`, call `model.build(shape)` or the model once, and
    call `optimizer.build(model.trainable_variables)`, also before `fit`: the same step under `fit` took 15.3
    s without, and 4.9 s with it.

    When to leave it
    When the program runs for hours and a few seconds at the start do not matter.
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
        around = {trace.number: trace.trace for run in facts.runs for trace in run.traces}
        reported: set[int] = set()
        for history, again in sorted(_twice(facts), key=lambda found: -_seconds(found[1])):
            numbers = {trace.number for trace in history.traces}
            if any(reported & set(_ways_out(retrace.trace.trace, around)) for retrace in again):
                continue  # the function around it is traced twice for the same variables
            reported |= numbers
            inside = [event for event in made if numbers & set(_ways_out(event.trace, around))]
            yield self._found(facts, history, again, inside)

    def _found(self, facts: Facts, history: History, again: list[Retrace], made: list[Made]) -> Finding:
        seconds = _seconds(again)
        own = history.origin is not Origin.KERAS
        slow = own and seconds >= SLOW_SECONDS and seconds >= SLOW_SHARE * _run_seconds(facts)
        made = sorted(made, key=lambda event: -int(event.options["variables"]))
        return self.finding(
            _span(facts, history, made),
            f"the first call of `{history.function.name}` traced it twice ({duration(seconds)} more) because "
            f"it creates {_what(made)}",
            history.function,
            event=again[-1].trace,
            worse=Severity.SLOW if slow else None,
            observed=Observed(
                traces=len(again),
                seconds=round(seconds, 6),
                numbers=tuple(retrace.trace.number for retrace in again),
            ),
            related=tuple(
                related_to(event.place, f"{event.options['variables']} more are created here")
                for event in made[1:]
                if event.place is not None and event.place != made[0].place
            ),
            fix=Fix(title=_remedy({event.type for event in made}), safety=Safety.MANUAL),
        )


def _twice(facts: Facts) -> Iterator[tuple[History, list[Retrace]]]:
    """The functions that were traced again for their variables, where that took long enough."""
    for history in facts.histories:
        again = [retrace for retrace in history.retraces if retrace.label == VARIABLE_CREATION]
        if again and _seconds(again) >= max(LEAST_SECONDS, LEAST_SHARE * _run_seconds(facts)):
            yield history, again


def _seconds(again: list[Retrace]) -> float:
    return sum(retrace.trace.seconds for retrace in again)


def _run_seconds(facts: Facts) -> float:
    return max((run.seconds for run in facts.runs), default=0.0)


def _ways_out(number: int, around: dict[int, int]) -> Iterator[int]:
    """A trace, the one around it, and so on."""
    while number:
        yield number
        number = around.get(number, 0)


def _span(facts: Facts, history: History, made: list[Made]) -> Span:
    """The line that makes most of the variables; of a method of Keras, its call."""
    if made and made[0].place is not None:
        method, _, step = history.function.name.partition(":")
        place = made[0].place
        return (facts.sources.call(place.path, place.line, method) if step else None) or facts.span(place)
    return whole_line(history.function.path, history.function.line)


def _what(made: list[Made]) -> str:
    if not made:
        return "variables"
    count, owner = int(made[0].options["variables"]), made[0].type
    kind = f"variable{'s' if count != 1 else ''}" + (f" of the {owner}" if owner else "")
    return f"{count} {kind}"


def _remedy(owners: set[str]) -> str:
    if {OPTIMIZER, LAYER} <= owners:
        return "Build model and optimizer first"
    if OPTIMIZER in owners:
        return "Call `optimizer.build(…)` first"
    return "Build the model first" if LAYER in owners else "Create the variables first"
