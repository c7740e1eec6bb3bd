"""GD301."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Conflict, Staging
from graphdoctor.refactoring.initial_values.branch_values import set_before_if
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import body_at, conflicts, function_at, kind_of, node_at, span_at
from graphdoctor.source.surroundings import set_by


class NameSetInOneBranch(Rule):
    """A name that only one branch of a tensor `if` sets does not exist in the other branch's graph.

    What it finds
    A name that one branch of an `if` on a tensor assigns, that has no value before the `if`, and
    that is read after it, in a function that AutoGraph converts.

    Why it matters
    Both branches are traced, and both must give the same names a value. TensorFlow raises ValueError:
    "must also be initialized in the else branch".

    How to fix it
    Give the name a value of the same dtype and shape before the `if`, or in the other branch.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD301"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"'(\w+)' must be defined before the loop"
            r".*'\1' must also be initialized in the \w+ branch",
            meaning="`{0}` is set only in one branch of a tensor `if` inside this loop, so it may be "
            "undefined after the loop",
            order="Define it before the loop",
        ),
        FailureText(
            pattern=r"'(\w+)' must also be initialized in the (\w+) branch",
            meaning="`{0}` has no value in the {1} branch, but both branches of a tensor `if` must "
            "give it one",
            order="Define it before the `if`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def clip(x):
                    if tf.reduce_sum(x) > 1.0:
                        y = x / 2.0
                    return y


                print(clip(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def clip(x):
                    y = tf.zeros_like(x / 2.0)
                    if tf.reduce_sum(x) > 1.0:
                        y = x / 2.0
                    return y


                print(clip(tf.ones([2])).numpy())
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, conflict in conflicts(facts, ("if",), "undefined"):
            where = "first" if conflict.before is not None else "`else`"
            found = node_at(facts, conflict.before_place or conflict.place)
            span = found[0].span(set_by(found[1])) if found else span_at(facts, event)
            yield self.finding(
                span,
                f"`{conflict.name}` gets a value only in the {where} branch of an `if` on a tensor, "
                "and is read after it",
                function_at(event),
                event=event,
                fix=_fix(facts, event, conflict),
            )


def _fix(facts: Facts, event: Staging, conflict: Conflict) -> Fix:
    found = body_at(facts, event.chain[-1].place)
    given = node_at(facts, conflict.before_place or conflict.place)
    kind = kind_of(conflict.before or conflict.after)
    edit = set_before_if(*found, conflict.name, given[1] if given else None, kind) if found else None
    # Unsafe: the initial value is ours, the program has none.
    return offer(f"Set `{conflict.name}` before the `if`", edit)
