"""GD507."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Module
from graphdoctor.source.tapes import Question, Tape, find_tapes


class TapeUsedTwice(Rule):
    """A tape that is not persistent can be asked for one gradient only.

    What it finds
    Two calls of `gradient` (or `jacobian`) on one tape without `persistent=True`, one surely after
    the other, or one call in a loop that does not open the tape anew.

    Why it matters
    The first call frees what the tape has recorded; the second raises RuntimeError.

    How to fix it
    Ask once for all sources, `tape.gradient(loss, [a, b])`, or open the tape with `persistent=True`
    and delete it when done.

    When to leave it
    Never.
    """

    id = "GD507"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"non-persistent GradientTape can only be used to compute one set",
            meaning="this tape was already asked for a gradient, and is not persistent",
            order="Add `persistent=True`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                x = tf.Variable(3.0)
                with tf.GradientTape() as tape:
                    y = x * x
                    z = y * y
                print(tape.gradient(y, x))
                print(tape.gradient(z, x))
                """,
            good="""
                import tensorflow as tf

                x = tf.Variable(3.0)
                with tf.GradientTape(persistent=True) as tape:
                    y = x * x
                    z = y * y
                print(tape.gradient(y, x))
                print(tape.gradient(z, x))
                """,
            raises="RuntimeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for tape in find_tapes(module):
            second = None if tape.persistent else _second(tape, module)
            if second is not None:
                traced = module.traced_around(second.scope)
                yield self.finding(
                    module.span(second.node),
                    f"`{tape.name}` was already asked for a gradient, and is not persistent",
                    traced.function.ref if traced else None,
                    fix=_fix(module, tape),
                )


def _second(tape: Tape, module: Module) -> Question | None:
    """The question that comes surely after another: in the same block, or in a loop of its own."""
    seen: list[Question] = []
    for question in tape.questions:
        if question.scope is not tape.scope:
            continue
        inner = [loop for loop in question.loops if loop not in tape.loops]
        if inner and not any(isinstance(node, ast.Break) for node in ast.walk(inner[0])):
            return question
        if any(_same_block(tape, earlier, question) for earlier in seen):
            return question
        seen.append(question)
    return None


def _same_block(tape: Tape, earlier: Question, later: Question) -> bool:
    """Whether both stand as statements in one list, so that one follows the other; no return between."""
    for block in _blocks(tape.scope.node):
        if earlier.statement in block and later.statement in block:
            between = block[block.index(earlier.statement) : block.index(later.statement)]
            return not any(
                isinstance(s, ast.Return | ast.Raise | ast.With) and s is not tape.node for s in between
            )
    return False


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for inner in ast.walk(node):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(inner, field, None)
            if isinstance(block, list):
                yield block


def _fix(module: Module, tape: Tape) -> Fix:
    text = module.source_of(tape.call)
    separator = ", " if tape.call.args or tape.call.keywords else ""
    if tape.option("persistent", 0) is not None:
        return Fix(title="Add `persistent=True`", safety=Safety.MANUAL)
    edit = module.replace(tape.call, f"{text[:-1].rstrip().rstrip(',')}{separator}persistent=True)")
    return Fix(title="Add `persistent=True`", safety=Safety.SAFE, edits=(edit,))
