"""GD340."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.recording.format import Staging
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import convert_by_itself, function_at, span_at, what


class CallbackNotConverted(Rule):
    """AutoGraph does not convert functions that TensorFlow itself calls.

    What it finds
    An `if`, `while` or `for` on a tensor in a function that a `tf.function` passes to `tf.cond`,
    `tf.while_loop`, `tf.scan`, `tf.foldl`, `tf.vectorized_map`, `tf.nest.map_structure`, `map`, or that is
    wrapped in `tf.custom_gradient` or `tf.recompute_grad`. Also the function of a Keras `Lambda` layer, which
    Keras 2 does not convert either.

    Why it matters
    AutoGraph converts the functions that your code calls, not those that TensorFlow calls for you
    (run on 2.21; `tf.map_fn` is the exception). The condition raises OperatorNotAllowedInGraphError.

    How to fix it
    Put `@tf.function` on the inner function, or define it inside the `tf.function`: then both are converted.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD340"
    severity = Severity.ERROR
    reasons = ("vectorized-map", "custom-gradient", "recompute-gradient")
    failures = (
        FailureText(
            pattern=r"symbolic `?tf\.Tensor`? as a Python `?bool`?",
            meaning="AutoGraph does not convert this code, so a tensor cannot be the condition of an `if` "
            "or a `while`",
            order="Decorate it with `@tf.function`",
            vague=True,
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                def step(total, value):
                    if value > 1.0:
                        total = total + value
                    return total


                @tf.function
                def large(x):
                    return tf.foldl(step, x)


                print(large(tf.constant([1.0, 2.0, 3.0])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def step(total, value):
                    if value > 1.0:
                        total = total + value
                    return total


                @tf.function
                def large(x):
                    return tf.foldl(step, x)


                print(large(tf.constant([1.0, 2.0, 3.0])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(Staging):
            if event.outcome != "refused" or not event.reason.startswith("callback:"):
                continue
            yield self.finding(
                span_at(facts, event),
                f"AutoGraph does not convert `{event.chain[-1].function}`, so this {what(event)} needs "
                "the value of a tensor while tracing",
                function_at(event),
                event=event,
                fix=convert_by_itself(facts, event),
            )
