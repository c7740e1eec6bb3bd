"""GD328."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body

RUNTIME_ERRORS = {
    f"tensorflow.errors.{name}"
    for name in (
        "InvalidArgumentError", "OutOfRangeError", "NotFoundError", "ResourceExhaustedError", "OpError",
        "DataLossError", "AbortedError", "CancelledError", "DeadlineExceededError", "UnavailableError",
        "FailedPreconditionError", "InternalError", "UnknownError",
    )
}  # fmt: skip


class ExceptOfGraphError(Rule):
    """`try`/`except` in a traced function catches nothing that happens when the graph runs.

    What it finds
    `except tf.errors.InvalidArgumentError` (and the like) in a traced function, around operations of
    TensorFlow.

    Why it matters
    The `try` runs while tracing, when no operation computes anything. The error is raised later, when
    the graph runs, outside of the `try`: it is never caught.

    How to fix it
    Catch the error where the graph function is called, or test with an operation beforehand.

    When to leave it
    When the error is raised by Python code while tracing.
    """

    id = "GD328"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def pick(x, index):
                    try:
                        return tf.gather(x, index)
                    except tf.errors.InvalidArgumentError:
                        return tf.constant(0.0)


                print(pick(tf.ones([2]), tf.constant(7)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def pick(x, index):
                    return tf.gather(x, index)


                try:
                    print(pick(tf.ones([2]), tf.constant(7)).numpy())
                except tf.errors.InvalidArgumentError:
                    print(0.0)
                """,
            raises="InvalidArgumentError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for node in body.of(ast.Try):
                for handler in node.handlers:
                    name = _runtime_error(body, handler)
                    if name is not None and _computes(body, node):
                        yield self.finding_in(
                            body,
                            handler.type or handler,
                            f"`{name}` is raised when the graph runs, and this `except` runs while tracing",
                        )


def _runtime_error(body: Body, handler: ast.ExceptHandler) -> str | None:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = [body.dotted(kind) for kind in kinds if kind is not None]
    found = [name for name in names if name in RUNTIME_ERRORS]
    return found[0].rpartition(".")[2] if found and found[0] and len(found) == len(names) else None


def _computes(body: Body, node: ast.Try) -> bool:
    """Whether the block runs operations, and no eager iterator whose end it may wait for."""
    calls = [n for statement in node.body for n in ast.walk(statement) if isinstance(n, ast.Call)]
    names = [body.dotted(call.func) or "" for call in calls]
    waits = any(name in ("builtins.next", "builtins.open") for name in names)
    return any(name.startswith("tensorflow.") for name in names) and not waits
