"""GD511."""

import ast
import textwrap
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.tapes import Question, Tape, find_tapes


class GradientInsideTape(Rule):
    """A persistent tape that is asked inside its own block also records the gradient's operations.

    What it finds
    `tape.gradient` inside the `with` block of its own persistent tape, when no gradient of that
    gradient is asked for.

    Why it matters
    The backward pass is recorded too, for a second derivative that nobody wants: more time, and all
    its intermediate results stay in memory as long as the tape.

    How to fix it
    Ask after the block.

    When to leave it
    When the result is differentiated again.
    """

    id = "GD511"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                def slope(tape, value, x):
                    return tape.gradient(value, x, unconnected_gradients="zero").numpy()


                x = tf.Variable(3.0)
                with tf.GradientTape(persistent=True) as tape:
                    y = x * x
                    gradient = tape.gradient(y, x)
                print(slope(tape, gradient, x))
                """,
            good="""
                import tensorflow as tf


                def slope(tape, value, x):
                    return tape.gradient(value, x, unconnected_gradients="zero").numpy()


                x = tf.Variable(3.0)
                with tf.GradientTape(persistent=True) as tape:
                    y = x * x
                gradient = tape.gradient(y, x)
                print(slope(tape, gradient, x))
                """,
            output=("2.0", "0.0"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for tape in find_tapes(module):
            for question in tape.questions if tape.persistent else ():
                if tape.holds(question.node) and not _differentiated(question, module):
                    traced = module.traced_around(question.scope)
                    yield self.finding(
                        module.span(question.node),
                        f"`{tape.name}` is still recording: it records this gradient as well",
                        traced.function.ref if traced else None,
                        fix=_fix(module, tape, question),
                    )


def _differentiated(question: Question, module: Module) -> bool:
    """Whether what a question gives may be differentiated in its turn; True when that is not plain."""
    statement = question.statement
    names: set[str] = set()
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            names |= {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
    if not names or (isinstance(statement, ast.Assign) and statement.value is not question.node):
        return True
    for tape in find_tapes(module):
        for other in tape.questions:
            used = {node.id for node in ast.walk(other.node) if isinstance(node, ast.Name)}
            if other is not question and used & names:
                return True
        inside = [s for s in tape.node.body if s is not statement and s.lineno > statement.lineno]
        if any(isinstance(n, ast.Name) and n.id in names for s in inside for n in ast.walk(s)):
            return True
    return False


def _fix(module: Module, tape: Tape, question: Question) -> Fix:
    statement = question.statement
    if tape.node.body[-1] is not statement or len(tape.node.body) < 2:
        return Fix(title="Ask after the block", safety=Safety.MANUAL)
    end = statement.end_lineno or statement.lineno
    text = "\n".join(module.lines[statement.lineno - 1 : end])
    moved = textwrap.indent(textwrap.dedent(text), " " * tape.node.col_offset)
    edit = module.replace_stretch(statement.lineno, 1, end, len(module.lines[end - 1]) + 1, moved)
    return Fix(title="Ask after the block", safety=Safety.UNSAFE, edits=(edit,))
