"""GD111."""

import dataclasses
from collections.abc import Iterator

from graphdoctor.model import Change, Finding, Fix, Safety, Severity
from graphdoctor.recording import Retrace
from graphdoctor.refactoring.tensor_arguments.numbers import with_dtype
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.repair import FEWER_TRACES
from graphdoctor.rules.retracing.evidence import Retracing, retracings
from graphdoctor.rules.rule import Example, Rule

ORDER = ("float32", "float64", "bfloat16", "float16", "int64", "int32")


class DtypeFlips(Rule):
    """One call passes tensors of different dtypes, and the function is traced for each dtype.

    What it finds
    A line that calls a traced function with different dtypes for the same argument. A function that different
    lines call with different dtypes is not reported.

    Why it matters
    The dtype is part of the key of the trace cache. Typically float64 from NumPy is mixed with float32, or
    integers with floats: each dtype gets a graph of its own, and the results differ in precision.

    How to fix it
    Convert once, where the data is loaded: `tf.cast(x, tf.float32)`, or `np.asarray(x, np.float32)`.

    When to leave it
    When the function is meant for several dtypes.
    """

    id = "GD111"
    severity = Severity.SLOW
    repair = FEWER_TRACES
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

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for retracing in retracings(facts, Change.DTYPE):
            same_line = _on_same_line(retracing)
            if same_line.argument is None or not same_line.count:
                continue
            seen = same_line.differences[0]
            argument = same_line.argument
            fix, *alternatives = _fixes(same_line, facts)
            yield self.finding(
                same_line.span(facts),
                same_line.report(f"this line passes `{argument}` as {seen.now} and as {seen.before}"),
                same_line.history.function,
                event=same_line.event,
                argument=argument,
                observed=same_line.observed,
                fix=fix,
                alternatives=tuple(alternatives),
            )


def _fixes(retracing: Retracing, facts: Facts) -> list[Fix]:
    """A cast at the call to each of the dtypes that were seen, float32 first."""
    title = f"Cast `{retracing.argument}` to one dtype"
    found = retracing.expression(facts)
    whole = found is not None and (retracing.argument or "").isidentifier()
    seen = {difference.now for difference in retracing.differences}
    seen |= {text for each in retracing.differences for text in each.before.split(", ")}
    ways = [with_dtype(*found, dtype) for dtype in ORDER if dtype in seen] if found and whole else []
    fixes = [Fix(title=title, safety=Safety.UNSAFE, edits=edits) for edits in ways if edits]
    return fixes or [Fix(title=title, safety=Safety.MANUAL)]


def _on_same_line(retracing: Retracing) -> Retracing:
    """Only the retraces of one line: two lines may each need a graph of their own."""

    def kept(retraces: tuple[Retrace, ...]) -> tuple[Retrace, ...]:
        return tuple(r for r in retraces if r.trace.frame == r.closest.frame)

    return dataclasses.replace(
        retracing, retraces=kept(retracing.retraces), predicted=kept(retracing.predicted)
    )
