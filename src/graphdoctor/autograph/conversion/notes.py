"""What a mark cannot say: which tensor, which value, which branch."""

import ast
import re
from collections import Counter

from graphdoctor.autograph.facts import Mark
from graphdoctor.autograph.traces.noticed import Decision
from graphdoctor.autograph.traces.tracing import Traced
from graphdoctor.model.words import shortened

LONGEST = 60
LONGEST_MESSAGE = 160
# Names that AutoGraph adds to carry `return` and `break`; the user never wrote them.
HIDDEN = ("do_return", "retval_", "break_", "continue_")


def note_for(
    traced: Traced,
    statement: ast.stmt,
    mark: Mark | None,
    count: int,
    decisions: list[Decision],
    operations: Counter[str],
) -> tuple[str, ...]:
    """The notes beneath a line."""
    notes: list[str] = []
    if mark is Mark.ERROR and traced.watch.failed_at is not None:
        error = traced.watch.failed_at[0]
        notes.append(f"{type(error).__name__}: {first_sentence(error)}")
    if isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
        notes += _about_loop(statement, decisions)
    elif isinstance(statement, ast.If):
        notes += _about_branch(statement, decisions)
    else:
        notes += _about_values(traced, statement, mark)
    notes += _about_ternaries(decisions)
    return tuple(notes)


def first_sentence(error: BaseException) -> str:
    """What an error says, without the advice and the places that TensorFlow adds."""
    text = str(error)
    if text.startswith("in user code:"):  # then the stack, and the error itself after the last blank line
        text = text.strip().split("\n\n")[-1].strip().removeprefix(f"{type(error).__name__}: ")
    lines = (line.strip() for line in re.sub(r"\{\{function_node [^}]*\}\}", "", text).splitlines())
    first = next(filter(None, lines), "")
    return first.split(". ")[0].rstrip(".") if len(first) > LONGEST_MESSAGE else first


def _about_loop(statement: ast.For | ast.AsyncFor | ast.While, decisions: list[Decision]) -> list[str]:
    loops = [decision for decision in decisions if decision.kind in ("for", "while")]
    over = statement.test if isinstance(statement, ast.While) else statement.iter
    subject = f"`{_short(over)}`"
    if not loops:
        return []
    first = loops[0]
    if first.staged:
        word = "while" if isinstance(statement, ast.While) else "over"
        return [f"graph loop {word} {subject}, {first.on.text}{_carrying(first)}"]
    kind = f" ({first.on.text})" if first.kind == "for" else ""
    return [f"Python loop over {subject}{kind}: its body stands {_copies(loops)} in the graph"]


def _copies(loops: list[Decision]) -> str:
    total = sum(loop.runs for loop in loops)
    return "once" if total == 1 else f"{total:,} times"


def _carrying(decision: Decision) -> str:
    names = [name for name in decision.variables if not name.startswith(HIDDEN)]
    return f"; carries {', '.join(names)}" if names else ""


def _about_branch(statement: ast.If, decisions: list[Decision]) -> list[str]:
    branches = [decision for decision in decisions if decision.kind == "if"]
    if not branches:
        return []
    first = branches[0]
    subject = f"`{_short(statement.test)}`"
    if first.staged:
        return [f"graph branch on {subject}, {first.on.text}; both sides are in the graph"]
    taken = sorted({decision.on.text for decision in branches})
    return [f"Python branch on {subject}, {' and '.join(taken)} while tracing; fixed in the graph"]


def _about_ternaries(decisions: list[Decision]) -> list[str]:
    return [
        f"graph branch on a conditional expression, {decision.on.text}"
        for decision in decisions[:1]
        if decision.kind == "ternary" and decision.staged
    ]


def _about_values(traced: Traced, statement: ast.stmt, mark: Mark | None) -> list[str]:
    if mark is not Mark.CONSTANT:
        return []
    for path, line in traced.watch.values:
        if line == statement.lineno and path == traced.code.co_filename:
            values = traced.watch.values[(path, line)]
            known = [f"{name} = {value.text}" for name, value in values.items() if value.kind == "python"]
            return [f"{', '.join(known)}, for as long as this graph lives"] if known else []
    return []


def _short(node: ast.expr) -> str:
    return shortened(ast.unparse(node), LONGEST)
