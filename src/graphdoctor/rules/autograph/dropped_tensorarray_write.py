"""GD311."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import LibraryCall
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import function_at, node_at, span_at


class DroppedTensorarrayWrite(Rule):
    """`TensorArray.write` returns the changed array; without an assignment the change is lost.

    What it finds
    `array.write(index, value)` (or `unstack`, `scatter`, `split`) as a statement of its own in a
    traced function, where `array` is known to be a `tf.TensorArray`.

    Why it matters
    In a graph the method returns a new array and leaves the old one as it was: what was written is
    lost without a word, and the result is zeros. Eagerly the same line works.

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
            target = found[1].func if found and isinstance(found[1], ast.Call) else None
            name = found[0].source_of(target.value) if found and isinstance(target, ast.Attribute) else ""
            fix = Fix(
                title=f"Assign the result to `{name}`",
                safety=Safety.SAFE,
                edits=(found[0].insert_before(found[1], f"{name} = "),) if found else (),
            )
            yield self.finding(
                span_at(facts, event),
                f"what `{method}` returns is dropped, and `{name or 'the array'}` stays as it was",
                function_at(event),
                event=event,
                fix=fix if name.isidentifier() else None,
            )
