"""GD207."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.side_effects import confirmed
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body

METHODS = {"debug", "info", "warning", "error", "critical", "log", "exception"}


class LoggingOfTensor(Rule):
    """`logging` in a traced function speaks while tracing, and shows a symbolic tensor.

    What it finds
    A call of `logging`, `absl.logging` or a logger in a traced function whose arguments hold a tensor.
    Messages without a tensor are left alone: they often announce a trace on purpose.

    Why it matters
    The message appears once per trace, with `Tensor("Sum:0", …)` in place of the value, and never
    again, however often the function is called.

    How to fix it
    `tf.print`, or log outside the function what it returns.

    When to leave it
    When you want to see the symbolic tensor.
    """

    id = "GD207"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import logging
                import sys

                import tensorflow as tf

                logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.INFO)


                @tf.function
                def step(x):
                    loss = tf.reduce_sum(x)
                    logging.info("loss %s", loss)
                    return loss


                for _ in range(3):
                    step(tf.ones([2]))
                """,
            good="""
                import logging
                import sys

                import tensorflow as tf

                logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.INFO)


                @tf.function
                def step(x):
                    return tf.reduce_sum(x)


                for _ in range(3):
                    loss = step(tf.ones([2]))
                    logging.info("loss %s", loss.numpy())
                """,
            output=(
                'loss Tensor("Sum:0", shape=(), dtype=float32)',
                "loss 2.0\nloss 2.0\nloss 2.0",
            ),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call):
                if _is_logging(body, call) and _shows_tensor(body, call):
                    yield self.finding_in(
                        body,
                        call,
                        f"the message appears only while `{body.name}` is traced, with a symbolic tensor",
                        fix=Fix(title="Use `tf.print`", safety=Safety.MANUAL),
                    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from confirmed(self, facts, "the log call")


def _is_logging(body: Body, call: ast.Call) -> bool:
    target = call.func
    if not isinstance(target, ast.Attribute) or target.attr not in METHODS:
        return False
    owner = body.dotted(target.value)
    if owner in ("logging", "absl.logging"):
        return True
    found = body.scope.lookup(target.value.id) if isinstance(target.value, ast.Name) else None
    made = found[1][0].value if found and len(found[1]) == 1 else None
    return isinstance(made, ast.Call) and body.dotted(made.func) == "logging.getLogger"


def _shows_tensor(body: Body, call: ast.Call) -> bool:
    shown = [*call.args]
    shown += [
        part.value for node in call.args for part in ast.walk(node) if isinstance(part, ast.FormattedValue)
    ]
    shown += [node.right for node in call.args if isinstance(node, ast.BinOp)]
    return any(body.kind(node) is Kind.TENSOR for node in shown)
