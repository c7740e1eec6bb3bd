"""GD339."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Place
from graphdoctor.refactoring.tensor_arrays.lists import append_after
from graphdoctor.rules.effects.side_effects import all_effects
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import body_at


class ListChangedInBranch(Rule):
    """Both branches of a tensor `if` are traced: a list changed in a branch is changed in any case.

    What it finds
    `items.append(…)` (or `extend`, `insert`, `add`) in a branch of an `if` on a tensor, where `items`
    is a Python list made before the `if` in the same function.

    Why it matters
    Tracing runs both branches. The list gets what either of them appends, whatever the condition is, and its
    tensors belong to the graphs of the branches.

    How to fix it
    Give a name a tensor in both branches, and append it after the `if`; or use `tf.where`.

    When to leave it
    Never.
    """

    id = "GD339"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def choose(x):
                    items = []
                    if tf.reduce_sum(x) > 0.0:
                        items.append(1.0)
                    else:
                        items.append(2.0)
                    return tf.stack(items)


                print(choose(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def choose(x):
                    items = []
                    if tf.reduce_sum(x) > 0.0:
                        item = 1.0
                    else:
                        item = 2.0
                    items.append(item)
                    return tf.stack(items)


                print(choose(tf.ones([2])).numpy())
                """,
            output=("[1. 2.]", "[1.]"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        known = set()
        for event, function in all_effects(facts, "branch"):
            matter = (function, event.state)
            if matter not in known and event.place is not None:
                known.add(matter)  # one finding for all branches of an `if`
                yield self.finding(
                    facts.span(event.place),
                    f"`{event.name}` is changed while both branches of an `if` on a tensor are "
                    "traced, whatever the condition",
                    function,
                    event=event,
                    fix=_fix(facts, event.place),
                )


def _fix(facts: Facts, place: Place) -> Fix:
    found = body_at(facts, place)
    return offer("Append after the `if`", append_after(*found) if found is not None else None)
