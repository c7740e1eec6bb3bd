"""A place in the text → the page of the rule that found something there, or that a comment names."""

import re

from lsprotocol import types

from graphdoctor.reports.rule_texts import rule_text
from graphdoctor.server.diagnostics import Result, standing
from graphdoctor.server.positions import Places, overlap

RULE = re.compile(r"\bGD\d{3}\b")


def hover(result: Result | None, uri: str, places: Places, position: types.Position) -> types.Hover | None:
    """What the findings there say, with the pages of their rules; None where there is nothing."""
    here = types.Range(position, position)
    found = [one for one in result.at(uri) if overlap(one.diagnostic.range, here)] if result else []
    said = [f"**{one.finding.rule}** {one.finding.message}\n\n{standing(one.finding)}" for one in found]
    rules = [one.finding.rule for one in found] or _named(places, position)
    pages = [text.page for text in map(rule_text, dict.fromkeys(rules)) if text is not None]
    if not pages:
        return None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join([*said, *pages])))


def _named(places: Places, position: types.Position) -> list[str]:
    """The rule whose id stands there, as in a `# noqa` comment."""
    if position.line >= len(places.lines):
        return []
    offset = places.offset(position) - places.offset(types.Position(position.line, 0))
    return [
        found[0]
        for found in RULE.finditer(places.lines[position.line])
        if found.start() <= offset <= found.end()
    ]
