"""GD311."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Safety, Severity
from graphdoctor.recording.format import LibraryCall
from graphdoctor.refactoring.calls.results import kept_result
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import function_at, node_at, span_at
from graphdoctor.source.calls import receiver_text


class DroppedTensorarrayWrite(Rule):
    """`TensorArray.write` returns the changed array; without an assignment the change is lost.

    What it finds
    `array.write(index, value)` (or `unstack`, `scatter`, `split`) as a statement of its own in a
    traced function, where `array` is known to be a `tf.TensorArray`.

    Why it matters
    In a graph the method returns a new array and does not change the old one: the written value is lost
    without a warning, and the result is zeros. In eager mode the same line works.

    How to fix it
    Keep what it returns: `array = array.write(index, value)`.

    When to leave it
    Never.
    """

    id = "GD311"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def squares():
                    array = tf.TensorArray(tf.int32, size=3)
                    for i in tf.range(3):
                        array.write(i, i * i)
                    return array.stack()


                print(squares().numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def squares():
                    array = tf.TensorArray(tf.int32, size=3)
                    for i in tf.range(3):
                        array = array.write(i, i * i)
                    return array.stack()


                print(squares().numpy())
                """,
            output=("[0 0 0]", "[0 1 4]"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(LibraryCall):
            if not event.dropped or not event.name.startswith("tensorflow.TensorArray.") or not event.chain:
                continue
            method = event.name.rpartition(".")[2]
            found = node_at(facts, event.chain[-1].place)
            name = receiver_text(*found) if found else ""
            edit = kept_result(*found) if found else None
            yield self.finding(
                span_at(facts, event),
                f"the result of `{method}` is discarded, and `{name or 'the array'}` does not change",
                function_at(event),
                event=event,
                fix=offer(f"Assign the result to `{name}`", edit, Safety.SAFE) if edit is not None else None,
            )
