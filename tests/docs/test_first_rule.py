"""The tutorial of the first rule: its code is a rule that finds what the page says."""

import pathlib
import re

from tests.checking import recorded

from graphdoctor.rules import Rule
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import HEADINGS, sections

PAGE = pathlib.Path(__file__).parents[2] / "docs/first-rule.md"
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_rule_of_the_tutorial_finds_its_bad_example_and_not_its_good_one() -> None:
    program, code, _ = PROGRAMS
    names: dict[str, type[Rule]] = {}
    exec(compile(code, str(PAGE), "exec"), names)
    rule = names["SignatureMissing"]()
    assert set(HEADINGS) <= set(sections(rule))
    (example,) = rule.examples
    assert example.bad in program
    found = [list(rule.judge(Facts([recorded(text)]))) for text in (program, example.good)]
    assert [[finding.message for finding in each] for each in found] == [
        ["`total` is traced here, and has no `input_signature`"],
        [],
    ]
    ((finding,), _) = found
    assert f"total.py:{finding.line}:{finding.column} NOTE GD134 signature-missing" in PAGE.read_text(
        encoding="utf-8"
    )


def test_the_id_of_the_tutorial_is_free() -> None:
    decided = (PAGE.parent / "rules" / "README.md").read_text(encoding="utf-8")
    assert "GD134" in PAGE.read_text(encoding="utf-8")
    assert "| GD134 |" not in decided
