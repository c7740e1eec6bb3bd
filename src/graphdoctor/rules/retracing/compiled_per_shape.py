"""GD118."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Safety, Severity
from graphdoctor.model.span import whole_line
from graphdoctor.model.words import duration
from graphdoctor.recording import History
from graphdoctor.recording.format import SEEN, Argument, Trace
from graphdoctor.recording.history import FEW_SHAPES
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule

ORDER = "Pad to a few lengths"


class CompiledPerShape(Rule):
    """With `jit_compile=True`, XLA compiles again for every new input shape, although there is one trace.

    What it finds
    A function with `jit_compile=True` whose signature has unknown dimensions, called in a loop with a
    different shape at each iteration. From a run: one that was called with three concrete shapes or more, and
    how much longer the first call of each shape took than the fastest one.

    Why it matters
    A signature with `None` prevents retracing, so the number of traces looks fine. But XLA needs static
    shapes: it compiles again for each shape, which takes longer than tracing.

    How to fix it
    Pad the input to a few fixed lengths, or do not use `jit_compile` for this function.

    When to leave it
    When the same few shapes repeat for the whole run.
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
            elif not history.compilations:
                yield from self._predicted(facts, history)

    def _predicted(self, facts: Facts, history: History) -> Iterator[Finding]:
        """The first argument of each call whose shape a loop changes behind one trace."""
        reported = set()
        for trace in history.traces:
            argument = next(filter(_has_many_shapes, trace.arguments), None)
            if argument is None or not _is_open(trace) or trace.reached == SEEN or argument.place in reported:
                continue
            reported.add(argument.place)
            assert argument.place is not None
            text = facts.text(argument.place) or argument.path
            yield self.finding(
                facts.span(argument.place),
                f"`{text}` has a different shape at each iteration, and XLA compiles "
                f"`{history.function.name}` again for each shape",
                history.function,
                event=trace,
                argument=argument.path,
                fix=Fix(title=ORDER, safety=Safety.MANUAL),
            )

    def _found(self, history: History, seconds: float) -> Finding:
        shapes, traces = history.compilations, len(history.traces)
        examples = "; ".join(shape.shapes for shape in shapes[:4]) + ("; …" if len(shapes) > 4 else "")
        return self.finding(
            whole_line(history.function.path, history.function.line),
            f"XLA compiled `{history.function.name}` {len(shapes)} times ({duration(seconds)}) for "
            f"{traces} trace{'' if traces == 1 else 's'}: once for each of the shapes {examples}",
            history.function,
            event=history.traces[-1],
            observed=Observed(traces=0, seconds=round(seconds, 6)),
            fix=Fix(title=ORDER, safety=Safety.MANUAL),
        )


def _is_open(trace: Trace) -> bool:
    """Whether XLA compiles the function, and one trace serves several shapes."""
    relaxed = trace.options.get("input_signature") or trace.options.get("reduce_retracing") == "True"
    return bool(relaxed) and trace.options.get("jit_compile") == "True"


def _has_many_shapes(argument: Argument) -> bool:
    return argument.place is not None and any(
        each.what == "shape" and not each.few and (each.turns is None or each.turns > FEW_SHAPES)
        for each in argument.varies
    )
