"""GD337."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Staging
from graphdoctor.refactoring.options.function_options import without_decorator, without_option
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import body_at, function_at, refusals, span_at, what

DO_NOT_CONVERT = "tensorflow.autograph.experimental.do_not_convert"


class AutographSwitchedOff(Rule):
    """With `autograph=False`, `if`, `while` and `for` on tensors raise.

    What it finds
    An `if`, `while`, `for` or conditional expression on a tensor in a function wrapped with
    `tf.function(autograph=False)`, or in a function that it calls.

    Why it matters
    Without AutoGraph these are Python, which needs the value of the tensor while tracing:
    OperatorNotAllowedInGraphError.

    How to fix it
    Remove `autograph=False`, or use `tf.cond`, `tf.where`, `tf.while_loop`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD337"
    severity = Severity.ERROR
    reasons = ("autograph-off", "switched-off")
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(autograph=False)
                def halve(x):
                    if tf.reduce_sum(x) > 1.0:
                        x = x / 2.0
                    return x


                print(halve(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def halve(x):
                    if tf.reduce_sum(x) > 1.0:
                        x = x / 2.0
                    return x


                print(halve(tf.ones([2])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in refusals(facts, "switched-off", "do-not-convert"):
            switch = "`autograph=False`" if event.reason == "switched-off" else "`do_not_convert`"
            yield self.finding(
                span_at(facts, event),
                f"because of {switch} this {what(event)} runs in Python and needs the value of "
                "a tensor while tracing",
                function_at(event),
                event=event,
                fix=_fix(facts, event, f"Remove {switch}"),
            )


def _fix(facts: Facts, event: Staging, title: str) -> Fix:
    found = body_at(facts, event.chain[-1].place)
    if found is None:
        return offer(title, None)
    if event.reason == "switched-off":
        return offer(title, without_option(found[0].function, "autograph"))
    return offer(title, without_decorator(found[0].function, DO_NOT_CONVERT))
