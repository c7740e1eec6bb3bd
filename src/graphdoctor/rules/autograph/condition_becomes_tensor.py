"""GD316."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Staging
from graphdoctor.refactoring.initial_values.zeros import as_tensor
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import function_at, kind_of, refusals, span_at, value_at


class ConditionBecomesTensor(Rule):
    """A `while` condition that starts as a Python value cannot become a tensor.

    What it finds
    `while not done:` or `while error > 0.1:`, where the name is a Python value before the loop and becomes
    a tensor in it, in a function that AutoGraph converts.

    Why it matters
    The type of the condition at the start decides which kind of loop it becomes. A Python loop is unrolled,
    and when its condition becomes a tensor, AutoGraph raises NotImplementedError.

    How to fix it
    Start from a tensor: `done = tf.constant(False)`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD316"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def double(x):
                    done = False
                    while not done:
                        x = x * 2.0
                        done = tf.reduce_sum(x) > 20.0
                    return x


                print(double(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def double(x):
                    done = tf.constant(False)
                    while not done:
                        x = x * 2.0
                        done = tf.reduce_sum(x) > 20.0
                    return x


                print(double(tf.ones([2])).numpy())
                """,
            raises="NotImplementedError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in refusals(facts, "becomes-tensor"):
            name = f"`{event.conflict.name}`" if event.conflict is not None else "the condition"
            yield self.finding(
                span_at(facts, event),
                f"{name} is a Python value when the loop starts and a tensor after the first iteration",
                function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _fix(facts: Facts, event: Staging) -> Fix:
    conflict = event.conflict
    start = value_at(facts, conflict.before_place) if conflict is not None else None
    made = as_tensor(*start, kind_of(conflict.after).dtype) if conflict is not None and start else None
    edit, sure = made if made is not None else (None, False)
    return offer("Start from a tensor", edit, Safety.SAFE if sure else Safety.UNSAFE)
