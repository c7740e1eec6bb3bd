"""A comparison of eager and graph → a page for a terminal."""

import textwrap
from collections.abc import Mapping, Sequence

from graphdoctor.autograph.eager_comparison.both_modes import CALLS
from graphdoctor.autograph.eager_comparison.comparison import Comparison
from graphdoctor.model import Finding, Severity
from graphdoctor.model.words import count

WIDTH = 100
NAMES = 16


def render_comparison(
    comparison: Comparison, findings: Sequence[Finding] = (), names: Mapping[str, str] | None = None
) -> str:
    """Aspect by aspect, then the rules that explain a difference (`names` by their ids), then the time."""
    function = comparison.explanation.function
    lines = [
        f"{function.name}  {function.path}:{function.line}, {CALLS} calls eagerly and {CALLS} as a graph"
    ]
    for aspect in comparison.aspects:
        verdict = {True: "", False: "DIFFER: ", None: ""}[aspect.equal]
        lines += _row(aspect.name, verdict + aspect.text)
    if not comparison.equal:
        lines += _explained_by(comparison, findings, names or {})
    lines += _time(comparison)
    return "\n".join(lines) + "\n"


def _row(name: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"  {name:<{NAMES}}",
        subsequent_indent=" " * (NAMES + 2),
        break_on_hyphens=False,
    )


def _explained_by(comparison: Comparison, findings: Sequence[Finding], names: Mapping[str, str]) -> list[str]:
    """The rules that the run points at, with the finding of each in the source where there is one."""
    own = {line.number for line in comparison.explanation.lines}
    path = comparison.explanation.function.path
    inside = [finding for finding in findings if finding.line in own and finding.path == path]
    telling = [
        f for f in inside if f.rule in comparison.rules or f.severity in (Severity.WRONG, Severity.ERROR)
    ]
    shown = [f"{finding.rule} {finding.name}, line {finding.line}: {finding.message}" for finding in telling]
    others = [rule for rule in comparison.rules if rule not in {finding.rule for finding in telling}]
    shown += [f"{rule} {names.get(rule, '')}".rstrip() for rule in others]
    if not shown:
        return _row("explained by", "no rule of graphdoctor's; please report it")
    return [
        line for number, text in enumerate(shown) for line in _row("" if number else "explained by", text)
    ]


def _time(comparison: Comparison) -> list[str]:
    eager, graph = comparison.eager_seconds, comparison.graph_seconds
    if eager is None or graph is None:
        return []
    ratio = eager / graph
    faster = (
        f"the graph is {ratio:.1f} times as fast"
        if ratio >= 1
        else f"the graph takes {1 / ratio:.1f} times as long"
    )
    each = eager / max(comparison.operations, 1)
    text = (
        f"{faster}: {_milliseconds(eager)} eagerly, {_milliseconds(graph)} as a graph, "
        f"{count(comparison.operations, 'operation')}, {each * 1e6:,.0f} µs each eagerly"
    )
    return _row("time", text)


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.3g} ms"
