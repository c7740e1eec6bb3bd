"""GD310."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Use
from graphdoctor.refactoring.calls.lookup_tables import looked_up
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import function_at, span_at, text_at, uses


class TensorKeyInTensorLoop(Rule):
    """A tensor cannot be the key of a Python dict.

    What it finds
    `counts[i] = …` or `counts[i]` in a traced function, where `counts` is a dict created there and `i` is a
    tensor, such as the index of a loop over `tf.range`; and a call with a tensor of a function decorated with
    `functools.lru_cache`.

    Why it matters
    A symbolic tensor has no value yet and cannot be hashed: TypeError "Tensor is unhashable".

    How to fix it
    Use a tensor and `tf.tensor_scatter_nd_update`, a `tf.TensorArray`, or a `tf.lookup` table.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD310"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"(Tensor|Variable) is unhashable",
            meaning="a tensor is used as a key of a dict, a set or a cache, but tensors are not hashable",
            order="Use its value, or `.ref()`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def squares(n):
                    results = {}
                    for i in tf.range(n):
                        results[i] = i * i
                    return results


                print(squares(tf.constant(3)))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def squares(n):
                    results = tf.TensorArray(tf.int32, size=n)
                    for i in tf.range(n):
                        results = results.write(i, i * i)
                    return results.stack()


                print(squares(tf.constant(3)))
                """,
            raises="TypeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in uses(facts, "key"):
            key = text_at(facts, event.given)
            holder = "an `lru_cache`" if event.name == "lru_cache" else "a Python dict"
            yield self.finding(
                span_at(facts, event),
                f"the tensor `{key}` cannot be the key of {holder}"
                if key
                else f"a tensor cannot be the key of {holder}",
                function_at(event),
                event=event,
                fix=_asked_of_a_table(facts, event),
            )


def _asked_of_a_table(facts: Facts, event: Use) -> Fix | None:
    """Keep the pairs in a lookup table as well, which takes a tensor as key."""
    found = facts.sources.expression_at(span_at(facts, event))
    edits = looked_up(facts.sources.modules, *found) if found is not None else None
    return offer("Use a lookup table", edits) if edits is not None else None
