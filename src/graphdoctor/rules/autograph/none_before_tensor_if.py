"""GD302."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Conflict, Staging
from graphdoctor.refactoring.initial_values.branch_values import in_place_of_none
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import BRANCHES, body_at, conflicts, function_at, kind_of, node_at, span_at


class NoneBeforeTensorIf(Rule):
    """A tensor `if` cannot choose between None and a tensor.

    What it finds
    A name that is None before an `if` on a tensor, gets a tensor in one branch and is not assigned in the
    other (or set to None there), and is read after it.

    Why it matters
    Both branches are traced into one operation with one result; None is not a tensor. TensorFlow
    raises ValueError: "must not be None at the end of the … branch".

    How to fix it
    Start from a tensor of the same dtype and shape, such as `tf.zeros_like(x)`, and keep a flag.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD302"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"'(\w+)' is None at the end of the (\w+) branch",
            meaning="`{0}` is None at the end of the {1} branch, and None is not a tensor",
            order="Start with a tensor",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def mask(x):
                    result = None
                    if tf.reduce_sum(x) > 1.0:
                        result = x / 2.0
                    return result


                print(mask(tf.ones([2])))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def mask(x):
                    result = tf.zeros_like(x / 2.0)
                    if tf.reduce_sum(x) > 1.0:
                        result = x / 2.0
                    return result


                print(mask(tf.ones([2])))
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, conflict in conflicts(facts, BRANCHES, "none"):
            first = conflict.before is not None and conflict.before.type != "NoneType"
            name = f"`{conflict.name}`" if conflict.name else "the conditional expression"
            yield self.finding(
                span_at(facts, event, conflict.before_place if first else conflict.place),
                f"{name} is a tensor in one branch of an `if` on a tensor, and None in the other",
                function_at(event),
                event=event,
                fix=_fix(facts, event, conflict, first),
            )


def _fix(facts: Facts, event: Staging, conflict: Conflict, first: bool) -> Fix:
    found = body_at(facts, event.chain[-1].place)
    places = (conflict.before_place, conflict.place)
    given, none = (node_at(facts, place) for place in (places if first else reversed(places)))
    statements = (none[1] if none else None, given[1] if given else None)
    kind = kind_of(conflict.before if first else conflict.after)
    return offer(
        "Start from a tensor",
        in_place_of_none(*found, conflict.name, *statements, kind) if found is not None else None,
    )
