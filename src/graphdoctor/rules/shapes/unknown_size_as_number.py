"""GD601."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Use
from graphdoctor.rewriting.sizes import as_shape, asked_again, inlined
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import body_at
from graphdoctor.rules.telling import at, function_at, uses

SIZES = ("__len__", "__index__", "__int__")


class UnknownSizeAsNumber(Rule):
    """`x.shape[0]` is None where the signature leaves the size open, and None is no number.

    What it finds
    `x.shape[i]` used as a number (in arithmetic, in `range`, in the shape of a new tensor) in a function
    whose `input_signature` has None for that axis. From the source alone it is no error, and a note where
    a condition stands before it: in public code the size was known in the end.

    Why it matters
    `x.shape` is what is known while tracing. Where the signature says None, it is None, and reckoning
    with it raises TypeError or ValueError.

    How to fix it
    `tf.shape(x)[i]` is the size when the graph runs. The fix is not called safe: it is a tensor, which
    may not do where Python needs a number.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD601"
    severity = Severity.ERROR
    doubtful = True
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
        told = set()
        for event in uses(facts, "size"):
            place = event.given or at(event)
            if place in told:
                continue
            told.add(place)
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
                    f"`{event.name}` gives a tensor, and Python needs a number there",
                    function_at(event),
                    event=event,
                    fix=_inlined(facts, event),
                )


def _message(facts: Facts, event: Use) -> str:
    if event.axis is None:  # asked by `len`
        asked = facts.text(at(event))
        return f"`{asked}` has no answer for a symbolic tensor: AutoGraph does not convert it here"
    shown = facts.text(event.given) or f"{event.name}.shape"
    if shown.endswith((".shape", ".get_shape()", ".as_list()")):  # taken apart: `n, _ = x.shape`
        shown = f"{shown}[{event.axis}]"
    whose = f" of `{event.name}`" if event.name else ""
    return f"`{shown}` is None: axis {event.axis}{whose} is open while tracing"


def _inlined(facts: Facts, event: Use) -> Fix:
    found = facts.sources.expression_at(facts.span(at(event)))
    edit = inlined(*found, event.name) if found is not None else None
    if edit is None:
        return Fix(title="Give the static size", safety=Safety.MANUAL)
    return offer("Go on with the tensor", edit)


def _fix(facts: Facts, event: Use) -> Fix:
    if event.into:  # it would not take the tensor either
        return offer("Reckon with `tf.shape` in TensorFlow", None)
    found = facts.sources.node(facts.span(event.given)) if event.given is not None else None
    edit = as_shape(*found, event.name) if found is not None else None
    if edit is None and (body := body_at(facts, event.given)) is not None and event.axis is not None:
        edit = asked_again(*body, event.name, event.axis)
    return offer("Use `tf.shape`", edit)
