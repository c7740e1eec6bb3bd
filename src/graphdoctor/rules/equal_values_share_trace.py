"""GD121."""

from collections.abc import Iterator

from graphdoctor.model import Change, Difference, Finding, Fix, Observed, Safety, Severity
from graphdoctor.model.words import count
from graphdoctor.recording import History, SharedTrace
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.stale import shortened
from graphdoctor.source.sites import Sources


class EqualValuesShareTrace(Rule):
    """`1`, `1.0` and `True` are equal, so a call with one of them runs the graph traced for another.

    What it finds
    With `run --calls`: calls whose Python argument equals the one that was traced but has another type,
    with the line of the first such call and their number.

    Why it matters
    TensorFlow keeps its graphs by the *value* of a Python argument, and compares with `==`. Which type a
    caller gets (an integer graph for `1.0`, a flag for `1`) depends on who called first, and no message
    says so.

    How to fix it
    Pass a tensor, whose dtype is part of the key, or give all callers one type.

    When to leave it
    When the function does the same for both types.
    """

    id = "GD121"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def half(number):
                    return tf.constant(number) / 2 if isinstance(number, float) else tf.constant(number // 2)


                print(half(1).numpy())
                print(half(1.0).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def half(number):
                    return number / 2 if number.dtype.is_floating else number // 2


                print(half(tf.constant(1)).numpy())
                print(half(tf.constant(1.0)).numpy())
                """,
            output=("0\n0", "0\n0.5"),
            calls=True,
        ),
    )

    def check_recording(self, history: History, sources: Sources) -> Iterator[Finding]:
        latest: dict[tuple[str, str, int, str], SharedTrace] = {}
        for note in history.notes:
            if isinstance(note, SharedTrace):
                latest[note.name, note.path, note.line, note.now] = note
        for note in latest.values():
            then, now = shortened(note.then), shortened(note.now)
            difference = Difference(argument=note.name, change=Change.PYTHON_VALUE, before=then, now=now)
            yield self.finding(
                sources.argument_span(note.path, note.line, history.function, note.name),
                f"{count(note.calls, 'call')} of `{history.function.name}` with `{note.name}` = {now} ran "
                f"the graph traced for {then}",
                history.function,
                argument=note.name,
                observed=Observed(traces=0, seconds=0.0, calls=note.calls, differences=(difference,)),
                fix=Fix(title="Pass a tensor", safety=Safety.MANUAL),
            )
