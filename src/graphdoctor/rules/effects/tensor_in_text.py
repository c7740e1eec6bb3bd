"""GD211."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity, Span
from graphdoctor.recording.format import Effect, Place, Use
from graphdoctor.refactoring.calls.texts import formatted, value_in_text
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule


class TensorInText(Rule):
    """A symbolic tensor formatted into a Python string shows its name, not its value.

    What it finds
    An f-string, `str(x)` or `"…".format(x)` of a tensor in a traced function. Not in the text of an
    exception, and not in `print` (GD201) or a logger (GD207). A format specification (`{x:.3f}`) raises and
    is an ERROR everywhere.

    Why it matters
    The string is made while tracing. It holds `Tensor("add:0", shape=(), dtype=float32)` and is the same at
    each call: all files get the same name, all records the same label.

    How to fix it
    `tf.strings.format("value {}", x)` or `tf.strings.as_string(x)` create the string when the graph runs.

    When to leave it
    When you want the name of the symbolic tensor.
    """

    id = "GD211"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def label(step):
                    return tf.constant(f"step {step + 1}")


                print(label(tf.constant(4)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def label(step):
                    return tf.strings.format("step {}", step + 1)


                print(label(tf.constant(4)).numpy())
                """,
            output=("b'step Tensor(\"add:0\", shape=(), dtype=int32)'", "b'step 5'"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        shown = [event.place for event in facts.of(Effect) if event.shows == "formatted"]
        uses = [
            event for event in facts.of(Use) if event.how == "format" or (event.how == "text" and event.into)
        ]
        raising = [event.place for event in uses if event.how == "format"]
        for event in uses:
            reported = shown if event.how == "format" else raising  # `print` and loggers have their own rules
            if event.place is None or any(_is_inside(event.place, other) for other in reported):
                continue
            span = facts.span(event.place)
            yield self.finding(
                span,
                _message(facts, event, span),
                facts.function_of(event),
                event=event,
                worse=Severity.ERROR if event.how == "format" else None,
                fix=_fix(facts, span, event),
            )


def _message(facts: Facts, event: Use, span: Span) -> str:
    if event.how == "format":
        return f"the symbolic tensor{_named(facts, span)} cannot be formatted: it has no value while tracing"
    return f"the string contains the name of the symbolic tensor{_named(facts, span)}, not its value"


def _is_inside(place: Place, other: Place | None) -> bool:
    if other is None or (place.path, place.cell) != (other.path, other.cell):
        return False
    return other.line <= place.line and place.end_line <= other.end_line


def _fix(facts: Facts, span: Span, event: Use) -> Fix:
    found = facts.sources.expression_at(span)
    frames = (facts.sources.expression_at(facts.span(frame.place)) for frame in event.chain[-2::-1])
    callers = [each for each in frames if each is not None]
    edits = formatted(*found, callers, event.into) if found is not None else None
    return offer("Use `tf.strings.format`", edits)


def _named(facts: Facts, span: Span) -> str:
    found = facts.sources.expression_at(span)
    text = value_in_text(*found) if found is not None else ""
    return f" `{text}`" if text else ""
