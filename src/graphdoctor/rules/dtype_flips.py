"""GD111."""

from collections.abc import Iterator

from graphdoctor.model import Change, Finding, Fix, Safety, Severity
from graphdoctor.model.words import duration
from graphdoctor.recording import History
from graphdoctor.rules.evidence import observed, place, times
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source.sites import Sources


class DtypeFlips(Rule):
    """One call passes tensors of different dtypes, and each dtype is traced.

    What it finds
    From a run: a line that calls a traced function now with one dtype, now with another, for the
    same argument. A function that different lines call with different dtypes is left alone.

    Why it matters
    The dtype is part of the key under which TensorFlow keeps its graphs. Most often NumPy's float64
    meets TensorFlow's float32, or a whole number an array of floats: each makes a graph of its own,
    and the results differ in precision.

    How to fix it
    Convert once, where the data comes in: `tf.cast(x, tf.float32)`, or `np.asarray(x, np.float32)`.

    When to leave it
    When the function is meant for several dtypes.
    """

    id = "GD111"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import numpy as np
                import tensorflow as tf


                @tf.function
                def mean(x):
                    return tf.reduce_mean(x)


                for rows in ([1.0, 2.0], np.ones(2, np.float32), np.ones(2)):
                    mean(tf.constant(rows))
                """,
            good="""
                import numpy as np
                import tensorflow as tf


                @tf.function
                def mean(x):
                    return tf.reduce_mean(x)


                for rows in ([1.0, 2.0], np.ones(2, np.float32), np.ones(2)):
                    mean(tf.constant(rows, tf.float32))
                """,
            traces=(2, 1),
        ),
    )

    def check_recording(self, history: History, sources: Sources) -> Iterator[Finding]:
        for argument, retraces in history.caused_by(Change.DTYPE).items():
            same_line = [r for r in retraces if r.trace.site == r.closest.site]
            if argument is None or not same_line:
                continue
            figures = observed(same_line, argument, Change.DTYPE)
            seen = figures.differences[0]
            yield self.finding(
                place(history, same_line, argument, sources),
                f"`{history.function.name}` was traced {times(len(same_line))} "
                f"({duration(figures.seconds)}) because this line passes `{argument}` as {seen.now} "
                f"and as {seen.before}",
                history.function,
                argument=argument,
                observed=figures,
                fix=Fix(title=f"Cast `{argument}` to one dtype", safety=Safety.MANUAL),
            )
