"""What the last run measured, beside the lines that are still as they ran."""

import dataclasses
import os
import pathlib
from typing import Any

import pytest
from tests.language_client import LanguageClient
from tests.making import at, header, make_recording, make_trace, value, write_recording

from graphdoctor.recording.format import Definition
from graphdoctor.server.evidence import Evidence

TEXT = """import tensorflow as tf


@tf.function
def step(x, step):
    return x * step


for number in range(39):
    step(tf.ones([3]), number)
"""
BESIDE_FUNCTION = (4, "traced 39 ×, 20 s, because `step` is a Python number")
BESIDE_CALL = (10, "38 retraces of `step`, because `step` is a Python number")


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    program = tmp_path / "train.py"
    program.write_text(TEXT)
    os.utime(program, (1000, 1000))
    (tmp_path / ".graphdoctor").mkdir()
    record(tmp_path, "train-1.jsonl", began=2000.0)
    return tmp_path


def record(folder: pathlib.Path, name: str, began: float, traces: int = 39, **more: Any) -> pathlib.Path:
    """A recording of a run of train.py; when it was written is when it began."""
    definition = Definition(name="step", path="train.py", line=4)
    events = [
        make_trace(
            value("step", number), number=number, function=definition, chain=at("train.py", 10), **more
        )
        for number in range(traces)
    ]
    path = folder / ".graphdoctor" / name
    first = header(directory=str(folder), time=began)
    write_recording(path, dataclasses.replace(make_recording(*events), header=first))
    os.utime(path, (began, began))
    return path


def beside(folder: pathlib.Path, text: str = TEXT, evidence: Evidence | None = None) -> list[tuple[int, str]]:
    path = str(folder / "train.py")
    return (evidence or Evidence()).beside(str(folder), path, {path: text})


def test_nothing_is_said_where_the_text_is_another(project: pathlib.Path) -> None:
    assert beside(project, TEXT.replace("x * step", "x + step")) == []
    os.utime(project / "train.py", (3000, 3000))  # written after the run began
    assert beside(project) == []
    (project / "other.py").write_text(TEXT)
    assert Evidence().beside(str(project), str(project / "other.py"), {}) == []


def test_what_was_measured_stands_beside_the_function_and_its_call(project: pathlib.Path) -> None:
    assert beside(project) == [BESIDE_FUNCTION, BESIDE_CALL]


def test_it_moves_with_its_lines_and_goes_with_them(project: pathlib.Path) -> None:
    moved = TEXT.replace("\n\n\n@tf", "\n\n# more\n\n\n@tf")
    assert beside(project, moved) == [(line + 2, text) for line, text in (BESIDE_FUNCTION, BESIDE_CALL)]
    assert beside(project, TEXT.replace("[3]), number", "[4]), number")) == [BESIDE_FUNCTION]


def test_what_ran_is_remembered_when_the_file_is_saved(project: pathlib.Path) -> None:
    evidence = Evidence()
    assert beside(project, TEXT, evidence) == [BESIDE_FUNCTION, BESIDE_CALL]
    changed = TEXT.replace("range(39)", "range(3)")
    (project / "train.py").write_text(changed)
    assert beside(project, changed, evidence) == [BESIDE_FUNCTION, BESIDE_CALL]


def test_the_newest_run_that_went_through_the_file_counts(project: pathlib.Path) -> None:
    record(project, "train-2.jsonl", began=2500.0, traces=1)
    (project / ".graphdoctor" / "broken-3.jsonl").write_text("{")
    assert beside(project) == [(4, "traced 1 ×, 0.5 s")]


def test_the_editor_shows_them(project: pathlib.Path) -> None:
    with LanguageClient(project) as client:
        uri = client.open(project / "train.py")
        lenses = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        titles = [(lens["range"]["start"]["line"] + 1, lens["command"]["title"]) for lens in lenses]
        assert titles == [BESIDE_FUNCTION, BESIDE_CALL]
