"""Recordings of several processes: one history per function, and who kept whom waiting."""

import dataclasses
import pathlib

import pytest
from tests.making import header, make_recording, make_trace, tensor, thing, value, write_recording

from graphdoctor.config import Config
from graphdoctor.errors import RecordingError
from graphdoctor.judging import judge_recordings
from graphdoctor.recording import Recording, Selection, Trace, find_recordings, histories
from graphdoctor.recording.processes import summarise_processes, wall_seconds
from graphdoctor.recording.selection import WARM_UP
from graphdoctor.reports.run import process_lines


def process(number: int, *traces: Trace, time: float = 0.0, worker: str = "", **end: object) -> Recording:
    recording = make_recording(*traces, **end)
    return dataclasses.replace(recording, header=header(process=number, time=time, worker=worker))


def steps(*values: int) -> list[Trace]:
    return [make_trace(value("step", number), number=index + 1) for index, number in enumerate(values)]


def test_retraces_are_explained_within_their_process() -> None:
    (history,) = histories([process(1, *steps(0, 1)), process(2, *steps(5, 6, 7), calls=9)])
    assert len(history.traces) == 5
    assert [retrace.differences[0].before for retrace in history.retraces] == ["0", "5", "6"]
    assert (history.objects, history.calls, history.counted_traces) == (2, 9, 3)


def test_objects_of_different_processes_are_different_objects() -> None:
    traces = [make_trace(thing("config", 1), number=1), make_trace(thing("config", 2), number=2)]
    first, second = process(1, *traces, dead_objects=(1,)), process(2, *traces)
    (history,) = histories([first, second])
    identities = {trace.arguments[0].identity for trace in history.traces}
    assert len(identities) == 4
    assert len(history.dead_objects & identities) == 1
    numbers = {trace.number for trace in history.traces}
    assert {retrace.trace.number for retrace in history.retraces} < numbers
    assert all(retrace.trace in history.traces for retrace in history.retraces)


def test_the_warm_up_is_per_process() -> None:
    told = histories([process(1, *steps(0, 1, 2)), process(2, *steps(0, 1))])
    (history,) = Selection(warmup=2).apply(told)
    assert [retrace.label for retrace in history.retraces] == [WARM_UP, None, WARM_UP]


def test_selection_by_path() -> None:
    told = histories([make_recording(make_trace(tensor("x", 1)))])
    covers = {
        ("train.py",): True,
        ("*.py",): True,
        ("tests/*",): False,
    }
    for include, covered in covers.items():
        assert len(Selection(include=include).apply(told)) == covered
        assert len(Selection(exclude=include).apply(told)) == (not covered)
    assert Selection(include=("models",)).covers("models/layers.py")
    assert not Selection(include=("models",)).covers("models2/layers.py")


def at(start: float, seconds: float, **changes: object) -> Trace:
    return make_trace(start=start, seconds=seconds, own_seconds=seconds, **changes)


def test_the_one_that_traces_alone_longest_comes_first() -> None:
    quick = process(11, at(1.0, 2.0), time=100.0, worker="worker 0")
    slow = process(12, at(0.0, 1.0), at(2.0, 5.0), at(2.5, 1.0, trace=2), time=101.0, worker="worker 1")
    first, second = summarise_processes([quick, slow])
    assert (first.process, first.tracing_seconds, first.alone_seconds) == (12, 6.0, 5.0)
    assert (second.process, second.tracing_seconds, second.alone_seconds) == (11, 2.0, 1.0)
    run = judge_recordings((quick, slow), Config()).run
    assert run is not None
    assert process_lines(run) == [
        "process 12 (worker 1) traced alone for 5.0 s: where processes step together, 1 other process "
        "waited for it",
        "process 12 (worker 1): 3 traces, 6.0 s of 10 s",
        "process 11 (worker 0): 1 trace, 2.0 s of 10 s",
    ]


def test_the_wall_s_time_is_not_added_up() -> None:
    assert wall_seconds([process(1, time=0.0), process(2, time=5.0), process(3, time=100.0)]) == 25.0


def test_one_process_needs_no_comparison() -> None:
    report = judge_recordings((process(1, *steps(0)),), Config())
    assert report.run is not None
    assert report.run.processes == ()
    assert process_lines(report.run) == []


def test_remarks_say_which_process() -> None:
    early = dataclasses.replace(process(7, *steps(0)), events=tuple(steps(0)))
    report = judge_recordings((process(1, *steps(0)), early), Config())
    assert report.run is not None
    assert report.run.remarks == (
        "process 7: the recording ends early: the program was killed, or still runs",
    )


def test_a_directory_holds_its_recordings_and_other_files(tmp_path: pathlib.Path) -> None:
    write_recording(tmp_path / "2.jsonl", process(2, *steps(0)))
    write_recording(tmp_path / "1.jsonl", process(1, *steps(0)))
    (tmp_path / "data.jsonl").write_text('{"text": "not ours"}\n')
    (tmp_path / "empty.jsonl").write_text("")
    assert find_recordings(str(tmp_path)) == [str(tmp_path / "1.jsonl"), str(tmp_path / "2.jsonl")]
    assert find_recordings("a-file") == ["a-file"]


def test_a_directory_without_any_is_an_error(tmp_path: pathlib.Path) -> None:
    with pytest.raises(RecordingError, match=r"there is no recording in this directory$"):
        find_recordings(str(tmp_path))
