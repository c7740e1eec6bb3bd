"""Code that a project has several times is reported once; first what is not the same."""

import json
from inspect import cleandoc
from pathlib import Path

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.judging.copies import COPY
from graphdoctor.judging.same_cause import grouped
from graphdoctor.model import Finding

STEP = """
import random
import tensorflow as tf

@tf.function
def step(x):
    return x * random.random()

for _ in range(3):
    step(tf.ones([2]))
"""
OTHER = STEP.replace("def step(x):", "def step(x):\n    x = x + 1.0")
ELSEWHERE = STEP.replace("import random", "import random\n\nRATE = 0.5")
TWICE = STEP.replace("step", "first") + STEP.replace("step", "first")


def reported(folder: Path, **files: str) -> list[Finding]:
    """What `check` prints of some files."""
    for name, text in files.items():
        (folder / name.replace("_py", ".py").replace("_ipynb", ".ipynb")).write_text(text)
    return [each for each in grouped(check_paths([str(folder)], Config())).findings if each.rule == "GD208"]


def places(finding: Finding) -> list[str]:
    return [Path(related.path).name for related in finding.related if related.message == COPY]


def notebook(*cells: str) -> str:
    code = [{"cell_type": "code", "source": cell, "outputs": [], "execution_count": None} for cell in cells]
    return json.dumps({"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.mark.parametrize("other", [OTHER, STEP.replace("step", "train")], ids=["other lines", "another name"])
def test_other_code_is_another_finding(tmp_path: Path, other: str) -> None:
    assert [places(each) for each in reported(tmp_path, a_py=STEP, b_py=other)] == [[], []]


def test_two_places_of_one_file_are_no_copies(tmp_path: Path) -> None:
    assert [places(each) for each in reported(tmp_path, a_py=TWICE)] == [[], []]


@pytest.mark.parametrize("copy", [STEP, ELSEWHERE], ids=["whole", "on other lines"])
def test_a_copy_is_reported_with_the_first(tmp_path: Path, copy: str) -> None:
    (finding,) = reported(tmp_path, a_py=STEP, b_py=copy, c_py=OTHER)[:1]
    assert Path(finding.path).name == "a.py"
    assert places(finding) == ["b.py"]


def test_copies_of_cells(tmp_path: Path) -> None:
    cell = cleandoc(STEP)
    found = reported(tmp_path, a_ipynb=notebook(cell), b_ipynb=notebook("print(1)", cell))
    assert [places(each) for each in found] == [["b.ipynb"]]


def test_the_fix_fixes_the_copies_too(tmp_path: Path) -> None:
    (finding,) = reported(tmp_path, a_py=STEP, b_py=STEP)
    assert finding.fix is not None
    assert {Path(edit.path).name for edit in finding.fix.edits} == {"a.py", "b.py"}


def test_a_file_that_is_gone_by_then_is_reported_by_itself(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(STEP)
    report = check_paths([str(tmp_path)], Config())
    (tmp_path / "b.py").unlink()
    assert len([each for each in grouped(report).findings if each.rule == "GD208"]) == 2
