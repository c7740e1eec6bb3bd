"""GD121."""

from collections.abc import Iterator

from graphdoctor.model import Change, Difference, Finding, Fix, Observed, Safety, Severity
from graphdoctor.model.words import count, shortened
from graphdoctor.recording.format import SharedTrace
from graphdoctor.rules.effects.stale import LONGEST_VALUE
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule


class EqualValuesShareTrace(Rule):
    """`1`, `1.0` and `True` are equal, so a call with one of them reuses the graph traced for another.

    What it finds
    With `run --calls`: calls whose Python argument equals the traced one but has a different type, with the
    line of the first such call and their number.

    Why it matters
    The trace cache is keyed by the *value* of a Python argument, compared with `==`. Which graph a caller
    gets (an integer graph for `1.0`, a flag for `1`) depends on which call came first. There is no warning.

    How to fix it
    Pass a tensor, whose dtype is part of the key, or use one type in all calls.

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

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for event in _latest(facts):
            function = facts.function_of(event)
            place = event.place
            if function is None or place is None:
                continue
            then, now = shortened(event.then.text, LONGEST_VALUE), shortened(event.now.text, LONGEST_VALUE)
            difference = Difference(argument=event.name, change=Change.PYTHON_VALUE, before=then, now=now)
            yield self.finding(
                facts.sources.argument_span(place.path, place.line, function, event.name),
                f"{count(event.calls, 'call')} of `{function.name}` with `{event.name}` = {now} ran "
                f"the graph traced for {then}",
                function,
                event=event,
                argument=event.name,
                observed=Observed(traces=0, seconds=0.0, calls=event.calls, differences=(difference,)),
                fix=Fix(title="Pass a tensor", safety=Safety.MANUAL),
            )


def _latest(facts: Facts) -> list[SharedTrace]:
    """The latest event for each argument of each call: later events count more calls."""
    latest = {
        (facts.function_of(event), event.name, event.place, event.now): event
        for event in facts.of(SharedTrace)
    }
    return list(latest.values())
