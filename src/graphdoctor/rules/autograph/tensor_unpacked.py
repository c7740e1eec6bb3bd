"""GD332."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Place
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import function_at, node_at, span_at, text_at, uses
from graphdoctor.source.names import module_alias


class TensorUnpacked(Rule):
    """`a, b = tensor` takes a tensor apart in Python, which cannot see its elements while tracing.

    What it finds
    Unpacking a tensor into names (`height, width = tf.shape(image)`) or into
    a call or list with `*`, in a traced function.

    Why it matters
    Python iterates over the tensor. A symbolic tensor cannot be iterated:
    OperatorNotAllowedInGraphError.

    How to fix it
    `a, b = tf.unstack(tensor)`. The number of elements must be known while tracing, as it is for
    `tf.shape` of a tensor of known rank.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD332"
    severity = Severity.ERROR
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
            yield self.finding(
                span_at(facts, event),
                f"the tensor `{text_at(facts, place)}` is taken apart while tracing",
                function_at(event),
                event=event,
                fix=_fix(facts, place),
            )


def _fix(facts: Facts, place: Place) -> Fix:
    found = node_at(facts, place)
    target = found is None or isinstance(getattr(found[1], "ctx", None), ast.Store)
    tensorflow = module_alias("tensorflow", found[0].scope_at(found[1])) if found else None
    if found is None or target or tensorflow is None:
        return Fix(title="Use `tf.unstack`", safety=Safety.MANUAL)
    edit = found[0].replace(found[1], f"{tensorflow}.unstack({found[0].source_of(found[1])})")
    return Fix(title="Use `tf.unstack`", safety=Safety.SAFE, edits=(edit,))
