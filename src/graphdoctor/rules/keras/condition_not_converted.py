"""GD701."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity, Since
from graphdoctor.recording.format import Staging
from graphdoctor.refactoring.wrappers.conditions import is_given_a_variable
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import (
    body_at,
    by_while_loop,
    choose,
    convert_by_itself,
    function_at,
    refusals,
    span_at,
    take_apart,
    what,
)

TEXTS = (
    (r"symbolic `?tf\.Tensor`? as a Python `?bool`?", "be the condition of an `if` or a `while`"),
    (r"[Ii]terating over a symbolic `?tf\.Tensor`?", "be iterated over"),
)


class ConditionNotConverted(Rule):
    """Keras 3 does not convert your code with AutoGraph: `if`, `while` and `for` on tensors raise.

    What it finds
    An `if`, `while`, `for` or conditional expression on a tensor in `call`, `train_step`, `test_step`,
    `compute_loss`, a loss, a metric, or a function that one of them calls, when the project is known to
    use Keras 3 (`keras.ops`, the requirements, the installed version, or `keras = 3` in the configuration).

    Why it matters
    Keras 3 calls your methods without AutoGraph. Under `fit`, `predict` or a `tf.function` the
    condition raises OperatorNotAllowedInGraphError, although calling the layer eagerly works, and
    worked with Keras 2 in a graph as well.

    How to fix it
    `@tf.function` on the method itself makes AutoGraph convert it (TensorFlow only). Do that only in a class
    without layers, or with a `build()` that builds them: otherwise it freezes the weights (GD709), and the
    edit is not offered. `keras.ops.cond`, `keras.ops.where` and `keras.ops.while_loop` work on every backend,
    and in the `__call__` of a learning rate schedule, which Keras gives a variable that `tf.function` cannot
    take. A loop over a tensor of few rows, whose number is known, can go through `tf.unstack(…)`: it unrolls
    the loop, and layers that are first called there can create their weights, which a TensorFlow loop does
    not allow.

    When to leave it
    When the model is only ever called eagerly (`run_eagerly=True`), and in a metric whose `update_state`
    is called only by a `tf.function` of yours: AutoGraph converts that call, unlike `metric(…)` and `fit`.
    """

    id = "GD701"
    severity = Severity.ERROR
    since = Since.KERAS_3
    reasons = ("keras-call", "keras-step", "keras-other", "keras-helper")
    failures = tuple(
        FailureText(
            pattern=pattern,
            meaning=f"Keras 3 runs this code without AutoGraph, and a tensor cannot {what} here",
            order="Use control flow of `keras.ops`",
            **where,
        )
        for pattern, what in TEXTS
        for where in ({"in_keras": True}, {"through": "layers/layer.py"})  # a model that is made of layers
    )
    examples = (
        Example(
            bad="""
                import keras
                import tensorflow as tf
                from keras import ops


                class Gate(keras.layers.Layer):
                    def call(self, inputs):
                        if ops.sum(inputs) > 1.0:
                            return inputs / 2.0
                        return inputs


                model = keras.Sequential([Gate()])
                print(model.predict(tf.ones([2, 2]), verbose=0)[0])
                """,
            good="""
                import keras
                import tensorflow as tf
                from keras import ops


                class Gate(keras.layers.Layer):
                    @tf.function
                    def call(self, inputs):
                        if ops.sum(inputs) > 1.0:
                            return inputs / 2.0
                        return inputs


                model = keras.Sequential([Gate()])
                print(model.predict(tf.ones([2, 2]), verbose=0)[0])
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        reported = set()
        for event in refusals(facts, "keras"):
            frame = event.chain[-1]
            fixes = _fixes(facts, event, converted=frame.definition in reported)
            yield self.finding(
                span_at(facts, event),
                f"Keras 3 does not convert `{frame.function}`, so this {what(event)} needs the value "
                "of a tensor while tracing",
                function_at(event),
                event=event,
                fix=fixes[0] if fixes else None,
                alternatives=tuple(fixes[1:]),
            )
            reported.add(frame.definition)


def _fixes(facts: Facts, event: Staging, *, converted: bool) -> list[Fix]:
    """The fixes, the preferred one first; `converted`: another finding already converts the function."""
    chosen = choose(facts, event)
    found = body_at(facts, event.chain[-1].place)
    if found is not None and is_given_a_variable(found[0].function):
        return [chosen or Fix(title="Choose with `keras.ops.cond`", safety=Safety.MANUAL)]
    if converted:
        return [*take_apart(facts, event)]
    looped = by_while_loop(facts, event) if event.construct in ("for", "while") else None
    ways = [*([looped] if looped else []), convert_by_itself(facts, event), *([chosen] if chosen else [])]
    return [*sorted(ways, key=lambda way: not way.edits), *take_apart(facts, event)]
