"""GD122."""

from collections.abc import Iterator

from graphdoctor.model import Change, Finding, Fix, Safety, Severity
from graphdoctor.model.span import whole_line
from graphdoctor.model.words import duration
from graphdoctor.recording import History
from graphdoctor.recording.grouping import Origin
from graphdoctor.rules.evidence import observed
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source.sites import Sources

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

    def check_recording(self, history: History, sources: Sources) -> Iterator[Finding]:
        retraces = history.caused_by(Change.NEW_FUNCTION_OBJECT).get(None, [])
        if history.origin is not Origin.DATASET or history.objects <= FEW_PIPELINES or not retraces:
            return
        figures = observed(retraces, None, Change.NEW_FUNCTION_OBJECT)
        site = retraces[-1].trace.site
        method = site.entered if site else None
        yield self.finding(
            whole_line(site.path, site.line) if site else whole_line(*_place(history)),
            f"`{method or 'map'}` traced `{history.function.name}` {history.objects} times "
            f"({duration(figures.seconds)}) because the pipeline is built again each time",
            history.function,
            observed=figures,
            fix=Fix(title="Build the dataset once", safety=Safety.MANUAL),
        )


def _place(history: History) -> tuple[str, int]:
    return history.function.path, history.function.line
