"""GD303."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Conflict, Staging
from graphdoctor.refactoring.initial_values.branch_values import return_on_both_ways
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import body_at, conflicts, function_at, kind_of, node_at, span_at


class ReturnInOneBranch(Rule):
    """A tensor `if` that returns a value in one branch and nothing in the other cannot be traced.

    What it finds
    `return value` in a branch of an `if` on a tensor at the end of a function, where the other branch reaches
    the end without a `return`.

    Why it matters
    Both branches are traced into one operation with one result; None is not a tensor. TensorFlow raises
    ValueError: "must also have a return statement".

    How to fix it
    Return a value of the same dtype and shape in both branches.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD303"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"the (\w+) branch must also have a return statement",
            meaning="the {0} branch of a tensor `if` returns nothing, but the other returns a value",
            order="Return in both branches",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def positive(x):
                    if tf.reduce_sum(x) > 0.0:
                        return x


                print(positive(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def positive(x):
                    if tf.reduce_sum(x) > 0.0:
                        return x
                    return tf.zeros_like(x)


                print(positive(tf.ones([2])).numpy())
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, conflict in conflicts(facts, ("if",), "return"):
            first = conflict.before is not None and conflict.before.type != "NoneType"
            yield self.finding(
                span_at(facts, event, conflict.before_place if first else conflict.place),
                f"`{event.chain[-1].function}` returns a value in one branch of an `if` on a tensor "
                "and nothing in the other",
                function_at(event),
                event=event,
                fix=_fix(facts, event, conflict, first),
            )


def _fix(facts: Facts, event: Staging, conflict: Conflict, first: bool) -> Fix:
    found = body_at(facts, event.chain[-1].place)
    places = (conflict.before_place, conflict.place)
    returned, other = (node_at(facts, place) for place in (places if first else reversed(places)))
    statements = (returned[1] if returned else None, other[1] if other else None)
    kind = kind_of(conflict.before if first else conflict.after)
    return offer(
        "Return a value in both branches",
        return_on_both_ways(*found, *statements, kind) if found is not None else None,
    )
