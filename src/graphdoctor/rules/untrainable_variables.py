"""GD508."""

import ast
import re
from collections.abc import Iterator

from graphdoctor.model import Edit, Finding, Fix, Safety, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradient_evidence import missing
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.tapes import Question, find_tapes

ALL = {"variables": "trainable_variables", "weights": "trainable_weights"}
# What makes variables that are not trained; without any of it in the file, all may be trainable.
UNTRAINABLE = re.compile(r"BatchNorm|\btrainable\s*=\s*False\b|\bapplications\b")


class UntrainableVariables(Rule):
    """`model.variables` holds what no gradient exists for; `model.trainable_variables` does not.

    What it finds
    `model.variables` or `model.weights` as the sources of `tape.gradient`, in a file that makes variables
    which are not trained: a batch normalisation, `trainable=False`, a ready-made application. From a
    run: the variables without a gradient because they are not trainable.

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

    def check_source(self, module: Module) -> Iterator[Finding]:
        for tape in find_tapes(module):
            for question in tape.questions:
                sources = question.sources
                if not UNTRAINABLE.search(module.text):
                    return
                if isinstance(sources, ast.Attribute) and sources.attr in ALL:
                    traced = module.traced_around(question.scope)
                    yield self.finding(
                        module.span(sources),
                        f"`{module.source_of(sources)}` holds variables that are not trainable: "
                        "their gradients are None",
                        traced.function.ref if traced else None,
                        fix=Fix(
                            title=f"Use `{ALL[sources.attr]}`",
                            safety=Safety.UNSAFE,
                            edits=tuple(_renamed(module, question, sources)),
                        ),
                    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"not-trainable": "Use `trainable_variables`"}, at_call=True)


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
