"""Trainings of many kinds in which nothing is wrong: `run` says nothing of them but what is true."""

import pathlib

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

FOLDER = pathlib.Path(__file__).parents[1] / "programs" / "healthy"
# A smaller last batch needs a graph of its own, and variables that are made in the first call a second trace
# of it: whether that costs enough to be reported is a matter of the machine.
TRUE = {"GD115", "GD131"}


@pytest.mark.parametrize("program", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_nothing_is_said_but_what_is_true(program: pathlib.Path, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(program.read_text(encoding="utf-8"))
    assert (ran.error, ran.timed_out) == (None, False), ran.output
    assert ran.recording.problems == ()
    assert ran.recording.traces
    assert [(f.rule, f.message) for f in ran.report.findings if f.rule not in TRUE] == []
