"""GD118."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Safety, Severity
from graphdoctor.model.span import whole_line
from graphdoctor.model.words import duration
from graphdoctor.recording import History
from graphdoctor.recording.history import FEW_SHAPES
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule


class CompiledPerShape(Rule):
    """With `jit_compile=True`, XLA compiles for every new shape, behind one trace that serves all.

    What it finds
    From a run: an XLA function with unknown dimensions that was called with three concrete shapes or
    more, and what the first call of each shape took beyond the best.

    Why it matters
    A signature with `None` removes the retraces, and every count of traces looks fine. But XLA needs
    to know all sizes: it compiles again for each, which takes longer than a trace.

    How to fix it
    Pad to a few fixed lengths, so that few shapes exist; or leave `jit_compile` off for this function.

    When to leave it
    When the same few shapes come back for the whole run.
    """

    id = "GD118"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)], jit_compile=True)
                def total(x):
                    return tf.reduce_sum(tf.sin(x))


                for length in (3, 4, 5, 6, 3, 4, 5, 6):
                    total(tf.ones([length]))
                print(total.experimental_get_tracing_count())
                """,
            good="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)], jit_compile=True)
                def total(x):
                    return tf.reduce_sum(tf.sin(x))


                for length in (3, 4, 5, 6, 3, 4, 5, 6):
                    total(tf.pad(tf.ones([length]), [[0, 6 - length]]))
                print(total.experimental_get_tracing_count())
                """,
            output=("1", "1"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for history in facts.histories:
            if len(history.compilations) > FEW_SHAPES:
                yield self._found(history, history.compiling_seconds)

    def _found(self, history: History, seconds: float) -> Finding:
        shapes, traces = history.compilations, len(history.traces)
        examples = "; ".join(shape.shapes for shape in shapes[:4]) + ("; …" if len(shapes) > 4 else "")
        return self.finding(
            whole_line(history.function.path, history.function.line),
            f"XLA compiled `{history.function.name}` {len(shapes)} times ({duration(seconds)}) behind "
            f"{traces} trace{'' if traces == 1 else 's'}: once for each of the shapes {examples}",
            history.function,
            event=history.traces[-1],
            observed=Observed(traces=0, seconds=round(seconds, 6)),
            fix=Fix(title="Pad to a few lengths", safety=Safety.MANUAL),
        )
