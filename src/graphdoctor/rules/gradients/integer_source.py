"""GD505."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Edit, Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Gradient
from graphdoctor.rewriting.tapes import Tape
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import Asked, missing
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.names import dotted_name

MAKERS = ("tensorflow.Variable", "tensorflow.constant")


class IntegerSource(Rule):
    """Integers and strings have no gradient: it is None.

    What it finds
    A source of `tape.gradient` that is neither floating point nor complex, such as `tf.Variable(10)`.
    From a run also such a target.

    Why it matters
    `tf.constant(10)` is an int32. TensorFlow says so in one line of its log, and gives None.

    How to fix it
    Write `10.0`, or cast to floating point before the tape.

    When to leave it
    Never.
    """

    id = "GD505"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                x = tf.Variable(10)
                with tf.GradientTape() as tape:
                    y = x * x
                print(tape.gradient(y, x))
                """,
            good="""
                import tensorflow as tf

                x = tf.Variable(10.0)
                with tf.GradientTape() as tape:
                    y = x * x
                print(tape.gradient(y, x))
                """,
            output=("None", "tf.Tensor(20.0, shape=(), dtype=float32)"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"dtype": "Make it floating point"}, at_call=True, fixing=_fix)


def _fix(event: Gradient, asked: Asked) -> Fix | None:
    """Write the literals that the one source is made of as floating point numbers."""
    written = asked.question.source_list
    index = event.sources[0].index if len(event.sources) == 1 else len(written)
    source = written[index] if index < len(written) else None
    literals = _integers(source, asked.tape) if isinstance(source, ast.Name) else []
    edits = tuple(_as_float(asked.module, literal) for literal in literals)
    return Fix(title="Make it floating point", safety=Safety.UNSAFE, edits=edits) if edits else None


def _integers(source: ast.Name, tape: Tape) -> list[ast.Constant]:
    """The integer literals that the source is made of, where the source says so for certain."""
    made = tape.bindings(source.id)
    value = made[0].value if len(made) == 1 and isinstance(made[0], ast.Assign) else None
    if not isinstance(value, ast.Call) or dotted_name(value.func, tape.scope) not in MAKERS:
        return []
    if len(value.args) != 1 or any(keyword.arg == "dtype" for keyword in value.keywords):
        return []
    leaves = [
        node for node in ast.walk(value.args[0]) if not isinstance(node, ast.List | ast.Tuple | ast.Load)
    ]
    literals = [node for node in leaves if isinstance(node, ast.Constant) and type(node.value) is int]
    return literals if literals and len(literals) == len(leaves) else []


def _as_float(module: Module, literal: ast.Constant) -> Edit:
    return module.replace(literal, f"{literal.value!r}.0")
