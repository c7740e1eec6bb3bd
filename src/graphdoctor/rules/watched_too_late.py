"""GD513."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradient_evidence import missing
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.scopes import Placed
from graphdoctor.source.tapes import Tape, find_tapes


class WatchedTooLate(Rule):
    """`tape.watch` has no effect on what was computed before it.

    What it finds
    `tape.watch(x)` below a statement of the same tape that computes with `x`. From a run also
    `tape.watch` on a copy of the tensor.

    Why it matters
    The tape records an operation only if one of its inputs is watched at that moment. The gradient
    is None, although `watch` is there.

    How to fix it
    Move `tape.watch(x)` to the top of the block.

    When to leave it
    Never.
    """

    id = "GD513"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                x = tf.constant(3.0)
                with tf.GradientTape() as tape:
                    y = x * x
                    tape.watch(x)
                print(tape.gradient(y, x))
                """,
            good="""
                import tensorflow as tf

                x = tf.constant(3.0)
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = x * x
                print(tape.gradient(y, x))
                """,
            output=("None", "tf.Tensor(6.0, shape=(), dtype=float32)"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for tape in find_tapes(module):
            for watch in tape.watches:
                name = _late(tape, watch)
                if name is not None:
                    traced = module.traced_around(watch.scope)
                    yield self.finding(
                        module.span(watch.node),
                        f"`{name}` is watched only after it was used: the tape does not know what was "
                        "computed before",
                        traced.function.ref if traced else None,
                        fix=_fix(module, tape, watch),
                    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"late": "Watch first"})


def _late(tape: Tape, watch: Placed) -> str | None:
    """The name that is watched below a use of it, in a block that does not give it its value."""
    assert isinstance(watch.node, ast.Call)
    watched = watch.node.args[0] if watch.node.args else None
    if not isinstance(watched, ast.Name) or watch.statement not in tape.node.body:
        return None
    if any(tape.holds(node) for node in tape.bindings(watched.id)):
        return None
    above = tape.node.body[: tape.node.body.index(watch.statement)]
    used = any(
        isinstance(node, ast.Name) and node.id == watched.id
        for statement in above
        if isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign)
        for node in ast.walk(statement)
    )
    others = [w for w in tape.watches if w is not watch and w.node.lineno < watch.node.lineno]  # type: ignore[attr-defined]
    again = any(isinstance(n, ast.Name) and n.id == watched.id for w in others for n in ast.walk(w.node))
    return watched.id if used and not again else None


def _fix(module: Module, tape: Tape, watch: Placed) -> Fix:
    statement, first = watch.statement, tape.node.body[0]
    alone = isinstance(statement, ast.Expr) and statement.value is watch.node
    if not alone or first.lineno == tape.node.lineno or statement.end_lineno != statement.lineno:
        return Fix(title="Watch first", safety=Safety.MANUAL)
    line = module.lines[statement.lineno - 1]
    cut = module.replace_stretch(statement.lineno, 1, statement.lineno + 1, 1, "")
    return Fix(
        title="Watch first", safety=Safety.SAFE, edits=(module.insert(first.lineno, 1, f"{line}\n"), cut)
    )
