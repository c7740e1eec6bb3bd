"""GD124."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.slices import Sliced, find_slices, is_differentiated, to_rows


class SliceByLoopIndex(Rule):
    """A slice by the loop index makes the gradient of a loop quadratic in its length.

    What it finds
    `x[t]` or `x[:, t]` in a TensorFlow loop over `t`, where `x` is a whole tensor from outside the loop,
    a gradient tape records the loop, and `x` is watched, or made by a layer or from a variable.

    Why it matters
    The gradient of a slice is a tensor of zeros as large as `x`, with one row filled in. Each turn of
    the backward loop makes one and adds it up: a sequence of twice the length takes four times as
    long. Measured with 300 steps: 25 times slower than the cure.

    How to fix it
    `tf.TensorArray(…).unstack(x)` before the loop and `.read(t)` in it: the gradient of a read touches
    one row. Or do without the loop. The fix is not called safe: a NumPy array has no rows to unstack.

    When to leave it
    When the loop is short.
    """

    id = "GD124"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def gradient(x):
                    with tf.GradientTape() as tape:
                        tape.watch(x)
                        state = tf.zeros([2])
                        for t in tf.range(tf.shape(x)[0]):
                            state = tf.tanh(state + x[t])
                        loss = tf.reduce_sum(state)
                    return tape.gradient(loss, x)


                graph = gradient.get_concrete_function(tf.TensorSpec([None, 2])).graph
                print("zeros as large as x at each turn:", "StridedSliceGrad" in str(graph.as_graph_def()))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def gradient(x):
                    with tf.GradientTape() as tape:
                        tape.watch(x)
                        state = tf.zeros([2])
                        x_rows = tf.TensorArray(x.dtype, tf.shape(x)[0], clear_after_read=False).unstack(x)
                        for t in tf.range(tf.shape(x)[0]):
                            state = tf.tanh(state + x_rows.read(t))
                        loss = tf.reduce_sum(state)
                    return tape.gradient(loss, x)


                graph = gradient.get_concrete_function(tf.TensorSpec([None, 2])).graph
                print("zeros as large as x at each turn:", "StridedSliceGrad" in str(graph.as_graph_def()))
                """,
            output=(
                "zeros as large as x at each turn: True",
                "zeros as large as x at each turn: False",
            ),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for sliced in find_slices(body) if body.converted else ():
                if is_differentiated(body, sliced):
                    first = sliced.nodes[0]
                    yield self.finding_in(
                        body,
                        first,
                        f"the gradient of `{body.home.source_of(first)}` is as large as `{sliced.name}`, at "
                        "each turn of this TensorFlow loop",
                        fix=_fix(body, sliced),
                    )


def _fix(body: Body, sliced: Sliced) -> Fix:
    edits = to_rows(body, sliced)
    if edits is None:
        return Fix(title="Unstack it into a `tf.TensorArray`", safety=Safety.MANUAL)
    return Fix(title="Unstack it into a `tf.TensorArray`", safety=Safety.UNSAFE, edits=edits)
