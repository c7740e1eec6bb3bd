"""GD115."""

from collections.abc import Iterator

from graphdoctor.model import Change, Finding, Fix, Safety, Severity
from graphdoctor.model.words import duration
from graphdoctor.recording import History, Retrace
from graphdoctor.recording.labels import LAST_BATCH
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.retracing.evidence import SIGNATURE, Retracing, observed, place, ways_to_relax
from graphdoctor.rules.rule import Example, Rule


class LastBatchSmaller(Rule):
    """The smaller last batch of an epoch causes one more trace.

    What it finds
    From a run: one more trace in which only the first axis of the tensors is smaller than before.

    Why it matters
    It costs one trace and the memory of one graph, once. That is often acceptable; the finding states the
    cost.

    How to fix it
    `batch(32, drop_remainder=True)`, or an `input_signature` with `None` for the batch axis.

    When to leave it
    When tracing is fast, or every example must be used.
    """

    id = "GD115"
    severity = Severity.NOTE
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def step(x):
                    return tf.reduce_sum(x)


                for epoch in range(2):
                    for batch in tf.data.Dataset.range(10).batch(4):
                        step(batch)
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def step(x):
                    return tf.reduce_sum(x)


                for epoch in range(2):
                    for batch in tf.data.Dataset.range(10).batch(4, drop_remainder=True):
                        step(batch)
                """,
            traces=(2, 1),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for history in facts.histories:
            retraces = [retrace for retrace in history.retraces if retrace.label == LAST_BATCH]
            if not retraces:
                continue
            argument = retraces[-1].differences[0].argument
            figures = observed(retraces, argument, Change.SHAPE)
            yield self.finding(
                place(history, retraces, argument, facts),
                f"`{history.function.name}` was traced once more ({duration(figures.seconds)}) for a last "
                f"batch of {figures.differences[0].now}",
                history.function,
                event=retraces[-1].trace,
                argument=argument,
                observed=figures,
                fix=Fix(title="Batch with `drop_remainder=True`", safety=Safety.MANUAL),
                alternatives=_signature(history, retraces, argument, facts),
            )


def _signature(
    history: History, retraces: list[Retrace], argument: str | None, facts: Facts
) -> tuple[Fix, ...]:
    """One graph for both sizes; `drop_remainder` would drop examples."""
    ways = ways_to_relax(Retracing(history, Change.SHAPE, argument, tuple(retraces)), facts)
    return tuple(way for way in ways if way.title == SIGNATURE)
