"""SARIF against its own schema, with findings of every kind that there is."""

import json
import pathlib
from typing import Any

import jsonschema
import pytest
from test_html import hostile_report

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.model import Report
from graphdoctor.reports.formats import render
from graphdoctor.rules import all_rules

SCHEMA = json.loads((pathlib.Path(__file__).parents[1] / "data" / "sarif-2.1.0.json").read_text("utf-8"))
CELL = (
    "import tensorflow as tf\n\n\n@tf.function\ndef step(x):\n    print('loss', tf.norm(x))\n    return x\n"
)


def sarif(report: Report) -> dict[str, Any]:
    """The one run of the log, which keeps to the schema."""
    log = json.loads(render(report, "sarif"))
    validator = jsonschema.Draft202012Validator(SCHEMA)
    assert [error.message for error in validator.iter_errors(log)] == []
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def test_the_schema_would_object() -> None:
    log = json.loads(render(Report(graphdoctor="0"), "sarif"))
    log["runs"][0]["tool"]["driver"]["name"] = 3
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(log)


def test_the_findings_of_every_rule_keep_to_the_schema(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for rule in all_rules():
        for number, example in enumerate(rule.examples):
            (tmp_path / f"{rule.id} {number}.py").write_text(example.bad, encoding="utf-8")
    report = check_paths(["."], Config())
    run = sarif(report)
    assert len(run["results"]) == len(report.findings) > 70
    described = run["tool"]["driver"]["rules"]
    assert all({"shortDescription", "fullDescription", "help"} <= set(rule) for rule in described)
    assert "GD101%200.py" in render(report, "sarif")


def test_hostile_names_keep_to_the_schema() -> None:
    run = sarif(hostile_report())
    assert len(run["results"]) == 1


@pytest.fixture
def notebook(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    monkeypatch.chdir(tmp_path)
    code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{"cell_type": "markdown", "metadata": {}, "source": "hello"}, {**code, "source": CELL}]
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5}))
    return check_paths(["n.ipynb"], Config())


def test_a_cell_is_named_in_words_because_its_lines_are_not_the_files(notebook: Report) -> None:
    (result,) = sarif(notebook)["results"]
    assert result["message"]["text"].startswith("cell 1, line 6: `print` runs only while")
    assert result["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "n.ipynb"}, "region": {"startLine": 1}}}
    ]
    assert "fixes" not in result
    assert render(notebook, "github").startswith(
        "::error title=WRONG GD201 print-in-graph,file=n.ipynb::cell 1, line 6: `print` runs"
    )


def test_the_page_shows_the_fix_of_a_cell(notebook: Report) -> None:
    page = render(notebook, "html")
    assert '<span class="place">--- a/n.ipynb cell 1\n</span>' in page
    assert '<span class="added">+    tf.print(&#39;loss&#39;, tf.norm(x))\n</span>' in page
    assert 'id="rule-GD201"' in page
