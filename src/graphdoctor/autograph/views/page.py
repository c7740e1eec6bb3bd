"""An explanation → a page for a terminal of 100 columns."""

import os
import textwrap

from graphdoctor.autograph.facts import Callee, Explanation, Line, Mark, Outcome, Reason
from graphdoctor.model.words import count, shortened

WIDTH = 100
GUTTER = 14
LEGEND = {
    Mark.GRAPH_LOOP: "a loop of the graph: runs as often as the tensor says",
    Mark.GRAPH_BRANCH: "a branch of the graph: the tensor decides at each call",
    Mark.UNROLLED: "a Python loop: copied into the graph once per iteration",
    Mark.OPERATIONS: "operations that this line put into the graph",
    Mark.CONSTANT: "a value fixed in the graph while tracing",
    Mark.ONCE: "a side effect of Python: happens while tracing, not when the graph runs",
    Mark.PYTHON: "Python that ran while tracing and put nothing into the graph",
    Mark.NOT_RUN: "was not run while tracing: not in the graph",
    Mark.ERROR: "the trace ended here",
}


def render(explanation: Explanation, rules: frozenset[str] = frozenset()) -> str:
    """The page; `rules` are the ids that `graphdoctor rule` can explain."""
    parts = [_head(explanation), _source(explanation.lines)]
    if explanation.failure is not None:
        parts.append(_failure(explanation))
    if explanation.called or explanation.libraries:
        parts.append(_calls(explanation, rules))
    parts.append(_legend(explanation.lines))
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(explanation: Explanation) -> str:
    function = explanation.function
    lines = [f"{function.name}  {function.path}:{function.line}"]
    if explanation.arguments:
        lines += _wrapped(", ".join(explanation.arguments), "  given  ")
    lines += _wrapped(verdict(explanation), "  ")
    if explanation.reason is not None:
        lines += _wrapped(f"remedy{_when(explanation)}: {explanation.reason.remedy}", "  ")
    return "\n".join(lines)


def verdict(explanation: Explanation) -> str:
    """What AutoGraph did with it, and why; how much is in the graph."""
    text = {
        Outcome.CONVERTED: "converted by AutoGraph",
        Outcome.FAILED: "AutoGraph could not convert it",
        Outcome.AS_IS: "not converted by AutoGraph",
        Outcome.NEVER_CALLED: "its body was not run",
    }.get(explanation.outcome, explanation.outcome.value)
    if explanation.reason is not None:
        text += f": {explanation.reason.why}"
    if explanation.failure is None:
        text += f"; {count(explanation.operations, 'operation')} in the graph"
    if explanation.passes > 1:
        text += f"; traced {explanation.passes} times, because it creates Variables"
    return text


def _source(lines: tuple[Line, ...]) -> str:
    margin = len(textwrap.dedent("\n".join(line.text for line in lines)).splitlines()[0])
    cut = len(lines[0].text) - margin if lines else 0
    digits = len(str(lines[-1].number)) if lines else 1
    shown: list[str] = []
    for line in lines:
        text = line.text[cut:].expandtabs(4)
        row = f"{shown_mark(line):<{GUTTER}}{line.number:>{digits}} │ {text}"
        shown.append(shortened(row, WIDTH).rstrip())
        indent = " " * (len(text) - len(text.lstrip()))
        for note in line.notes:
            shown += _wrapped(note, " " * (GUTTER + digits) + f" │ {indent}└ ")
    return "\n".join(shown)


def shown_mark(line: Line) -> str:
    """What stands beside a line."""
    if line.mark is None:
        return ""
    if line.mark is Mark.OPERATIONS:
        return f"{line.count:,} op{'' if line.count == 1 else 's'}"
    if line.mark is Mark.UNROLLED:
        return f"unrolled ×{line.count}"
    if line.mark is Mark.ONCE and line.count > 1:
        return f"traced ×{line.count}"
    return str(line.mark.value)


def _wrapped(text: str, prefix: str) -> list[str]:
    """The text in lines of bearable width; the first carries the prefix, the others its width or its bar."""
    blank = "".join(letter if letter in "│ " else " " for letter in prefix)
    width = max(WIDTH, len(prefix) + 30)
    return textwrap.wrap(
        text, width=width, initial_indent=prefix, subsequent_indent=blank, break_on_hyphens=False
    )


def _failure(explanation: Explanation) -> str:
    failure = explanation.failure
    assert failure is not None
    head = f"The trace ended at {failure.path}:{failure.line}"
    return "\n".join([head, *_wrapped(f"{failure.type}: {failure.message}", "  ")])


def _calls(explanation: Explanation, rules: frozenset[str]) -> str:
    """What was called: the user's functions by what became of them, then the packages."""
    lines = ["Functions it calls, or that these call"]
    groups: dict[tuple[Outcome, Reason | None], list[Callee]] = {}
    for callee in explanation.called:
        groups.setdefault((callee.outcome, callee.reason), []).append(callee)
    for (outcome, reason), callees in sorted(groups.items(), key=lambda group: group[0][1] is not None):
        names = ", ".join(map(named, callees))
        lines += _wrapped(f"{outcome.value}: {names}", "  ")
        if reason is not None:
            rule = f" [{reason.rule}]" if reason.rule in rules else ""
            lines += _wrapped(f"why: {reason.why}{rule}", "    ")
            lines += _wrapped(f"remedy{_when(explanation)}: {reason.remedy}", "    ")
    for library in explanation.libraries:
        package = "Python" if library.package == "builtins" else library.package
        lines += _wrapped(f"{library.outcome.value}: {package}: {', '.join(library.functions)}", "  ")
    return "\n".join(lines)


def _when(explanation: Explanation) -> str:
    """What ran as is does no harm until a tensor decides in it."""
    return "" if explanation.failure is not None else ", where a tensor is to decide"


def named(callee: Callee) -> str:
    """`helper (model.py:12, from line 31)`."""
    function = callee.function
    place = [f"{os.path.basename(function.path)}:{function.line}"] if function.path else []
    lines = [f"from line {', '.join(map(str, callee.lines))}"] if callee.lines else []
    return f"{function.name} ({', '.join(place + lines)})" if place or lines else function.name


def _legend(lines: tuple[Line, ...]) -> str:
    used = [mark for mark in LEGEND if any(line.mark is mark for line in lines)]
    names = {Mark.OPERATIONS: "N ops", Mark.UNROLLED: "unrolled ×N"}
    return "\n".join(f"{names.get(mark, mark.value):<{GUTTER}}{LEGEND[mark]}" for mark in used)
