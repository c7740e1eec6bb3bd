"""Ordinary training programs, in which nothing goes silently wrong, give none of its findings."""

import pathlib

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

FOLDER = pathlib.Path(__file__).parents[1] / "programs" / "ordinary"
SILENT_WRONGS = {"GD121", "GD126", "GD212", "GD214", "GD215"}


@pytest.mark.parametrize("calls", [False, True], ids=["default", "calls"])
@pytest.mark.parametrize("program", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_nothing_is_said(program: pathlib.Path, calls: bool, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(program.read_text(encoding="utf-8"), calls=calls)
    assert ran.error is None, ran.output
    assert ran.recording.problems == ()
    assert ran.recording.traces
    assert [f.message for f in ran.report.findings if f.rule in SILENT_WRONGS] == []
