"""What AutoGraph made of a function, as one page that needs nothing but a browser."""

import base64
from collections.abc import Sequence

import msgspec
from markupsafe import Markup

from graphdoctor.autograph.facts import Callee, Explanation, Line, Mark, Outcome, Reason
from graphdoctor.autograph.views.page import LEGEND, named, shown_mark, verdict
from graphdoctor.model import Report
from graphdoctor.reports.frame import render_frame
from graphdoctor.version import __version__

# The colour of a mark: what is in the graph, what is Python, what is gone.
KINDS = {
    Mark.GRAPH_LOOP: "in-graph",
    Mark.GRAPH_BRANCH: "in-graph",
    Mark.OPERATIONS: "in-graph",
    Mark.UNROLLED: "copied",
    Mark.CONSTANT: "fixed",
    Mark.ONCE: "fixed",
    Mark.PYTHON: "python",
    Mark.NOT_RUN: "python",
    Mark.ERROR: "ended",
}


class View(msgspec.Struct, frozen=True):
    """Another look at the same trace: text in columns, or a drawing (SVG)."""

    title: str
    text: str = ""
    drawing: str = ""

    @property
    def address(self) -> Markup:
        """The drawing as the address of an image, in which no script runs."""
        return Markup("data:image/svg+xml;base64,") + base64.b64encode(self.drawing.encode()).decode()


class Group(msgspec.Struct, frozen=True):
    """Functions of the user's that fared alike."""

    outcome: Outcome
    reason: Reason | None
    callees: tuple[Callee, ...]


def render_explanation(
    explanations: Sequence[Explanation],
    views: Sequence[View] = (),
    rules: frozenset[str] = frozenset(),
    tensorflow: str | None = None,
) -> str:
    """The page of a function, with those that it calls; `rules` are the ids that can be looked up."""
    first = explanations[0]
    return render_frame(
        "explanation.html",
        Report(graphdoctor=__version__, tensorflow=tensorflow),
        title=first.function.name,
        headline=_headline(first),
        explanations=explanations,
        verdict=verdict,
        groups=_groups(first),
        named=named,
        views=views,
        rules=rules,
        kinds=KINDS,
        shown_mark=shown_mark,
        legend=_legend(explanations),
    )


def _headline(explanation: Explanation) -> str:
    text = verdict(explanation)
    return text[:1].upper() + text[1:]


def _groups(explanation: Explanation) -> list[Group]:
    """What was called, by what became of it; what was not converted comes last, with the reason."""
    found: dict[tuple[Outcome, Reason | None], list[Callee]] = {}
    for callee in explanation.called:
        found.setdefault((callee.outcome, callee.reason), []).append(callee)
    groups = [Group(outcome, reason, tuple(callees)) for (outcome, reason), callees in found.items()]
    return sorted(groups, key=lambda group: group.reason is not None)


def _legend(explanations: Sequence[Explanation]) -> list[tuple[Line, str]]:
    """An example line and the meaning of each mark that occurs."""
    lines = [line for explanation in explanations for line in explanation.lines]
    firsts = {mark: next((line for line in lines if line.mark is mark), None) for mark in LEGEND}
    return [(line, LEGEND[mark]) for mark, line in firsts.items() if line is not None]
