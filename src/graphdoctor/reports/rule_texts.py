"""What the rules say of themselves, for reports that are read where no graphdoctor is at hand."""

import msgspec

from graphdoctor.model import Report


class RuleText(msgspec.Struct, frozen=True):
    """A rule's summary, its text by heading, and its whole page as Markdown."""

    id: str
    name: str
    summary: str
    sections: dict[str, str]
    page: str


def rule_text(identifier: str) -> RuleText | None:
    """The text of a rule; None for one that this version does not know."""
    # All rules are loaded here: only reports that need their texts pay for it.
    from graphdoctor.reports.rule_pages import render_page
    from graphdoctor.rules.registry import find_rule
    from graphdoctor.rules.rule import HEADINGS, sections

    rule = find_rule(identifier)
    if rule is None:
        return None
    text = sections(rule)
    headed = {heading: text[heading] for heading in HEADINGS if heading in text}
    return RuleText(rule.id, rule.name, text.get("", "").replace("\n", " "), headed, render_page(rule))


def rule_texts(report: Report) -> tuple[RuleText, ...]:
    """The texts of the rules that found something."""
    found = (rule_text(identifier) for identifier in sorted({finding.rule for finding in report.findings}))
    return tuple(text for text in found if text is not None)
