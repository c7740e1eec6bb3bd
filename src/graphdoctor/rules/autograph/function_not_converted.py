"""GD341."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.recording.format import Event, Failure, Frame, Staging
from graphdoctor.recording.unconverted import meaning_of
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import function_at, span_at


class FunctionNotConverted(Rule):
    """AutoGraph could not convert a function and ran it unconverted.

    What it finds
    A user function that AutoGraph fails to convert, with the reason: TensorFlow warns "AutoGraph could not
    transform … and will run it as-is". From the source only what is certain to cause it: `self.__name`, `:=`,
    `for … else`.

    Why it matters
    It works as long as it has no `if`, `while` or `for` on a tensor, nor has what it calls: these raise
    OperatorNotAllowedInGraphError.

    How to fix it
    Rewrite the named construct, or put the function into a file. Where no conversion is needed, put
    `@tf.autograph.experimental.do_not_convert` on it to avoid the warning.

    When to leave it
    When nothing in it depends on the value of a tensor.
    """

    id = "GD341"
    severity = Severity.NOTE
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def scale(x, factors=(2.0, 3.0)):
                    if (count := len(factors)) > 1:
                        x = x * count
                    return x


                print(scale(tf.ones([1])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def scale(x, factors=(2.0, 3.0)):
                    count = len(factors)
                    if count > 1:
                        x = x * count
                    return x


                print(scale(tf.ones([1])).numpy())
                """,
            output=("[2.]", "[2.]"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        staged = facts.of(Staging)
        raised: list[Event] = [*facts.of(Failure), *(event for event in staged if event.outcome == "refused")]
        reported = {_named(frame) for event in raised for frame in event.chain}
        for event in staged:
            if event.construct == "function" and event.reason and _named(event.chain[-1]) not in reported:
                yield self.finding(
                    span_at(facts, event),
                    f"AutoGraph could not convert `{event.chain[-1].function}`: {meaning_of(event.reason)}",
                    function_at(event),
                    event=event,
                )


def _named(frame: Frame) -> tuple[str, str]:
    """A function, as static and runtime analysis both name it in a chain."""
    return frame.place.path, frame.function.rpartition(".")[2]
