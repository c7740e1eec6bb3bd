"""The report page without a browser: what stands in it, and that nothing of the program's is markup."""

import html.parser
import json
import pathlib
import re

import pytest
from tests.making import at, make_recording, make_trace, tensor, value

from graphdoctor.config import Config
from graphdoctor.judging import check_paths, judge_recordings
from graphdoctor.model import Finding, Fix, Report, RunSummary, Safety, Severity
from graphdoctor.recording.format import Definition
from graphdoctor.reports.formats import render, write_report

HOSTILE = "</script><img src=x onerror=alert(1)><b>`&\"'"


class Elements(html.parser.HTMLParser):
    """The elements of a page with their attributes, and the texts of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.scripts: list[str] = []
        self._in_script = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += attributes
        self._in_script = tag == "script"

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.scripts.append(data)


def parsed(page: str) -> Elements:
    elements = Elements()
    elements.feed(page)
    return elements


def hostile_report() -> Report:
    function = Definition(name=HOSTILE, path=f"{HOSTILE}.py", line=3)
    traces = [
        make_trace(
            tensor(HOSTILE, 3),
            value("mode", f"{HOSTILE}{number}"),
            function=function,
            chain=at(f"{HOSTILE}.py", 9, HOSTILE),
        )
        for number in range(3)
    ]
    report = judge_recordings((make_recording(*traces),), Config())
    finding = Finding(
        rule="GD101",
        name=HOSTILE,
        severity=Severity.SLOW,
        message=HOSTILE,
        path=f"{HOSTILE}.py",
        line=1,
        column=1,
        end_line=1,
        end_column=1,
        argument=HOSTILE,
        fix=Fix(title=HOSTILE, safety=Safety.MANUAL),
    )
    assert report.run is not None
    return Report(
        graphdoctor=HOSTILE,
        tensorflow=HOSTILE,
        findings=(finding, *report.findings),
        functions=report.functions,
        run=RunSummary(seconds=1, traces=3, tracing_seconds=1, remarks=(HOSTILE,)),
        details=report.details,
    )


def test_names_and_values_with_markup_stay_text() -> None:
    page = parsed(render(hostile_report(), "html"))
    assert "img" not in page.names
    assert page.names.count("script") == 2
    assert [name for name, _ in page.attributes if name.startswith("on")] == []
    data = json.loads(page.scripts[0])
    assert data["functions"][0]["name"] == HOSTILE


def test_the_page_needs_nothing_from_elsewhere() -> None:
    page = render(hostile_report(), "html")
    found = [
        (name, text)
        for name, text in parsed(page).attributes
        if name in ("src", "href", "action") and not (text or "").startswith("#")
    ]
    assert found == []
    assert re.findall(r"@import|url\(", page) == []


def test_half_characters_and_controls_are_spelled_out(tmp_path: pathlib.Path) -> None:
    trace = make_trace(function=Definition(name="f\ud800\u202e\x1b", path="t.py", line=1))
    write_report(judge_recordings((make_recording(trace),), Config()), str(tmp_path / "r.html"))
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "f\\ud800\\u202e\\x1b" in page
    assert re.findall("[\u202e\x1b]", page) == []


def test_data_hold_the_differences_of_every_trace() -> None:
    traces = [make_trace(value("step", number), tensor("x", 4)) for number in (7, 8)]
    page = parsed(render(judge_recordings((make_recording(*traces),), Config()), "html"))
    data = json.loads(page.scripts[0])
    columns = data["traces"]
    assert [cause["words"] for cause in data["causes"]] == ["`step` is a Python value"]
    assert columns["cause"] == [-1, 0]
    cause, before, now = columns["differences"][1]
    assert (cause, data["texts"][before], data["texts"][now]) == (0, "7", "8")
    assert data["texts"][columns["note"][0]] == "step: 7, x: float32[4]"
    assert data["texts"][columns["site"][1]] == "train.py:9"


TRAINER = """import tensorflow as tf


@tf.function
def step(x):
    print("loss", x)
    return x
"""


def test_a_check_shows_source_mark_and_fix(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(TRAINER)
    report = check_paths(["train.py"], Config())
    assert [finding.rule for finding in report.findings] == ["GD219"]
    page = render(report, "html")
    assert "1 finding in 1 file" in page
    assert "<mark>print(&#34;loss&#34;, x)</mark>" in page
    assert '<span class="removed">-    print(&#34;loss&#34;, x)\n</span>' in page
    assert '<span class="added">+    tf.print(&#34;loss&#34;, x)\n</span>' in page
    assert 'id="line-train.py-6"' in page


def test_a_file_that_is_gone_is_said_to_be() -> None:
    page = render(judge_recordings((make_recording(make_trace()),), Config()), "html")
    assert "This file cannot be read from here." in page
