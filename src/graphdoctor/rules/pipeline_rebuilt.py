"""GD122."""

from collections.abc import Iterator

from graphdoctor.model import Change, Finding, Fix, Safety, Severity
from graphdoctor.model.span import whole_line
from graphdoctor.model.words import duration
from graphdoctor.recording import History
from graphdoctor.recording.grouping import Origin
from graphdoctor.recording.places import span_of
from graphdoctor.rules.evidence import retracings
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule

FEW_PIPELINES = 4


class PipelineRebuilt(Rule):
    """A dataset that is built again in each epoch traces its functions again in each epoch.

    What it finds
    From a run: a function given to `Dataset.map`, `filter` and the like that one line handed over five
    times or more. A pipeline for training, one for validation and one for the test are not meant.

    Why it matters
    Each call of `map` traces its function, and the graphs, together with what they capture, are not
    always given back. An epoch then starts slowly, and memory grows.

    How to fix it
    Build the dataset once, before the loop, and iterate over it again; shuffling is new each time.

    When to leave it
    When the pipeline really is another one each time.
    """

    id = "GD122"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                for epoch in range(5):
                    data = tf.data.Dataset.range(4).map(lambda x: x + 1)
                    for batch in data:
                        pass
                """,
            good="""
                import tensorflow as tf

                data = tf.data.Dataset.range(4).map(lambda x: x + 1)
                for epoch in range(5):
                    for batch in data:
                        pass
                """,
            traces=(5, 1),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for retracing in retracings(facts, Change.NEW_FUNCTION_OBJECT):
            history, last = retracing.history, retracing.event
            rebuilt = history.origin is Origin.DATASET and history.objects > FEW_PIPELINES
            if not rebuilt or retracing.argument is not None:
                continue
            figures = retracing.observed
            cost = f" ({duration(figures.seconds)})" if figures else ""
            method = last.frame.entered if last.frame else ""
            yield self.finding(
                span_of(last.place) if last.place else whole_line(*_place(history)),
                f"`{method or 'map'}` traced `{history.function.name}` {history.objects} times"
                f"{cost} because the pipeline is built again each time",
                history.function,
                event=last,
                observed=figures,
                fix=Fix(title="Build the dataset once", safety=Safety.MANUAL),
            )


def _place(history: History) -> tuple[str, int]:
    return history.function.path, history.function.line
