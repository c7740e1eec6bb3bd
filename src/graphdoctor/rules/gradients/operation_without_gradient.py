"""GD504."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Gradient
from graphdoctor.refactoring.calls.smooth_functions import stand_in
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import missing
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import Eagerly, NewGradient, Repair
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.sites import Node


class OperationWithoutGradient(Rule):
    """An operation on the path has no gradient: argmax, rounding, a comparison, a cast to integers.

    What it finds
    An operation through which every path from a source to the target leads. From a run also
    `tf.stop_gradient` and custom gradients that return None; from the source also one that blocks a whole
    term of a loss while the other terms have a gradient.

    Why it matters
    These operations are not differentiable, or their results are not floating point: TensorFlow returns None
    for everything before them, and raises "No gradients provided for any variable".

    How to fix it
    Use a differentiable replacement: softmax for argmax, a sigmoid for a comparison, the straight-through
    estimator for rounding. The finding names the usual one.

    When to leave it
    When nothing before the operation is trained.
    """

    id = "GD504"
    severity = Severity.WRONG
    repair = Repair(gradient=NewGradient.ESTIMATED, eagerly=Eagerly.WRONG)
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                w = tf.Variable([0.5, 0.5])
                with tf.GradientTape() as tape:
                    hits = tf.cast(w > 0.5, tf.float32)
                    loss = tf.reduce_mean(hits)
                print(tape.gradient(loss, w))
                """,
            good="""
                import tensorflow as tf

                w = tf.Variable([0.5, 0.5])
                with tf.GradientTape() as tape:
                    hits = tf.sigmoid(10.0 * (w - 0.5)) + tf.stop_gradient(tf.cast(w > 0.5, tf.float32) - tf.sigmoid(10.0 * (w - 0.5)))
                    loss = tf.reduce_mean(hits)
                print(tape.gradient(loss, w))
                """,  # noqa: E501
            output=("None", "tf.Tensor([1.25 1.25], shape=(2,), dtype=float32)"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        titles = {
            "operation": "Use a differentiable replacement",
            "stopped": "Remove `tf.stop_gradient`",
            "custom": "Return a gradient",
        }
        yield from missing(self, facts, titles, at_break=_fix)


def _fix(event: Gradient, module: Module, node: Node) -> Fix | None:
    edits = stand_in(module, node) if event.reason == "operation" else None
    return offer("Use a differentiable replacement", edits) if edits is not None else None
