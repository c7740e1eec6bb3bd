"""GD103."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Change, Finding, Fix, Safety, Severity
from graphdoctor.recording.signatures import covering_spec
from graphdoctor.rules.evidence import Retracing, retracings
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Call, Kind, Module, TracedFunction
from graphdoctor.source.decorators import add_option
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.loops import changing_loop, iterations
from graphdoctor.source.names import dotted_name

FEW_SHAPES = 4
MAKERS = {
    f"tensorflow.{name}"
    for name in ("ones", "zeros", "fill", "random.normal", "random.uniform", "range", "eye")
}
RELAXING = ("input_signature", "reduce_retracing", "experimental_relax_shapes")


class ShapeVaries(Rule):
    """A tensor whose shape changes from call to call makes TensorFlow trace again for each new shape.

    What it finds
    A call of a traced function, without `input_signature` or `reduce_retracing`, whose tensor has
    another shape at each call. From the source: only shapes that a loop plainly changes. From a
    run: any, with the argument, the axis and the sizes seen; but not a few sizes that were met early
    and then served many calls, as buckets do.

    Why it matters
    The shape is part of the key under which TensorFlow keeps its graphs. Batches padded to their own
    longest sentence, or images of their own size, trace the training step again and again.

    How to fix it
    Let TensorFlow trace once for all sizes: `reduce_retracing=True`, or an `input_signature` with
    `None` for the axis that varies. Under `jit_compile=True` XLA would still compile each shape: pad
    to a few fixed lengths instead.

    When to leave it
    When there are few shapes and each is used many times: one graph for each may then run faster.
    """

    id = "GD103"
    severity = Severity.SLOW
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

    def check_source(self, module: Module) -> Iterator[Finding]:
        for call, traced in module.calls_of_traced:
            if traced.has(*RELAXING):
                continue
            for parameter, expression in call.arguments.items():
                if _changes_shape(expression, call):
                    yield self.finding(
                        module.span(expression),
                        f"`{module.source_of(expression)}` has another shape at each turn of the "
                        f"loop, and `{call.function.ref.name}` is traced again for each",
                        call.function.ref,
                        argument=parameter,
                        fix=_fix(module, traced),
                    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for change in (Change.SHAPE, Change.RANK):
            for retracing in retracings(facts, change):
                if retracing.argument is None or retracing.count < 2:
                    continue
                yield self.finding(
                    retracing.span(facts),
                    retracing.told(_what_changed(retracing)) + _spec(retracing),
                    retracing.history.function,
                    event=retracing.event,
                    argument=retracing.argument,
                    observed=retracing.observed,
                    fix=_fix_observed(retracing, facts),
                )


def _what_changed(retracing: Retracing) -> str:
    axes = [str(d.axis) for d in retracing.differences if d.axis is not None]
    if not axes:
        return f"`{retracing.argument}` changed its rank"
    name = "axis" if len(axes) == 1 else "axes"
    return f"`{retracing.argument}` changed its size along {name} {' and '.join(axes)}"


def _spec(retracing: Retracing) -> str:
    """What covers all that was seen, ready to paste."""
    traces = retracing.history.traces
    seen = [a for trace in traces for a in trace.arguments if a.path == retracing.argument]
    spec = covering_spec(seen)
    return f"; `{spec}` covers all of them" if spec else ""


def _changes_shape(expression: ast.expr, call: Call) -> bool:
    """Whether an argument is a tensor made, or cut, to a size that the loop changes."""
    sizes = list(_sizes(expression, call))
    for size in sizes:
        loop = changing_loop(size, call.loops, call.scope)
        if loop is not None and kind_of(size, call.scope) is Kind.NUMBER:
            count = iterations(loop, call.scope)
            return count is None or count > FEW_SHAPES
    return False


def _sizes(expression: ast.expr, call: Call) -> Iterator[ast.expr]:
    if isinstance(expression, ast.Call):
        if dotted_name(expression.func, call.scope) in MAKERS and expression.args:
            shape = expression.args[0]
            yield from shape.elts if isinstance(shape, ast.List | ast.Tuple) else [shape]
    elif isinstance(expression, ast.Subscript) and kind_of(expression.value, call.scope) in (
        Kind.TENSOR,
        Kind.ARRAY,
    ):
        first = expression.slice.elts[0] if isinstance(expression.slice, ast.Tuple) else expression.slice
        if isinstance(first, ast.Slice) and first.lower is None and first.upper is not None:
            yield first.upper


def _fix(module: Module, traced: TracedFunction) -> Fix:
    edit = add_option(traced.function.home, traced, "reduce_retracing=True")
    if edit is None or traced.has("jit_compile", "experimental_compile"):
        return Fix(title="Pad to a few lengths", safety=Safety.MANUAL)
    return Fix(title="Add `reduce_retracing=True`", safety=Safety.UNSAFE, edits=(edit,))


def _fix_observed(retracing: Retracing, facts: Facts) -> Fix | None:
    if retracing.event.jit_compile or retracing.event.reduce_retracing:
        return Fix(title="Pad to a few lengths", safety=Safety.MANUAL)
    called = retracing.history.function
    module, function = facts.sources.module(called.path), facts.sources.function(called)
    traced = module.traced.get(function.node) if module and function else None
    return _fix(module, traced) if module and traced else None
