"""GD407."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import LibraryCall
from graphdoctor.refactoring.calls.models import called_directly
from graphdoctor.rules.event_places import call_at
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule

OWNERS = ("keras.Model", "tensorflow.train.Checkpoint", "tensorflow.train.CheckpointManager")


class FitInGraph(Rule):
    """`fit`, `predict`, `evaluate` and `save` are Python and cannot run inside a graph.

    What it finds
    `model.predict(…)`, `model.fit(…)`, `model.evaluate(…)` or one of the `…_on_batch` methods of a
    Keras model in a traced function; likewise `save` and `save_weights`, and the `save` of a
    `tf.train.Checkpoint` or `CheckpointManager`.

    Why it matters
    They create graphs, iterate over batches in Python and return NumPy arrays; `save` needs values, which a
    graph does not have. Inside a graph they raise.

    How to fix it
    Call the model: `model(x, training=False)`. Save after the call of the `tf.function`;
    `tf.train.Checkpoint.write` works in a graph.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD407"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"save\(\) modifies saving metadata",
            meaning="a checkpoint is saved here while tracing; only eager code can do that",
            order="Save after the call",
        ),
    )
    examples = (
        Example(
            bad="""
                import keras
                import tensorflow as tf

                model = keras.Sequential([keras.layers.Dense(2, kernel_initializer="ones")])
                model.build([None, 2])


                @tf.function
                def score(x):
                    return tf.reduce_sum(model.predict(x))


                print(score(tf.ones([1, 2])).numpy())
                """,
            good="""
                import keras
                import tensorflow as tf

                model = keras.Sequential([keras.layers.Dense(2, kernel_initializer="ones")])
                model.build([None, 2])


                @tf.function
                def score(x):
                    return tf.reduce_sum(model(x))


                print(score(tf.ones([1, 2])).numpy())
                """,
            raises="AttributeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(LibraryCall):
            owner, _, method = event.name.rpartition(".")
            if owner in OWNERS and event.place is not None:
                does = "needs the values of variables" if method.startswith("save") else "iterates in Python"
                yield self.finding(
                    facts.span(event.place),
                    f"`{method}` {does} and cannot run inside a graph",
                    facts.function_of(event),
                    event=event,
                    fix=_fix(facts, event),
                )


def _fix(facts: Facts, event: LibraryCall) -> Fix:
    if event.name.rpartition(".")[2].startswith("save"):
        return offer("Save after the call", None)
    found = call_at(facts, event)
    edit = called_directly(*found) if found is not None else None
    return offer("Call the model", edit)
