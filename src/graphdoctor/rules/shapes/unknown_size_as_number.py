"""GD601."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Use
from graphdoctor.refactoring.declarations.shapes import as_shape, asked_again, inlined
from graphdoctor.rules.event_places import at, function_at, uses
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import body_at

SIZES = ("__len__", "__index__", "__int__")


class UnknownSizeAsNumber(Rule):
    """`x.shape[0]` is None where the dimension is unknown, and None is not a number.

    What it finds
    `x.shape[i]` used as a number (in arithmetic, in `range`, in the shape of a new tensor) in a function
    whose `input_signature` has None for that axis. From the source alone the confidence is at most medium,
    and low where a condition decides whether it is reached: in public code the size was known in the end.

    Why it matters
    `x.shape` is the static shape. Where the signature has None, it is None, and arithmetic with it raises
    TypeError or ValueError.

    How to fix it
    `tf.shape(x)[i]` is the size when the graph runs. The fix is marked unsafe: it is a tensor, which does not
    work where Python needs a number.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD601"
    severity = Severity.ERROR
    rests_on = "the static shapes of the data"
    failures = (
        FailureText(
            pattern=r"Expected int32, but got None of type 'NoneType'",
            meaning="a size that is not known while tracing (`x.shape[i]` is None) was used as a number",
            order="Use `tf.shape(x)[i]`",
        ),
        FailureText(
            pattern=r"Failed to convert elements of [\[(](?:-?\d+, )*None(?:, (?:-?\d+|None))*,?[\])] to Ten",
            meaning="a size that is not known while tracing (`x.shape[i]` is None) was used as a number",
            order="Use `tf.shape(x)[i]`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
                def pad(x):
                    return tf.concat([x, tf.zeros([x.shape[0], 1])], axis=1)


                print(pad(tf.ones([2, 3])).shape)
                """,
            good="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
                def pad(x):
                    return tf.concat([x, tf.zeros([tf.shape(x)[0], 1])], axis=1)


                print(pad(tf.ones([2, 3])).shape)
                """,
            raises="TypeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        reported = set()
        for event in uses(facts, "size"):
            place = event.given or at(event)
            if place in reported:
                continue
            reported.add(place)
            yield self.finding(
                facts.span(place),
                _message(facts, event),
                function_at(event),
                event=event,
                argument=event.name if event.axis is not None and event.name else None,
                fix=_fix(facts, event),
            )
        for event in uses(facts, "int"):
            if event.name in SIZES:
                place = event.value.made if event.value is not None and event.value.made else at(event)
                yield self.finding(
                    facts.span(place),
                    f"`{event.name}` returns a tensor, but Python needs a number here",
                    function_at(event),
                    event=event,
                    fix=_inlined(facts, event),
                )


def _message(facts: Facts, event: Use) -> str:
    if event.axis is None:  # asked by `len`
        asked = facts.text(at(event))
        return f"`{asked}` does not work on a symbolic tensor: AutoGraph does not convert it here"
    shown = facts.text(event.given) or f"{event.name}.shape"
    if shown.endswith((".shape", ".get_shape()", ".as_list()")):  # taken apart: `n, _ = x.shape`
        shown = f"{shown}[{event.axis}]"
    whose = f" of `{event.name}`" if event.name else ""
    return f"`{shown}` is None: axis {event.axis}{whose} is unknown while tracing"


def _inlined(facts: Facts, event: Use) -> Fix:
    found = facts.sources.expression_at(facts.span(at(event)))
    edit = inlined(*found, event.name) if found is not None else None
    if edit is None:
        return Fix(title="Give the static size", safety=Safety.MANUAL)
    return offer("Use the tensor", edit)


def _fix(facts: Facts, event: Use) -> Fix:
    if event.into:  # it does not accept the tensor either
        return offer("Compute with `tf.shape` in TensorFlow", None)
    found = facts.sources.node(facts.span(event.given)) if event.given is not None else None
    edit = as_shape(*found, event.name) if found is not None else None
    if edit is None and (body := body_at(facts, event.given)) is not None and event.axis is not None:
        edit = asked_again(*body, event.name, event.axis)
    return offer("Use `tf.shape`", edit)
