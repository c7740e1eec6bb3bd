"""The same text gives the same findings by path, standard input and folder, cold and warm, with any jobs."""

import json
import pathlib
from inspect import cleandoc

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths, check_text
from graphdoctor.model import Level, Report
from tests.scoring import Case, all_cases

OUTSIDE = """
import numpy as np
import tensorflow as tf
data = np.load("data.npy")
@tf.function
def step(x):
    return x.numpy()
step(tf.constant(data))
"""


def findings(report: Report) -> list[object]:
    return [(f.rule, f.place, f.severity, f.confidence, f.message, f.fix) for f in report.findings]


@pytest.mark.parametrize("case", all_cases()[::7], ids=lambda case: case.name)
def test_each_entry_point_reports_the_same(
    case: Case, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = case.program.read_text(encoding="utf-8")
    (tmp_path / "program.py").write_text(text)
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    by_path = findings(check_paths(["program.py"], Config()))
    assert findings(check_text("program.py", text, Config())) == by_path
    assert findings(check_paths(["."], Config(), cache=True)) == by_path
    assert findings(check_paths(["."], Config(), cache=True)) == by_path
    assert findings(check_paths(["."], Config(), jobs=2)) == by_path


def test_an_error_does_not_depend_on_data_that_is_read(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = cleandoc(OUTSIDE) + "\n"
    (tmp_path / "program.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    (by_path,) = check_paths(["program.py"], Config(select=("GD801",))).findings
    (by_text,) = check_text("program.py", text, Config(select=("GD801",))).findings
    assert by_path == by_text
    assert by_path.confidence.level is Level.HIGH


def test_a_text_that_is_not_saved_is_judged_with_its_own_names(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = cleandoc(OUTSIDE) + "\n"
    (tmp_path / "program.py").write_text(text.replace("def step", "undefined()\ndef step"))
    monkeypatch.chdir(tmp_path)
    (found,) = check_text("program.py", text, Config(select=("GD801",))).findings
    assert found.confidence.level is Level.HIGH


def test_the_text_of_a_notebook_is_read_as_its_file_is(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = ["import tensorflow as tf\n%time", cleandoc(OUTSIDE).partition("\n")[2]]
    code = [{"cell_type": "code", "source": cell, "outputs": []} for cell in cells]
    text = json.dumps({"cells": [{"cell_type": "markdown", "source": "# A title"}, *code]})
    (tmp_path / "work.ipynb").write_text(text)
    monkeypatch.chdir(tmp_path)
    by_path = check_paths(["work.ipynb"], Config()).findings
    assert [finding.cell for finding in by_path] == [2]
    assert check_text("work.ipynb", text, Config()).findings == by_path
