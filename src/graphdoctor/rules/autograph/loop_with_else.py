"""GD319."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.refactoring.control_flow.loops import LoopStatement, loop_of_else, without_else
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import blocking, body_at, first_decisions, function_at, span_at
from graphdoctor.source.surroundings import Body


class LoopWithElse(Rule):
    """AutoGraph does not convert a function with `for … else` or `while … else`.

    What it finds
    A loop with an `else` in a function that is traced with AutoGraph and has an `if`, `while` or
    `for` on a tensor.

    Why it matters
    AutoGraph does not convert the whole function, logs a warning and runs it unconverted. Its tensor
    conditions and loops then raise OperatorNotAllowedInGraphError.

    How to fix it
    Where the loop has no `break`, move the `else` body after the loop. Otherwise use a flag.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD319"
    severity = Severity.ERROR
    reasons = ("for-else", "while-else")
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def total(n):
                    result = tf.constant(0)
                    for i in tf.range(n):
                        result += i
                    else:
                        result += 100
                    return result


                print(total(tf.constant(4)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def total(n):
                    result = tf.constant(0)
                    for i in tf.range(n):
                        result += i
                    result += 100
                    return result


                print(total(tf.constant(4)).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in first_decisions(facts, "loop-else"):
            found = body_at(facts, event.blocked_by)
            loop = loop_of_else(*found) if found else None
            yield self.finding(
                span_at(facts, event, event.blocked_by),
                blocking(event, "`else` of a loop"),
                function_at(event),
                event=event,
                fix=_fix(found[0], loop) if found and loop else None,
            )


def _fix(body: Body, loop: LoopStatement) -> Fix:
    edits = without_else(body, loop)
    if edits is not None and len(edits) == 1:
        return offer("Dedent what follows `else`", edits, Safety.SAFE)
    return offer("Use a flag instead", edits)
