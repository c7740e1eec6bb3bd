"""GD211."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body

LOGGERS = {"info", "debug", "warning", "error", "warn"}
SPEAKERS = {"builtins.print", "tensorflow.print"}


class TensorInText(Rule):
    """A tensor put into a Python string shows its name, not its value.

    What it finds
    An f-string, `str(x)` or `"…".format(x)` of a tensor in a traced function. Not in the text of an
    exception, and not in `print` (GD201) or a logger (GD207).

    Why it matters
    The string is made while tracing. It holds `Tensor("add:0", shape=(), dtype=float32)` and is the
    same at each call: all files get one name, all records one label.

    How to fix it
    `tf.strings.format("value {}", x)` or `tf.strings.as_string(x)` make the text when the graph runs.

    When to leave it
    When you want the name of the symbolic tensor.
    """

    id = "GD211"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def label(step):
                    return tf.constant(f"step {step + 1}")


                print(label(tf.constant(4)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def label(step):
                    return tf.strings.format("step {}", step + 1)


                print(label(tf.constant(4)).numpy())
                """,
            output=("b'step Tensor(\"add:0\", shape=(), dtype=int32)'", "b'step 5'"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for node, value in _texts(body):
                if body.kind(value) is Kind.TENSOR and not _is_for_people(body, node):
                    yield self.finding_in(
                        body,
                        node,
                        f"the text holds the name of the symbolic tensor `{body.home.source_of(value)}`, "
                        "not its value",
                        fix=Fix(title="Use `tf.strings.format`", safety=Safety.MANUAL),
                    )


def _texts(body: Body) -> Iterator[tuple[ast.AST, ast.expr]]:
    for part in body.of(ast.FormattedValue):
        yield part, part.value
    for call in body.of(ast.Call):
        if body.dotted(call.func) == "builtins.str" and len(call.args) == 1:
            yield call, call.args[0]
        elif (
            isinstance(call.func, ast.Attribute)
            and call.func.attr == "format"
            and body.kind(call.func.value) is Kind.TEXT
        ):
            yield from ((call, argument) for argument in call.args)


def _is_for_people(body: Body, node: ast.AST) -> bool:
    """Whether the text ends in an exception, an assertion or a message."""
    for outer in body.ancestors(node):
        if isinstance(outer, ast.Raise | ast.Assert):
            return True
        if isinstance(outer, ast.Call):
            target = outer.func
            if body.dotted(target) in SPEAKERS or "debugging" in (body.dotted(target) or ""):
                return True
            if isinstance(target, ast.Attribute) and target.attr in LOGGERS:
                return True
            if any(keyword.arg in ("message", "name", "summarize") for keyword in outer.keywords):
                return True
        if isinstance(outer, ast.stmt):
            return False
    return False
