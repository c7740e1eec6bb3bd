"""GD602."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Use
from graphdoctor.refactoring.declarations.shapes import as_shape
from graphdoctor.rules.event_places import at, function_at, uses
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule

UNASKED = {"bounding size": "the slice takes everything", "deciding size": "the branch is never taken"}


class UnknownSizeCompared(Rule):
    """`x.shape[0] == 3` is false for every input where the dimension is unknown.

    What it finds
    `x.shape[i] == number` or `!=` in a function whose `input_signature` has None for that axis. The
    confidence is low where it is the bound of a slice of something else, `y[:x.shape[i]]`, or decides alone,
    `if x.shape[i]:`, without an `else`.

    Why it matters
    While tracing the size is None, which equals no number. The comparison is evaluated once for all calls:
    the branch for that size is never taken, without a warning. None as a slice bound takes everything.

    How to fix it
    Compare `tf.shape(x)[i]`, the size when the graph runs.

    When to leave it
    When you compare with None to test whether the size is known.
    """

    id = "GD602"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
                def is_pair(x):
                    return x.shape[0] == 2


                print(is_pair(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
                def is_pair(x):
                    return tf.shape(x)[0] == 2


                print(is_pair(tf.ones([2])).numpy())
                """,
            output=("False", "True"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in uses(facts, "compared size"):
            shown = facts.text(event.given) or f"{event.name}.shape[{event.axis}]"
            yield self.finding(
                facts.span(at(event)),
                f"`{shown}` is None: axis {event.axis} of `{event.name}` is unknown while tracing",
                function_at(event),
                event=event,
                argument=event.name or None,
                fix=_fix(facts, event, "Compare `tf.shape`"),
            )
        for event in uses(facts, *UNASKED):
            shown = facts.text(event.given) or f"{event.name}.shape[{event.axis}]"
            yield self.finding(
                facts.span(at(event)),
                f"`{shown}` is None if axis {event.axis} of `{event.name}` is unknown: {UNASKED[event.how]}",
                function_at(event),
                event=event,
                guesses=("the axis is open",),
                fix=_fix(facts, event, "Ask `tf.shape`"),
            )


def _fix(facts: Facts, event: Use, title: str) -> Fix:
    found = facts.sources.node(facts.span(event.given)) if event.given is not None else None
    return offer(title, as_shape(*found, event.name) if found is not None else None)
