"""GD104."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity, Span
from graphdoctor.recording.format import Conflict, Made, Place, Staging, Value
from graphdoctor.recording.places import function_of, span_of
from graphdoctor.refactoring.declarations.shapes import in_list
from graphdoctor.refactoring.tensor_arguments.numbers import with_dtype
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import conflicts, function_at, span_at

BARE = "bare signature"


class SignatureDoesNotFit(Rule):
    """An `input_signature` must be a list with one entry for each parameter.

    What it finds
    An `input_signature` that is a bare `tf.TensorSpec`, that has more entries than the function has
    parameters, or fewer than it has parameters without a default; and a call with a tensor whose dtype or
    shape does not match the signature (arrays and numbers are cast).

    Why it matters
    TensorFlow raises TypeError when the function is created or first called.

    How to fix it
    Put the spec into a list; add or remove entries; cast the argument, or write `None` for sizes that differ.

    When to leave it
    Never: it raises.
    """

    id = "GD104"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"Can not cast (TensorSpec\(.*?\)) to (TensorSpec\(.*?\))`",
            meaning="the function was called with `{0}`, but its `input_signature` requires `{1}`",
            order="Widen the signature",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(input_signature=tf.TensorSpec([None], tf.float32))
                def double(x):
                    return x * 2.0


                print(double(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
                def double(x):
                    return x * 2.0


                print(double(tf.ones([2])).numpy())
                """,
            raises="TypeError",
        ),
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
                def add(x, y):
                    return x + y


                print(add(tf.ones([2]), tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)] * 2)
                def add(x, y):
                    return x + y


                print(add(tf.ones([2]), tf.ones([2])).numpy())
                """,
            raises="TypeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        reported: set[Span] = set()
        for made in facts.of(Made):
            place = _place(made)
            if made.conflict is None or place is None or span_of(place) in reported:
                continue
            span = span_of(place)
            reported.add(span)
            function = function_of(made.definition) if made.definition else None
            yield self.finding(
                span,
                f"`{function.name if function else 'the function'}` {_complaint(made.conflict)}",
                function,
                event=made,
                fix=_fix(span, facts) if made.conflict.kind == BARE else None,
            )
        for event, conflict in conflicts(facts, ("signature",), "dtype", "shape"):
            yield self.finding(
                span_at(facts, event),
                _refusal(conflict),
                function_at(event),
                event=event,
                argument=conflict.name,
                fix=_cast(facts, event, conflict),
            )


def _refusal(conflict: Conflict) -> str:
    """What an argument is, and what the signature says of it."""
    wanted, given = (_spelled(each, conflict.kind) for each in (conflict.before, conflict.after))
    return f"`{conflict.name}` has the {conflict.kind} {given}, but the signature requires {wanted}"


def _spelled(value: Value | None, kind: str) -> str:
    if value is None:
        return "another"
    if kind == "dtype":
        return value.dtype or value.type
    return str(list(value.shape)) if value.shape is not None else "another"


def _cast(facts: Facts, event: Staging, conflict: Conflict) -> Fix:
    """Cast to what the signature says; another shape needs another signature."""
    found = facts.sources.expression_at(span_at(facts, event)) if conflict.kind == "dtype" else None
    if found is None or conflict.before is None:
        return Fix(title="Widen the signature", safety=Safety.MANUAL)
    dtype = conflict.before.dtype
    return offer(f"Cast to {dtype}", with_dtype(*found, dtype))


def _place(made: Made) -> Place | None:
    """Where the signature is written, else where the `tf.function` is created."""
    given = (option.place for option in made.arguments if option.path == "input_signature")
    return next(given, None) or made.place


def _complaint(conflict: Conflict) -> str:
    if conflict.kind == BARE or conflict.before is None or conflict.after is None:
        return "has a bare `TensorSpec` as its `input_signature`, which must be a list"
    wants = "takes" if conflict.kind == "long signature" else "needs"
    return f"{wants} {conflict.before.length} arguments, but its signature has {conflict.after.length}"


def _fix(span: Span, facts: Facts) -> Fix | None:
    found = facts.sources.call_at(span)
    return offer("Put it into a list", in_list(*found)) if found is not None else None
