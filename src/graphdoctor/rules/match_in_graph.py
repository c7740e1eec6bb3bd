"""GD323."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.unconverted import first_decision


class MatchInGraph(Rule):
    """AutoGraph does not convert a function with `match`.

    What it finds
    A `match` statement in a function that is traced with AutoGraph and has an `if`, `while` or `for`
    on a tensor.

    Why it matters
    AutoGraph (2.21) does not know `match`. It leaves the whole function as it stands, with a warning,
    and its tensor conditions raise OperatorNotAllowedInGraphError.

    How to fix it
    `if`/`elif`. The fix does so where the cases are constants.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD323"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def scale(x, mode):
                    match mode:
                        case "double":
                            x = x * 2.0
                        case _:
                            x = x * 1.0
                    if tf.reduce_sum(x) > 1.0:
                        x = x / 4.0
                    return x


                print(scale(tf.ones([2]), "double").numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def scale(x, mode):
                    if mode == "double":
                        x = x * 2.0
                    else:
                        x = x * 1.0
                    if tf.reduce_sum(x) > 1.0:
                        x = x / 4.0
                    return x


                print(scale(tf.ones([2]), "double").numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for node in body.of(ast.Match):
                decision = first_decision(body)
                if decision is not None:
                    yield self.finding_in(
                        body,
                        node.subject,
                        f"`match` keeps AutoGraph from converting `{body.name}`, whose {decision.what} "
                        f"on line {getattr(decision.node, 'lineno', 0)} needs it",
                        fix=_fix(body, node),
                    )


def _fix(body: Body, node: ast.Match) -> Fix:
    """`if`/`elif` on constants; refused where a case is anything else or the subject is not a name."""
    tests = [_test(body, node.subject, case) for case in node.cases]
    last_only = all(test != "" for test in tests[:-1])
    if None in tests or not isinstance(node.subject, ast.Name) or not last_only or tests[0] == "":
        return Fix(title="Use `if` and `elif`", safety=Safety.MANUAL)
    home = body.home
    indent = " " * node.col_offset
    lines = []
    for number, (case, test) in enumerate(zip(node.cases, tests, strict=True)):
        word = "if" if number == 0 else "elif"
        lines.append(f"{indent}{word} {test}:" if test else f"{indent}else:")
        first = case.body[0]
        step = first.col_offset - node.col_offset - 4
        for line in home.lines[case.pattern.lineno : (case.body[-1].end_lineno or first.lineno)]:
            lines.append(line[step:] if line[:step].isspace() else line)
    text = "\n".join(lines) + "\n"
    edit = home.replace_lines(node.lineno, node.end_lineno or node.lineno, text)
    return Fix(title="Use `if` and `elif`", safety=Safety.SAFE, edits=(edit,))


def _test(body: Body, subject: ast.expr, case: ast.match_case) -> str | None:
    """The condition of a case; empty for `case _`, None when it is more than constants."""
    name = body.home.source_of(subject)
    pattern = case.pattern
    if case.guard is not None or case.body[0].lineno == pattern.lineno:
        return None
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name is None:
        return ""
    if isinstance(pattern, ast.MatchValue) and isinstance(pattern.value, ast.Constant):
        return f"{name} == {body.home.source_of(pattern.value)}"
    if isinstance(pattern, ast.MatchSingleton):
        return f"{name} is {pattern.value}"
    return None
