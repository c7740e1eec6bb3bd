"""GD504."""

import ast
import functools
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.gradients import SURROGATES
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradient_evidence import missing
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope
from graphdoctor.source.tapes import breaking, find_tapes

# Run on TensorFlow 2.21: each of these gives None, not zeros (`tf.sign` gives zeros).
WITHOUT = {
    "argmax": "ArgMax", "argmin": "ArgMin", "round": "Round", "floor": "Floor", "equal": "Equal",
    "not_equal": "NotEqual", "greater": "Greater", "greater_equal": "GreaterEqual", "less": "Less",
    "less_equal": "LessEqual", "one_hot": "OneHot", "argsort": "TopKV2",
    "random.categorical": "Multinomial",
}  # fmt: skip
IN_MATH = {"rint": "Rint", "ceil": "Ceil", "floordiv": "FloorDiv"}
OPERATIONS = {
    **{f"tensorflow.{name}": kind for name, kind in WITHOUT.items()},
    **{f"tensorflow.math.{name}": kind for name, kind in {**WITHOUT, **IN_MATH}.items()},
}
REASONS = ("operation", "stopped", "custom")


class OperationWithoutGradient(Rule):
    """An operation on the path has no gradient: argmax, rounding, a comparison, a cast to integers.

    What it finds
    In a tape, a target that comes wholly through such an operation. From a run: the first one on the
    way from the target to each source, with its line, and also `tf.stop_gradient` and
    custom gradients that give None.

    Why it matters
    The values of these operations do not change smoothly, or are no floating point numbers at all:
    TensorFlow gives None for everything before them, and "No gradients provided for any variable".

    How to fix it
    Put a smooth stand-in in its place: softmax for argmax, a sigmoid for a comparison, the
    straight-through trick for rounding. The finding names the usual one.

    When to leave it
    When nothing before the operation is to be trained.
    """

    id = "GD504"
    severity = Severity.WRONG
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
                    hits = tf.sigmoid(10.0 * (w - 0.5))
                    loss = tf.reduce_mean(hits)
                print(tape.gradient(loss, w))
                """,
            output=("None", "tf.Tensor([1.25 1.25], shape=(2,), dtype=float32)"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for tape in find_tapes(module):
            told: set[int] = set()
            for question in tape.questions:
                for found in breaking(tape, question.target, functools.partial(_has_none, tape.scope)):
                    if id(found) not in told:
                        told.add(id(found))
                        traced = module.traced_around(tape.scope)
                        yield self.finding(
                            module.span(found),
                            f"`{module.source_of(found)}` has no gradient, and the whole target comes "
                            f"through it{_instead(_operation(found, tape.scope))}",
                            traced.function.ref if traced else None,
                            fix=Fix(title="Use a differentiable stand-in", safety=Safety.MANUAL),
                        )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        titles = {
            "operation": "Use a differentiable stand-in",
            "stopped": "Remove `tf.stop_gradient`",
            "custom": "Return a gradient",
        }
        yield from missing(self, facts, titles)


def _has_none(scope: Scope, node: ast.expr) -> bool:
    return _operation(node, scope) is not None


def _operation(node: ast.expr, scope: Scope) -> str | None:
    """The kind of operation without a gradient that an expression is."""
    if isinstance(node, ast.Compare):
        kinds = {ast.Gt: "Greater", ast.GtE: "GreaterEqual", ast.Lt: "Less", ast.LtE: "LessEqual",
                 ast.Eq: "Equal", ast.NotEq: "NotEqual"}  # fmt: skip
        return kinds.get(type(node.ops[0])) if len(node.ops) == 1 else None
    if not isinstance(node, ast.Call):
        return None
    name = dotted_name(node.func, scope) or ""
    if name == "tensorflow.cast":
        given = node.args[1:2] or [k.value for k in node.keywords if k.arg == "dtype"]
        dtype = dotted_name(given[0], scope) if given else None
        return (
            "Cast"
            if dtype and dtype.startswith(("tensorflow.int", "tensorflow.uint", "tensorflow.bool"))
            else None
        )
    return OPERATIONS.get(name)


def _instead(kind: str | None) -> str:
    stand_in = SURROGATES.get(kind or "")
    return f"; usual instead: {stand_in}" if stand_in else ""
