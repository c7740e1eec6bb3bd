"""GD323."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rewriting.bodies import Body
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import blocking, body_at, first_decisions, function_at, span_at
from graphdoctor.source import Module


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
    reasons = ("match",)
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

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in first_decisions(facts, "match"):
            found = body_at(facts, event.blocked_by)
            node = found[1] if found and isinstance(found[1], ast.Match) else None
            yield self.finding(
                found[0].home.span(node.subject) if found and node else span_at(facts, event),
                blocking(event, "`match`"),
                function_at(event),
                event=event,
                fix=_fix(found[0], node) if found and node else None,
            )


def _fix(body: Body, node: ast.Match) -> Fix:
    """`if`/`elif` on constants; refused where a case is anything else or the subject is not a name."""
    tests = [_test(body, node.subject, case) for case in node.cases]
    home = body.home
    indent = home.lines[node.lineno - 1][: node.col_offset]
    plain = isinstance(node.subject, ast.Name) and not indent.strip() and not _has_long_texts(node)
    if not plain or None in tests or "" in tests[:-1] or tests[0] == "":
        return Fix(title="Use `if` and `elif`", safety=Safety.MANUAL)
    starts = [case.pattern.lineno for case in node.cases] + [(node.end_lineno or node.lineno) + 1]
    inside = home.lines[starts[0] - 1]
    step = len(inside) - len(inside.lstrip()) - len(indent)
    lines = [f"{indent}{comment}" for comment in _comment_after(home, node.subject)]
    lines += [_dedented(line, step) for line in home.lines[node.lineno : starts[0] - 1]]
    for number, (case, test) in enumerate(zip(node.cases, tests, strict=True)):
        word = f"{'elif' if number else 'if'} {test}" if test else "else"
        lines.append(f"{indent}{word}{_rest(home, case)}")
        lines += [_dedented(line, step) for line in home.lines[starts[number] : starts[number + 1] - 1]]
    edit = home.replace_lines(node.lineno, node.end_lineno or node.lineno, "\n".join(lines) + "\n")
    return Fix(title="Use `if` and `elif`", safety=Safety.SAFE, edits=(edit,))


def _rest(home: Module, case: ast.match_case) -> str:
    """What follows the pattern and its guard on their line, from the colon on."""
    last = case.guard or case.pattern
    span = home.span(last)
    rest = home.lines[home.text_line(span) - 1][span.end_column - 1 :]
    return rest[rest.index(":") :]


def _comment_after(home: Module, subject: ast.expr) -> list[str]:
    """The comment behind `match …:`, if there is one."""
    span = home.span(subject)
    _, mark, comment = home.lines[home.text_line(span) - 1][span.end_column - 1 :].partition("#")
    return [mark + comment] if mark else []


def _dedented(line: str, step: int) -> str:
    return line[step:] if line[:step].isspace() else line


def _has_long_texts(node: ast.Match) -> bool:
    """Whether a text of several lines stands in it, whose lines must not be moved."""
    return any(
        isinstance(part, ast.Constant | ast.JoinedStr) and part.lineno != part.end_lineno
        for part in ast.walk(node)
    )


def _test(body: Body, subject: ast.expr, case: ast.match_case) -> str | None:
    """The condition of a case; empty for `case _`, None when it is more than constants."""
    pattern = case.pattern
    if pattern.lineno != (case.guard or pattern).end_lineno:
        return None
    condition = _condition(body, body.home.source_of(subject), pattern)
    if case.guard is None or condition is None:
        return condition
    guard = body.home.source_of(case.guard)
    return f"({condition}) and ({guard})" if condition else guard


def _condition(body: Body, name: str, pattern: ast.pattern) -> str | None:
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name is None:
        return ""
    if isinstance(pattern, ast.MatchValue):
        return f"{name} == {body.home.source_of(pattern.value)}"
    if isinstance(pattern, ast.MatchSingleton):
        return f"{name} is {pattern.value}"
    if isinstance(pattern, ast.MatchOr):
        several = [_condition(body, name, part) for part in pattern.patterns]
        return " or ".join(text for text in several if text) if all(several) else None
    return None
