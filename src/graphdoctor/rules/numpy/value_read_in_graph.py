"""GD801."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Use
from graphdoctor.rewriting.reading import unread
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.telling import at, call_at, function_at, function_name, uses


class ValueReadInGraph(Rule):
    """`.numpy()` asks a symbolic tensor for a value that it does not have yet.

    What it finds
    `.numpy()`, `.item()` or `.tolist()` on a tensor or Variable in a traced function: in a
    `tf.function`, in `Dataset.map`, in `Layer.call`.

    Why it matters
    While tracing there is only the description of a computation. `.numpy()` exists on eager tensors
    only: AttributeError (NotImplementedError for a Variable).

    How to fix it
    Go on with the tensor, return it, and read its value where the function is called; or put the
    Python into `tf.py_function`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD801"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"object has no attribute '(numpy|item|tolist)'",
            meaning="`.{0}()` asks a tensor for its value while it is traced, when it has none",
            order="Stay in TensorFlow",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def mean(x):
                    return tf.reduce_mean(x).numpy()


                print(mean(tf.ones([2])))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def mean(x):
                    return tf.reduce_mean(x)


                print(mean(tf.ones([2])))
                """,
            raises="AttributeError",
        ),
        Example(
            bad="""
                import tensorflow as tf

                dataset = tf.data.Dataset.from_tensor_slices(["a.txt", "b.txt"])
                names = dataset.map(lambda path: path.numpy().decode())
                print(len(list(names)))
                """,
            good="""
                import tensorflow as tf

                dataset = tf.data.Dataset.from_tensor_slices(["a.txt", "b.txt"])
                names = dataset.map(lambda path: path)
                print(len([name.numpy().decode() for name in names]))
                """,
            raises="AttributeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in uses(facts, "read"):
            what = facts.text(event.given) or "the tensor"
            yield self.finding(
                facts.span(at(event)),
                f"`{what}` has no value while `{function_name(event)}` is traced",
                function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _fix(facts: Facts, event: Use) -> Fix | None:
    found = call_at(facts, event)
    edit = unread(*found) if found is not None else None
    return offer("Stay with the tensor", edit) if edit is not None else None
