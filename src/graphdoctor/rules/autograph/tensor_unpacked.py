"""GD332."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Safety, Severity
from graphdoctor.recording.format import SEEN, Use
from graphdoctor.refactoring.calls.items import is_operation, unstacked
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import function_at, node_at, span_at, text_at, uses


class TensorUnpacked(Rule):
    """`a, b = tensor` unpacks a tensor in Python, which cannot iterate over it while tracing.

    What it finds
    Unpacking a tensor into names (`height, width = tf.shape(image)`) or into a call or list with `*`, in a
    traced function. From the source alone the confidence is at most medium, and low where a condition decides
    whether it is reached, or where neither an operation of TensorFlow in the same function gives the tensor
    nor its first size is the number of names: what was taken for one tensor was several, wherever it was met
    in public code.

    Why it matters
    Python iterates over the tensor. A symbolic tensor cannot be iterated:
    OperatorNotAllowedInGraphError.

    How to fix it
    Write `a, b = tf.unstack(tensor)`. The number of elements must be known while tracing, as it is for
    `tf.shape` of a tensor of known rank.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD332"
    severity = Severity.ERROR
    rests_on = "the static shapes of the data"
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def area(image):
                    height, width = tf.shape(image)
                    return height * width


                print(area(tf.ones([2, 3])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def area(image):
                    height, width = tf.unstack(tf.shape(image))
                    return height * width


                print(area(tf.ones([2, 3])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in uses(facts, "unpack"):
            place = event.chain[-1].place
            found = node_at(facts, place)
            yield self.finding(
                span_at(facts, event),
                f"the symbolic tensor `{text_at(facts, place)}` is unpacked in Python",
                function_at(event),
                event=event,
                guesses=() if _is_one_tensor(facts, event) else ("it is one tensor, and not several",),
                fix=offer("Use `tf.unstack`", unstacked(*found) if found else None, Safety.SAFE),
            )


def _is_one_tensor(facts: Facts, event: Use) -> bool:
    """Whether a run or an operation shows it; what a layer or a caller gives may be several tensors."""
    if event.reached == SEEN or event.name.startswith("tensorflow."):
        return True
    frame, made = event.chain[-1], event.value.made if event.value is not None else None
    first = frame.definition.line if frame.definition is not None else 1
    near = made is not None and made.path == frame.place.path and first <= made.line <= frame.place.line
    found = facts.sources.expression_at(facts.span(made)) if near and made is not None else None
    return found is not None and is_operation(*found)
