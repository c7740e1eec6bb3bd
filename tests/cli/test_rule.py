"""`graphdoctor rule` and the pages made from the rules."""

import pathlib

from tests.cli.commands import graphdoctor

from graphdoctor.reports.rule_pages import render_index, render_page
from graphdoctor.rules import all_rules

DOCS = pathlib.Path(__file__).parents[2] / "docs" / "rules"


def test_a_rule_s_page_by_id_and_by_name(tmp_path: pathlib.Path) -> None:
    by_id = graphdoctor("rule", "GD101", cwd=tmp_path)
    assert by_id.stdout.startswith("# GD101 python-number-argument\n")
    assert graphdoctor("rule", "python-number-argument", cwd=tmp_path).stdout == by_id.stdout


def test_the_list_names_every_rule(tmp_path: pathlib.Path) -> None:
    listed = graphdoctor("rule", cwd=tmp_path).stdout
    assert [line.split()[0] for line in listed.splitlines() if line.startswith("GD")] == [
        rule.id for rule in all_rules()
    ]


def test_an_unknown_rule_is_said(tmp_path: pathlib.Path) -> None:
    done = graphdoctor("rule", "GD9999", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        "graphdoctor: no rule is called GD9999: `graphdoctor rule` lists them\n",
    )


def test_pages_in_docs_are_as_the_rules_say() -> None:
    """When this fails: `make docs`."""
    expected = {f"{rule.id}.md": render_page(rule) for rule in all_rules()}
    expected["index.md"] = render_index()
    written = {p.name: p.read_text(encoding="utf-8") for p in DOCS.glob("*.md") if p.name in expected}
    assert written == expected
    assert {p.name for p in DOCS.glob("GD*.md")} == {name for name in expected if name != "index.md"}
