"""`match` on constants → `if` and `elif`."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.module import Module
from graphdoctor.source.surroundings import Body, has_long_texts


def subject_of(node: ast.AST) -> ast.expr | None:
    """What a `match` looks at; None for other statements."""
    return node.subject if isinstance(node, ast.Match) else None


def as_branches(body: Body, node: ast.AST) -> Edit | None:
    """The edit; None where a case is anything but constants, or the subject is not a name."""
    if not isinstance(node, ast.Match) or not isinstance(node.subject, ast.Name):
        return None
    tests = [_test(body, node.subject, case) for case in node.cases]
    home = body.home
    indent = home.lines[node.lineno - 1][: node.col_offset]
    if indent.strip() or has_long_texts(node) or None in tests or "" in tests[:-1] or tests[0] == "":
        return None
    starts = [case.pattern.lineno for case in node.cases] + [(node.end_lineno or node.lineno) + 1]
    inside = home.lines[starts[0] - 1]
    step = len(inside) - len(inside.lstrip()) - len(indent)
    lines = [f"{indent}{comment}" for comment in _comment_after(home, node.subject)]
    lines += [dedented(line, step) for line in home.lines[node.lineno : starts[0] - 1]]
    for number, (case, test) in enumerate(zip(node.cases, tests, strict=True)):
        word = f"{'elif' if number else 'if'} {test}" if test else "else"
        lines.append(f"{indent}{word}{_rest(home, case)}")
        lines += [dedented(line, step) for line in home.lines[starts[number] : starts[number + 1] - 1]]
    return home.replace_lines(node.lineno, node.end_lineno or node.lineno, "\n".join(lines) + "\n")


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


def dedented(line: str, step: int) -> str:
    """A line by some blanks further to the left, where it begins with them."""
    return line[step:] if line[:step].isspace() else line


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
