"""GD105."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.functions import TF_FUNCTION
from graphdoctor.source.names import dotted_name

NEW_NAMES = {"experimental_relax_shapes": "reduce_retracing", "experimental_compile": "jit_compile"}


class DeprecatedOption(Rule):
    """Options of `tf.function` that have another name today.

    What it finds
    `experimental_relax_shapes` and `experimental_compile` given to `tf.function`.

    Why it matters
    They are deprecated and will go; they do the same under their new names, which exist since
    TensorFlow 2.9.

    How to fix it
    `reduce_retracing` and `jit_compile`.

    When to leave it
    While you must still support a TensorFlow older than 2.9.
    """

    id = "GD105"
    severity = Severity.NOTE
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(experimental_relax_shapes=True)
                def total(x):
                    return tf.reduce_sum(x)


                for length in (1, 2, 3, 4):
                    total(tf.ones([length]))
                """,
            good="""
                import tensorflow as tf


                @tf.function(reduce_retracing=True)
                def total(x):
                    return tf.reduce_sum(x)


                for length in (1, 2, 3, 4):
                    total(tf.ones([length]))
                """,
            traces=(2, 2),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        if "experimental_" not in module.text:
            return
        for placed in module.walk.calls:
            call = placed.node
            if not isinstance(call, ast.Call) or dotted_name(call.func, placed.scope) != TF_FUNCTION:
                continue
            given = {keyword.arg for keyword in call.keywords}
            for keyword in call.keywords:
                new = NEW_NAMES.get(keyword.arg or "")
                if new is not None and new not in given:
                    value = module.source_of(keyword.value)
                    yield self.finding(
                        module.span(keyword),
                        f"`{keyword.arg}` is called `{new}` today",
                        fix=Fix(
                            title=f"Write `{new}`",
                            safety=Safety.SAFE,
                            edits=(module.replace(keyword, f"{new}={value}"),),
                        ),
                    )
