"""GD319."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rewriting.bodies import Body
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import blocking, body_at, first_decisions, function_at, span_at


class LoopWithElse(Rule):
    """AutoGraph does not convert a function with `for … else` or `while … else`.

    What it finds
    A loop with an `else` in a function that is traced with AutoGraph and has an `if`, `while` or
    `for` on a tensor.

    Why it matters
    AutoGraph gives up on the whole function with a warning and runs it as it stands. Its tensor
    conditions and loops then raise OperatorNotAllowedInGraphError.

    How to fix it
    Where the loop has no `break`, what stands under `else` simply follows the loop. Otherwise use a
    flag.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD319"
    severity = Severity.ERROR
    reasons = ("for-else", "while-else")
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def total(n):
                    result = tf.constant(0)
                    for i in tf.range(n):
                        result += i
                    else:
                        result += 100
                    return result


                print(total(tf.constant(4)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def total(n):
                    result = tf.constant(0)
                    for i in tf.range(n):
                        result += i
                    result += 100
                    return result


                print(total(tf.constant(4)).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in first_decisions(facts, "loop-else"):
            found = body_at(facts, event.blocked_by)
            loop = found[0].parents.get(found[1]) if found else None
            yield self.finding(
                span_at(facts, event, event.blocked_by),
                blocking(event, "`else` of a loop"),
                function_at(event),
                event=event,
                fix=_fix(found[0], loop) if found and isinstance(loop, ast.For | ast.While) else None,
            )


def _fix(body: Body, loop: ast.For | ast.While) -> Fix:
    """Take the `else` away where nothing breaks out of the loop."""
    breaks = any(isinstance(node, ast.Break) for statement in loop.body for node in ast.walk(statement))
    first, last = loop.orelse[0], loop.orelse[-1]
    keyword = next(
        (
            line
            for line in range(first.lineno - 1, (loop.body[-1].end_lineno or 0), -1)
            if body.home.lines[line - 1].strip() == "else:"
        ),
        None,
    )
    if breaks or keyword is None:
        return Fix(title="Use a flag instead", safety=Safety.MANUAL)
    step = first.col_offset - loop.col_offset
    lines = body.home.lines[keyword : (last.end_lineno or last.lineno)]
    text = "".join(f"{line[step:] if line[:step].isspace() else line}\n" for line in lines)
    edit = body.home.replace_lines(keyword, last.end_lineno or last.lineno, text)
    return Fix(title="Dedent what follows `else`", safety=Safety.SAFE, edits=(edit,))
