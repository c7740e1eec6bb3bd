"""Every example of every rule: the checker, the fixer and the documentation agree."""

import json
import pathlib

import pytest

from graphdoctor.config import Config
from graphdoctor.fixing import fix_text
from graphdoctor.judging import check_module
from graphdoctor.model import Finding, Safety
from graphdoctor.rules import Example, Rule, all_rules
from graphdoctor.rules.rule import HEADINGS, sections
from graphdoctor.source import parse_module, read_notebook_or_source
from graphdoctor.source.files import may_be_traced, may_use_tensorflow

RULES = all_rules()
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.id}-{number}")
    for rule in RULES
    for number, example in enumerate(rule.examples, start=1)
]
# What only a run can know: counts of calls, compilations, numbers, files that changed.
RUN_ONLY = {
    "GD108", "GD112", "GD115", "GD118", "GD119", "GD121", "GD126", "GD131", "GD132", "GD133", "GD199",
    "GD512", "GD515", "GD516",
    "GD517", "GD750", "GD751", "GD752", "GD753", "GD754", "GD755", "GD756", "GD757", "GD758", "GD759",
    "GD900", "GD911",
}  # fmt: skip
FROM_SOURCE = [parameter for parameter in EXAMPLES if parameter.values[0].id not in RUN_ONLY]


def findings(rule: Rule, text: str) -> list:
    return check_module(parse_module("example.py", text), Config(select=(rule.id,)))


@pytest.mark.parametrize(("rule", "example"), FROM_SOURCE)
def test_bad_example_fires_once(rule: Rule, example: Example) -> None:
    assert [finding.rule for finding in findings(rule, example.bad)] == [rule.id]


@pytest.mark.parametrize(("rule", "example"), FROM_SOURCE)
def test_bad_example_passes_the_byte_filter(rule: Rule, example: Example) -> None:
    data = example.bad.encode()
    assert may_use_tensorflow(data)
    assert may_be_traced(data)


@pytest.mark.parametrize(("rule", "example"), FROM_SOURCE)
def test_good_example_is_silent(rule: Rule, example: Example) -> None:
    assert findings(rule, example.good) == []


@pytest.mark.parametrize(("rule", "example"), FROM_SOURCE)
def test_fix_iterations_bad_into_good_and_then_rests(rule: Rule, example: Example) -> None:
    (finding,) = findings(rule, example.bad)
    config = Config(select=(rule.id,))
    fixed, applied = fix_text("example.py", example.bad, config, unsafe=True)
    if finding.fix is None or finding.fix.safety is Safety.MANUAL:
        assert (fixed, applied) == (example.bad, 0)
    else:
        assert fixed == example.good
        assert fix_text("example.py", fixed, config, unsafe=True) == (fixed, 0)


@pytest.mark.parametrize(("rule", "example"), FROM_SOURCE)
def test_places_in_a_notebook_are_those_in_its_cell(
    rule: Rule, example: Example, tmp_path: pathlib.Path
) -> None:
    cells = ["from __future__ import annotations\n\nfirst = 1", example.bad, "last = 1"]
    notebook = {"cells": [{"cell_type": "code", "source": cell} for cell in cells]}
    path = str(tmp_path / "example.ipynb")
    pathlib.Path(path).write_text(json.dumps(notebook))
    module = parse_module(path, read_notebook_or_source(path))
    (in_cell,) = check_module(module, Config(select=(rule.id,)))
    (in_file,) = findings(rule, example.bad)

    def places(finding: Finding) -> list[tuple[int, int, int, int]]:
        edits = finding.fix.edits if finding.fix else ()
        return [(s.line, s.column, s.end_line, s.end_column) for s in (finding, *finding.related, *edits)]

    assert places(in_cell) == places(in_file)
    assert {place.cell for place in (in_cell, *(in_cell.fix.edits if in_cell.fix else ()))} == {2}


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_example_says_how_it_is_proven(rule: Rule, example: Example) -> None:
    proofs = (example.traces, example.output, example.operations, example.graph_bytes, example.raises)
    assert sum(proof is not None for proof in proofs) == 1


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_explains_itself_under_four_headings(rule: Rule) -> None:
    text = sections(rule)
    assert list(text) == ["", *HEADINGS]
    assert all(text.values())


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_file_class_and_name_are_one_name_in_three_spellings(rule: Rule) -> None:
    assert type(rule).__module__.rpartition(".")[2] == rule.name.replace("-", "_")
    assert type(rule).__name__.lower() == rule.name.replace("-", "")


def test_ids_are_unique() -> None:
    folder = pathlib.Path(__file__).parents[1] / "src/graphdoctor/rules"
    classes = [path for path in folder.rglob("*.py") if "(Rule):" in path.read_text(encoding="utf-8")]
    assert len(classes) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_fix_titles_are_short_orders(rule: Rule) -> None:
    for example in rule.examples:
        for finding in findings(rule, example.bad):
            if finding.fix is not None:
                assert len(finding.fix.title.split()) <= 6
                assert not finding.fix.title.endswith(".")
            assert not finding.message.endswith(".")
