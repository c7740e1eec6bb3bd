"""GD905."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.names import dotted_name

SWITCHES = {
    "tensorflow.config.run_functions_eagerly", "tensorflow.config.experimental_run_functions_eagerly",
}  # fmt: skip


class EagerSwitchedOn(Rule):
    """`run_functions_eagerly(True)` switches all graphs off.

    What it finds
    `tf.config.run_functions_eagerly(True)` without a `False` in the same file to end it, and
    `compile(…, run_eagerly=True)`.

    Why it matters
    It is meant for debugging. Left in, every `tf.function` and every training step runs in Python,
    often several times slower.

    How to fix it
    Take it out when the bug is found.

    When to leave it
    In a test or a notebook that debugs.
    """

    id = "GD905"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                tf.config.run_functions_eagerly(True)


                @tf.function
                def double(x):
                    return x * 2.0


                for _ in range(3):
                    double(tf.ones([2]))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def double(x):
                    return x * 2.0


                for _ in range(3):
                    double(tf.ones([2]))
                """,
            traces=(0, 1),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        if "eagerly" not in module.text:
            return
        switches = [
            (placed.node, _switched(placed.node))
            for placed in module.walk.calls
            if isinstance(placed.node, ast.Call) and dotted_name(placed.node.func, placed.scope) in SWITCHES
        ]
        off_again = any(value is not True for _, value in switches)
        for node, value in switches:
            if value is True and not off_again:
                yield self.finding(module.span(node), "every graph function of the program runs in Python")
        for placed in module.walk.calls:
            call = placed.node
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and call.func.attr == "compile"
            ):
                for keyword in call.keywords:
                    if keyword.arg == "run_eagerly" and _is_true(keyword.value):
                        yield self.finding(module.span(keyword), "every step of this model runs in Python")


def _switched(call: ast.Call) -> object:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return given[0].value if len(given) == 1 and isinstance(given[0], ast.Constant) else None


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True
