"""GD607."""

from collections.abc import Iterator

from msgspec import structs

from graphdoctor.model import Finding, Fix, Related, Severity, Span
from graphdoctor.recording.format import Argument, LibraryCall, Use
from graphdoctor.refactoring.declarations.shapes import is_operation, stated, without_animations
from graphdoctor.rules.event_places import at, function_at, uses
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import body_at


class UnknownRank(Rule):
    """The result of `tf.py_function` has unknown rank, and `fit` cannot build a model for it.

    What it finds
    A dataset whose elements come from `tf.py_function`, `tf.numpy_function` or a `from_generator` without
    shapes, and that is given to `model.fit`; also `tf.image.resize` and the like of such a tensor, or of what
    `tf.io.decode_image` (a GIF has an axis more) and `tf.io.parse_tensor` give. From the source alone the
    confidence is at most medium, and low where a condition decides whether it is reached: in public code the
    shape was known.

    Why it matters
    TensorFlow cannot infer the shape that Python code returns: the result has a dtype and no shape. Keras
    builds its graph for the data and needs its rank: ValueError "as_list() is not defined on an unknown
    TensorShape". `tf.image.resize`: "'images' contains no shape".

    How to fix it
    Set the shape right after the call: `tf.ensure_shape(value, [28, 28, 1])`, or `value.set_shape(…)`. For a
    generator give `output_signature=`, for `tf.io.decode_image` `expand_animations=False`. The size of the
    last axis must be given: layers have weights of that size.

    When to leave it
    Never: it raises.
    """

    id = "GD607"
    severity = Severity.ERROR
    rests_on = "the static shapes of the data"
    failures = (
        FailureText(
            pattern=r"as_list\(\) is not defined on an unknown TensorShape",
            meaning="the data has unknown rank while Keras builds its graph: it comes from Python code "
            "(`tf.py_function`, a generator) without a stated shape",
            order="State the shape",
        ),
        FailureText(
            pattern=r"'images' contains no shape|Cannot take the length of shape with unknown rank",
            meaning="the tensor has unknown rank: the operation that creates it has no static shape",
            order="State the shape",
        ),
    )
    examples = (
        Example(
            bad="""
                import keras
                import tensorflow as tf


                def read(index):
                    value = tf.py_function(lambda i: tf.ones([4]), [index], tf.float32)
                    return value, tf.zeros([1])


                data = tf.data.Dataset.range(8).map(read).batch(4)
                model = keras.Sequential([keras.layers.Dense(1)])
                model.compile("sgd", "mse")
                model.fit(data, verbose=0)
                """,
            good="""
                import keras
                import tensorflow as tf


                def read(index):
                    value = tf.py_function(lambda i: tf.ones([4]), [index], tf.float32)
                    value = tf.ensure_shape(value, [4])
                    return value, tf.zeros([1])


                data = tf.data.Dataset.range(8).map(read).batch(4)
                model = keras.Sequential([keras.layers.Dense(1)])
                model.compile("sgd", "mse")
                model.fit(data, verbose=0)
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for failed in super().judge(facts):
            needed = [event for event in uses(facts, "rank") if _is_line(event, failed)]
            yield structs.replace(failed, fix=_fix(facts, needed[0])) if needed else failed
        for event in uses(facts, "rank"):
            lost = facts.span(event.given or at(event))
            used = facts.span(at(event))
            yield self.finding(
                lost,
                f"the rank is unknown from here on, and `{facts.text(at(event)).partition('(')[0]}` needs it",
                function_at(event),
                event=event,
                related=(_related(used),),
                fix=_fix(facts, event),
            )


def _related(span: Span) -> Related:
    return Related(
        path=span.path,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        cell=span.cell,
        message="its rank is needed here",
    )


def _is_line(event: Use, finding: Finding) -> bool:
    """Whether the rank is needed where the program failed."""
    return (at(event).path, at(event).line) == (finding.path, finding.line)


def _fix(facts: Facts, event: Use) -> Fix:
    """The shape of what the Python function returns, or of each part of it, where the dry run knows it."""
    returned = [
        argument
        for call in facts.of(LibraryCall)
        for argument in call.arguments
        if event.given is not None and call.place == event.given and argument.path.startswith("return")
    ]
    found = body_at(facts, event.given)
    if found is not None and (picture := without_animations(*found)) is not None:
        return offer("Set `expand_animations=False`", picture)
    parts = returned[1:] if returned and returned[0].kind in ("tuple", "list") else returned[:1]
    shapes = [shape for part in parts if (shape := _shape_of(part)) is not None]
    enough = _needs_the_rank_alone(facts, event) or all(_has_its_last_size(part) for part in parts)
    known = found is not None and bool(shapes) and len(shapes) == len(parts) and enough
    return offer("State the shape", stated(*found, shapes) if found is not None and known else None)


def _shape_of(returned: Argument) -> tuple[int | None, ...] | None:
    """The shape of what a Python function returns; a number has no axes."""
    return () if returned.type in ("int", "float", "bool") else returned.shape


def _needs_the_rank_alone(facts: Facts, event: Use) -> bool:
    """Whether an operation asks; a layer that is built for the data needs the last size, too."""
    found = body_at(facts, at(event))
    return found is not None and is_operation(*found)


def _has_its_last_size(returned: Argument) -> bool:
    """Whether a layer can be built for it: indices may be any number, and are looked up."""
    shape = _shape_of(returned)
    return shape is not None and (
        not shape or shape[-1] is not None or returned.dtype.startswith(("int", "uint"))
    )
