"""GD501."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradient_evidence import missing
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.tapes import Tape, find_tapes


class UnwatchedSource(Rule):
    """The gradient with respect to a tensor is None unless the tape watches the tensor.

    What it finds
    `tape.gradient(target, x)` where `x` is a tensor made outside the tape, and `tape.watch(x)` is
    nowhere. From a run also variables that a tape with `watch_accessed_variables=False` was not told of.

    Why it matters
    A tape watches trainable variables by itself and nothing else. For any other tensor the gradient is
    None, without a warning: saliency maps, adversarial examples and physics-informed losses all ask for it.

    How to fix it
    Call `tape.watch(x)` as the first thing in the tape.

    When to leave it
    Never: nobody asks for a None.
    """

    id = "GD501"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                x = tf.constant([1.0, 2.0])
                with tf.GradientTape() as tape:
                    y = tf.reduce_sum(x * x)
                print(tape.gradient(y, x))
                """,
            good="""
                import tensorflow as tf

                x = tf.constant([1.0, 2.0])
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = tf.reduce_sum(x * x)
                print(tape.gradient(y, x))
                """,
            output=("None", "tf.Tensor([2. 4.], shape=(2,), dtype=float32)"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for tape in find_tapes(module):
            told: set[str] = set()
            for question in tape.questions:
                for source in question.source_list:
                    if isinstance(source, ast.Name) and source.id not in told and _unwatched(source, tape):
                        told.add(source.id)
                        traced = module.traced_around(question.scope)
                        yield self.finding(
                            module.span(source),
                            f"`{source.id}` is a tensor that the tape does not watch: its gradient is None",
                            traced.function.ref if traced else None,
                            fix=_fix(module, tape, source.id),
                        )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"not-watched": "Call `tape.watch` first"}, at_call=True)


def _unwatched(source: ast.Name, tape: Tape) -> bool:
    outside = not any(tape.holds(node) for node in tape.bindings(source.id))
    watched = any(
        isinstance(node, ast.Name) and node.id == source.id
        for watch in tape.watches
        for node in ast.walk(watch.node)
    )
    return outside and not watched and kind_of(source, tape.scope) is Kind.TENSOR


def _fix(module: Module, tape: Tape, name: str) -> Fix:
    first = tape.node.body[0]
    if first.lineno == tape.node.lineno:
        return Fix(title=f"Call `{tape.name}.watch({name})` first", safety=Safety.MANUAL)
    indent = " " * first.col_offset
    return Fix(
        title=f"Call `{tape.name}.watch({name})` first",
        safety=Safety.SAFE,
        edits=(module.insert(first.lineno, 1, f"{indent}{tape.name}.watch({name})\n"),),
    )
