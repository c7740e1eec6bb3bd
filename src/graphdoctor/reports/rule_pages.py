"""A rule → its page, for `graphdoctor rule` and for docs/rules/."""

import pathlib
import sys

from graphdoctor.model import Severity
from graphdoctor.rules.registry import own_rules
from graphdoctor.rules.rule import HEADINGS, Example, Rule, sections

MEANING = {
    Severity.ERROR: "raises an error",
    Severity.WRONG: "is silently wrong",
    Severity.SLOW: "costs time or memory",
    Severity.NOTE: "is good to know",
}


def render_page(rule: Rule) -> str:
    """The rule's page as Markdown."""
    text = sections(rule)
    parts = [
        f"# {rule.id} {rule.name}",
        text.get("", ""),
        f"Severity: {' or '.join(f'{each.value} ({MEANING[each]})' for each in _severities(rule))}.",
    ]
    for heading in HEADINGS:
        parts += [f"## {heading}", text.get(heading, "")]
    for number, example in enumerate(rule.examples, start=1):
        title = "Example" if len(rule.examples) == 1 else f"Example {number}"
        parts += [f"## {title}", *_render_example(example)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _severities(rule: Rule) -> tuple[Severity, ...]:
    """What its findings may be, the worst first."""
    return tuple(dict.fromkeys((rule.family, rule.severity)))


def _render_example(example: Example) -> list[str]:
    return [
        f"```python\n{example.bad}```",
        _proof(example),
        f"```python\n{example.good}```",
    ]


def _proof(example: Example) -> str:
    """What TensorFlow does with the two programs, in a sentence; the tests hold it."""
    if example.raises:
        return f"Under TensorFlow this raises `{example.raises}`. Instead:"
    for name, pair in (
        ("traces", example.traces),
        ("operations in the graph", example.operations),
        ("bytes of graph", example.graph_bytes),
    ):
        if pair:
            return f"Under TensorFlow: {pair[0]} {name}. Instead, with {pair[1]}:"
    if example.output:
        bad, good = (" / ".join(text.split("\n")) for text in example.output)
        return f"Under TensorFlow this prints `{bad}`. Instead, this prints `{good}`:"
    return "Instead:"


def render_index() -> str:
    """The table of our own rules."""
    rows = [
        f"| [{rule.id}]({rule.id}.md) | {rule.name} | "
        f"{' or '.join(each.value for each in _severities(rule))} | "
        f"{sections(rule).get('', '').splitlines()[0]} |"
        for rule in own_rules()
    ]
    head = "# Rules\n\nWritten by `make docs` from the rules themselves.\n\n"
    return head + "\n".join(["| id | name | severity | what |", "|---|---|---|---|", *rows]) + "\n"


def write_pages(directory: pathlib.Path) -> None:
    """Write the index and one page per rule; remove pages of rules that are gone."""
    directory.mkdir(parents=True, exist_ok=True)
    pages = {f"{rule.id}.md": render_page(rule) for rule in own_rules()}
    pages["index.md"] = render_index()
    for stale in directory.glob("GD*.md"):
        if stale.name not in pages:
            stale.unlink()
    for name, text in pages.items():
        (directory / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_pages(pathlib.Path(sys.argv[1]))
