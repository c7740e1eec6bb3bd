"""GD517."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Gradient
from graphdoctor.refactoring.calls.results import return_last
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import missing
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import NewGradient, Repair
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.sites import Node

TITLE = "Return the gradient"


class NoneGivenToOptimizer(Rule):
    """An optimizer gets None as a gradient, and the None does not come from a tape.

    What it finds
    `apply_gradients` or `apply` with None for some variables, where no tape returned None for these. The
    program itself created the None: a function between the tape and the optimizer (clipping, accumulating,
    averaging) without `return`, or a list initialised with None and never filled.

    Why it matters
    Keras says "No gradients provided for any variable", or warns "Gradients do not exist for variables", as
    if the path from the loss were broken. The path is intact; the gradient was lost afterwards.

    How to fix it
    Return the gradient from the function between the tape and the optimizer.

    When to leave it
    When the variables must not change: better leave them out of the list.
    """

    id = "GD517"
    severity = Severity.WRONG
    repair = Repair(gradient=NewGradient.EXACT, trains=True)
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                w = tf.Variable([3.0, 4.0])
                optimizer = tf.keras.optimizers.SGD(0.1)


                def clipped(gradient):
                    tf.clip_by_norm(gradient, 5.0)


                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(w * w)
                gradient = tape.gradient(loss, w)
                optimizer.apply_gradients([(clipped(gradient), w)])
                """,
            good="""
                import tensorflow as tf

                w = tf.Variable([3.0, 4.0])
                optimizer = tf.keras.optimizers.SGD(0.1)


                def clipped(gradient):
                    return tf.clip_by_norm(gradient, 5.0)


                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(w * w)
                gradient = tape.gradient(loss, w)
                optimizer.apply_gradients([(clipped(gradient), w)])
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"given": TITLE}, at_call=True, at_break=_fix)


def _fix(event: Gradient, module: Module, node: Node) -> Fix | None:
    edit = return_last(module, node)
    return offer(TITLE, edit) if edit is not None else None
