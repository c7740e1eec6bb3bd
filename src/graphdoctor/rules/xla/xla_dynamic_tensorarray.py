"""GD902."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import LibraryCall
from graphdoctor.refactoring.tensor_arrays.sizes import with_size
from graphdoctor.rules.event_places import at, function_at
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import body_at


class XlaDynamicTensorarray(Rule):
    """Under XLA a TensorArray that starts empty stays empty.

    What it finds
    `tf.TensorArray(…, size=0, dynamic_size=True)` in a function with `jit_compile=True`.

    Why it matters
    XLA cannot grow an array. Written values are dropped, and `stack()` returns an empty tensor, without a
    warning (TensorFlow 2.21).

    How to fix it
    Give it a fixed size: `tf.TensorArray(dtype, size=n)`.

    When to leave it
    Never.
    """

    id = "GD902"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(jit_compile=True)
                def squares(x):
                    array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
                    for i in tf.range(3):
                        array = array.write(i, x * x)
                    return array.stack()


                print(squares(tf.constant(2.0)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function(jit_compile=True)
                def squares(x):
                    array = tf.TensorArray(tf.float32, size=3)
                    for i in tf.range(3):
                        array = array.write(i, x * x)
                    return array.stack()


                print(squares(tf.constant(2.0)).numpy())
                """,
            output=("[]", "[4. 4. 4.]"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(LibraryCall):
            given = {argument.path: argument.text for argument in event.arguments}
            starts_empty = given.get("dynamic_size") == "True" and given.get("size", "0") == "0"
            if event.compiled and event.name == "tensorflow.TensorArray" and starts_empty:
                yield self.finding(
                    facts.span(at(event)),
                    "XLA drops values written to a TensorArray that starts empty",
                    function_at(event),
                    event=event,
                    fix=_fix(facts, event),
                )


def _fix(facts: Facts, event: LibraryCall) -> Fix:
    found = body_at(facts, at(event))
    return offer("Give it a fixed size", with_size(*found) if found is not None else None)
