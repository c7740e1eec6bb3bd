"""Recordings that graphdoctor 0.1.0 wrote, and what it said of them."""

import pathlib

import pytest
from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.judging import judge_recordings
from graphdoctor.model import Report
from graphdoctor.recording import read_recording
from graphdoctor.recording.format import Calls, Escape, Failure, Gradient, SharedTrace, Stale
from graphdoctor.recording.recording import Recording

FOLDER = pathlib.Path(__file__).parents[1] / "data/version-1"
NAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def recording(name: str) -> Recording:
    return read_recording(str(FOLDER / f"{name}.jsonl"))


@pytest.mark.parametrize("name", NAMES)
def test_an_old_recording_is_judged_as_it_was(name: str) -> None:
    then = Report.from_json((FOLDER / f"{name}.json").read_bytes())
    now = judge_recordings((recording(name),), Config())
    assert [(f.rule, f.span, f.message, f.severity) for f in now.findings] == [
        (f.rule, f.span, f.message, f.severity) for f in then.findings
    ]
    assert now.run is not None  # where the seconds went was not reported then
    known = replace(now.run, account=None)
    assert (now.functions, known, now.complete) == (then.functions, then.run, then.complete)


def test_changed_values_say_where_they_were_read_and_by_whom() -> None:
    event = recording("silent").of(Stale)[0]
    assert (event.state.kind, event.state.name, event.then.text) == ("global", "rate", "1.0")
    assert event.function.name == "step"
    assert event.chain[-1].place.path == "silent.py"


def test_leaks_gradients_and_shared_traces_are_kept() -> None:
    read = recording("silent")
    (escape,), (gradient,), (shared,) = read.of(Escape), read.of(Gradient), read.of(SharedTrace)
    assert (escape.state.kind, escape.state.holder, escape.again) == ("list", "list `kept`", True)
    assert (gradient.reason, gradient.operation) == ("operation", "Round")
    assert gradient.broken is not None
    assert gradient.broken.line < gradient.chain[-1].place.line
    assert (shared.then.text, shared.now.text, shared.calls) == ("1", "1.0", 1)
    assert {count.calls for count in read.of(Calls)} == {2, 4}


def test_the_error_of_a_trace_and_the_end_of_the_program_are_failures() -> None:
    read = recording("failing")
    assert [failure.trace for failure in read.of(Failure)] == [1, 2, 0]
    (crash,) = read.deaths
    assert crash.type == "OperatorNotAllowedInGraphError"
