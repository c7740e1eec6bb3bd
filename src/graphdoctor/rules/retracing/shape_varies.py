"""GD103."""

from collections.abc import Iterator

from graphdoctor.model import Change, Finding, Fix, Safety, Severity
from graphdoctor.recording.signatures import covering_spec
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.repair import FEWER_TRACES
from graphdoctor.rules.retracing.evidence import RELAX, Retracing, retracings, ways_to_relax
from graphdoctor.rules.rule import Example, Rule

COMPILING = ("jit_compile", "experimental_compile")
PAD = "Pad to a few lengths"


class ShapeVaries(Rule):
    """A tensor whose shape changes from call to call makes TensorFlow trace again for each new shape.

    What it finds
    A call of a traced function, without `input_signature` or `reduce_retracing`, whose tensor has a different
    shape at each call: batches of a dataset with an unknown dimension, slices that grow, tensors of a size
    that the loop changes. A run reports the argument, the axis and the sizes; but not a few sizes that occur
    early and then serve many calls, as buckets do.

    Why it matters
    The shape is part of the key of the trace cache. Batches padded to their own longest sentence, or images
    of different sizes, retrace the training step for each new shape.

    How to fix it
    Let TensorFlow trace once for all sizes: `reduce_retracing=True`, or an `input_signature` with
    `None` for the axis that varies. Under `jit_compile=True` XLA would still compile each shape: pad
    to a few fixed lengths instead.

    When to leave it
    When there are few shapes and each is used many times: one graph per shape may run faster.
    """

    id = "GD103"
    severity = Severity.SLOW
    repair = FEWER_TRACES
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def total(x):
                    return tf.reduce_sum(x)


                for length in range(3, 9):
                    total(tf.ones([length, 8]))
                """,
            good="""
                import tensorflow as tf


                @tf.function(reduce_retracing=True)
                def total(x):
                    return tf.reduce_sum(x)


                for length in range(3, 9):
                    total(tf.ones([length, 8]))
                """,
            traces=(6, 2),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for change in (Change.SHAPE, Change.RANK):
            for retracing in retracings(facts, change):
                if retracing.argument is None or not retracing.is_many(2):
                    continue
                fix, alternatives = _fixes(retracing, facts)
                yield self.finding(
                    retracing.span(facts),
                    _message(retracing, facts),
                    retracing.history.function,
                    event=retracing.event,
                    argument=retracing.argument,
                    observed=retracing.observed,
                    fix=fix,
                    alternatives=alternatives,
                )


def _message(retracing: Retracing, facts: Facts) -> str:
    if retracing.retraces:
        return retracing.report(_what_changed(retracing)) + _spec(retracing)
    return (
        f"`{retracing.text(facts)}` has a different shape at each iteration, and "
        f"`{retracing.history.function.name}` is traced again for each shape"
    )


def _what_changed(retracing: Retracing) -> str:
    axes = [str(d.axis) for d in retracing.differences if d.axis is not None]
    if not axes:
        return f"the rank of `{retracing.argument}` changed"
    name = "axis" if len(axes) == 1 else "axes"
    return f"the size of `{retracing.argument}` changed along {name} {' and '.join(axes)}"


def _spec(retracing: Retracing) -> str:
    """The spec that covers all shapes seen, ready to paste."""
    traces = retracing.history.traces
    seen = [a for trace in traces for a in trace.arguments if a.path == retracing.argument]
    spec = covering_spec(seen)
    return f"; `{spec}` covers all of them" if spec else ""


def _fixes(retracing: Retracing, facts: Facts) -> tuple[Fix | None, tuple[Fix, ...]]:
    options = retracing.event.options
    if retracing.event.reduce_retracing or any(options.get(name) == "True" for name in COMPILING):
        return Fix(title=PAD, safety=Safety.MANUAL), ()
    first, *others = ways_to_relax(retracing, facts) or (None,)
    if first is None:
        return None if retracing.retraces else Fix(title=RELAX, safety=Safety.MANUAL), ()
    return first, tuple(other for other in others if other is not None)
