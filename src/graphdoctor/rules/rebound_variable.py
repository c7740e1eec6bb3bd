"""GD506."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradient_evidence import missing
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.tapes import Tape, find_tapes

ASSIGN = {ast.Add: "assign_add", ast.Sub: "assign_sub"}


class ReboundVariable(Rule):
    """`x = x + 1` puts a tensor where a variable was, and the tape does not watch tensors.

    What it finds
    A name that holds a `tf.Variable`, is given the result of a computation with itself, and is a source
    of `tape.gradient`.

    Why it matters
    The first step works; from the second on the name holds a tensor and the gradient is None.
    Nothing is trained any more, because the variable itself never changed.

    How to fix it
    Change the variable in place: `x.assign_add(1)`, `x.assign_sub(rate * gradient)`.

    When to leave it
    When the name is meant to become a tensor; give the tensor a name of its own then.
    """

    id = "GD506"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                x = tf.Variable(2.0)
                for step in range(2):
                    with tf.GradientTape() as tape:
                        y = x * x
                    gradient = tape.gradient(y, x)
                    print(gradient)
                    x = x + 1.0
                """,
            good="""
                import tensorflow as tf

                x = tf.Variable(2.0)
                for step in range(2):
                    with tf.GradientTape() as tape:
                        y = x * x
                    gradient = tape.gradient(y, x)
                    print(gradient)
                    x.assign_add(1.0)
                """,
            output=(
                "tf.Tensor(4.0, shape=(), dtype=float32)\nNone",
                "tf.Tensor(4.0, shape=(), dtype=float32)\ntf.Tensor(6.0, shape=(), dtype=float32)",
            ),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        told: set[int] = set()
        for tape in find_tapes(module):
            for question in tape.questions:
                for source in question.source_list:
                    rebound = _rebound(source, tape) if isinstance(source, ast.Name) else None
                    if rebound is not None and id(rebound) not in told and isinstance(source, ast.Name):
                        told.add(id(rebound))
                        traced = module.traced_around(question.scope)
                        yield self.finding(
                            module.span(rebound),
                            f"`{source.id}` was a variable and is a tensor after this line: "
                            "its next gradient is None",
                            traced.function.ref if traced else None,
                            fix=_fix(module, rebound, source.id),
                        )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"rebound": "Use `assign`"})


def _rebound(source: ast.Name, tape: Tape) -> ast.Assign | None:
    assigned = [node for node in tape.bindings(source.id) if isinstance(node, ast.Assign)]
    if not any(kind_of(node.value, tape.scope) is Kind.VARIABLE for node in assigned):
        return None
    for node in assigned:
        again = any(isinstance(part, ast.Name) and part.id == source.id for part in ast.walk(node.value))
        if again and isinstance(node.value, ast.BinOp) and len(node.targets) == 1:
            return node
    return None


def _fix(module: Module, statement: ast.Assign, name: str) -> Fix:
    value = statement.value
    method = ASSIGN.get(type(value.op)) if isinstance(value, ast.BinOp) else None
    if isinstance(value, ast.BinOp) and method and isinstance(value.left, ast.Name) and value.left.id == name:
        text = f"{name}.{method}({module.source_of(value.right)})"
        return Fix(title=f"Use `{method}`", safety=Safety.UNSAFE, edits=(module.replace(statement, text),))
    text = f"{name}.assign({module.source_of(value)})"
    return Fix(title="Use `assign`", safety=Safety.UNSAFE, edits=(module.replace(statement, text),))
