"""GD508."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Edit, Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Gradient
from graphdoctor.rewriting.tapes import Question
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import Asked, missing
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module

ALL = {"variables": "trainable_variables", "weights": "trainable_weights"}


class UntrainableVariables(Rule):
    """`model.variables` holds what no gradient exists for; `model.trainable_variables` does not.

    What it finds
    `model.variables` or `model.weights` as the sources of `tape.gradient`, where the model has variables
    which are not trained: a batch normalisation, `trainable=False`, a ready-made application; and single
    variables that are not trainable.

    Why it matters
    Moving means and variances of a batch normalisation, counters and seeds are variables too. Their
    gradients are None, and Keras warns "Gradients do not exist for variables".

    How to fix it
    Use `trainable_variables` (or `trainable_weights`), where gradients are asked for and where they
    are applied.

    When to leave it
    When the model has no other variables; the name is still better.
    """

    id = "GD508"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.BatchNormalization()])
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(model(tf.ones([4, 2]), training=True))
                gradients = tape.gradient(loss, model.variables)
                print(sum(gradient is None for gradient in gradients))
                """,
            good="""
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.BatchNormalization()])
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(model(tf.ones([4, 2]), training=True))
                gradients = tape.gradient(loss, model.trainable_variables)
                print(sum(gradient is None for gradient in gradients))
                """,
            output=("2", "0"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        orders = {"not-trainable": "Use `trainable_variables`"}
        yield from missing(self, facts, orders, at_call=True, fixing=_fix)


def _fix(event: Gradient, asked: Asked) -> Fix | None:
    sources = asked.question.sources
    if not isinstance(sources, ast.Attribute) or sources.attr not in ALL:
        return None
    edits = tuple(_renamed(asked.module, asked.question, sources))
    return Fix(title=f"Use `{ALL[sources.attr]}`", safety=Safety.UNSAFE, edits=edits)


def _renamed(module: Module, question: Question, sources: ast.Attribute) -> Iterator[Edit]:
    """The name here, and wherever the same function gives the same variables to an optimizer."""
    owner = module.source_of(sources.value)
    for node in ast.walk(question.scope.node):
        if not isinstance(node, ast.Call) or not _applies(node, question.node):
            continue
        for given in node.args:
            if not isinstance(given, ast.Attribute) or given.attr != sources.attr:
                continue
            if module.source_of(given.value) == owner:
                yield module.replace(given, f"{owner}.{ALL[sources.attr]}")


def _applies(call: ast.Call, question: ast.Call) -> bool:
    name = getattr(call.func, "attr", getattr(call.func, "id", None))
    return call is question or name in ("zip", "apply", "apply_gradients", "build")
