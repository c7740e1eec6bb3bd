"""Findings as a piece of HTML, for what shows objects: it needs no script, and no style of the page."""

import html
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphdoctor.model.finding import Finding

CODE = re.compile(r"`([^`\n]+)`")
COLOURS = {"ERROR": "#b3261e", "WRONG": "#b3261e", "SLOW": "#8a5300", "NOTE": "#44546a"}
BOX = "border-left: 4px solid {}; padding: 4px 10px; margin: 4px 0; font-family: sans-serif"


def finding_markup(finding: "Finding") -> str:
    """Severity and rule, the place, the message, and what to do."""
    colour = COLOURS[finding.severity.value]
    where = f"{finding.path}:{finding.line}:{finding.column}"
    lines = [
        f'<strong style="color: {colour}">{finding.severity.value} {html.escape(finding.rule)}</strong> '
        f"{html.escape(finding.name)} <code>{html.escape(where)}</code>",
        _text(finding.message),
    ]
    if finding.fix is not None:
        lines.append(f"fix ({finding.fix.safety.value}): {_text(finding.fix.title)}")
    return f'<div style="{BOX.format(colour)}">{"<br>".join(lines)}</div>'


def findings_markup(findings: Iterable["Finding"], headline: str) -> str:
    """All of them, below a line that says how many."""
    found = "".join(map(finding_markup, findings))
    return f'<div role="note" aria-label="graphdoctor"><div>{html.escape(headline)}</div>{found}</div>'


def _text(message: str) -> str:
    """A text with its names in backticks as code."""
    return CODE.sub(r"<code>\1</code>", html.escape(message))
