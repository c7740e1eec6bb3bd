"""Recordings of several processes: one history per function, and who kept whom waiting."""

import dataclasses
import pathlib

import pytest
from tests.making import at as place
from tests.making import header, make_recording, make_trace, tensor, thing, value, write_recording

from graphdoctor.config import Config
from graphdoctor.errors import RecordingError
from graphdoctor.judging import judge_recordings
from graphdoctor.recording import Recording, Selection, Trace, find_recordings, histories
from graphdoctor.recording.format import Compilations, CompiledShape, Phase
from graphdoctor.recording.processes import summarise_processes, wall_seconds
from graphdoctor.recording.recording import ENDS_EARLY
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
    reported = histories([process(1, *steps(0, 1, 2)), process(2, *steps(0, 1))])
    (history,) = Selection(warmup=2).apply(reported)
    assert [retrace.label for retrace in history.retraces] == [WARM_UP, None, WARM_UP]


def test_selection_by_path() -> None:
    reported = histories([make_recording(make_trace(tensor("x", 1)))])
    covers = {
        ("train.py",): True,
        ("*.py",): True,
        ("tests/*",): False,
    }
    for include, covered in covers.items():
        assert len(Selection(include=include).apply(reported)) == covered
        assert len(Selection(exclude=include).apply(reported)) == (not covered)
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
        "process 12 (worker 1) held up the others for 5.0 s: it alone traced `step` (train.py:3)",
        "process 11 (worker 0) held up the others for 1.0 s: it alone traced `step` (train.py:3)",
        "process 12 (worker 1): 3 traces, 6.0 s of 10 s",
        "process 11 (worker 0): 1 trace, 2.0 s of 10 s",
    ]


def waiting(number: int, seconds: float, *traces: Trace) -> Recording:
    phase = Phase(phase="input", seconds=seconds, start=1.0, span=20.0, chain=place("data.py", 7))
    rest = Phase(phase="graph execution", seconds=20.0 - seconds, start=1.0, span=20.0)
    recording = process(number, *traces)
    return dataclasses.replace(recording, events=(phase, rest, *recording.events))


def held_up(*recordings: Recording) -> list[tuple[int, str, float, str]]:
    return [
        (summary.process, held.kind, held.seconds, f"{held.path}:{held.line}")
        for summary in summarise_processes(recordings)
        for held in summary.held_up
    ]


def test_who_waits_for_input_longer_than_any_other() -> None:
    assert held_up(waiting(1, 2.0), waiting(2, 9.0), waiting(3, 2.5)) == [(2, "input", 6.5, "data.py:7")]


def test_equal_waits_blame_nobody() -> None:
    assert held_up(waiting(1, 2.0), waiting(2, 2.0)) == []


def test_who_waits_while_another_traces_is_not_blamed() -> None:
    slow = waiting(2, 1.0, at(0.0, 6.0))
    assert held_up(waiting(1, 6.5), slow) == [(2, "tracing", 6.0, "train.py:3")]


def compiled(number: int, *first_seconds: float) -> Recording:
    shapes = [
        CompiledShape(shapes=str(index), first_seconds=seconds, best_seconds=0.1, calls=2)
        for index, seconds in enumerate(first_seconds)
    ]
    recording = process(number)
    event = Compilations(shapes=tuple(shapes), chain=place("train.py", 9))
    return dataclasses.replace(recording, events=(event, *recording.events))


def test_who_compiles_more_often_is_blamed_and_who_only_waits_in_its_first_call_is_not() -> None:
    assert held_up(compiled(1, 2.1), compiled(2, 2.1, 3.1)) == [(2, "compiling", 3.0, "train.py:9")]
    assert held_up(compiled(1, 2.1), compiled(2, 9.1)) == []


def test_rank_and_host_are_those_of_the_header() -> None:
    one = process(1, at(0.0, 1.0))
    named = dataclasses.replace(one, header=dataclasses.replace(one.header, rank=3, host="node7"))
    run = judge_recordings((named, process(2)), Config()).run
    assert run is not None
    assert [(summary.rank, summary.host) for summary in run.processes] == [(3, "node7"), (None, "")]
    assert process_lines(run)[0].startswith("process 1 (rank 3 on node7) traced alone for 1.0 s")


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
    assert report.run.remarks == (f"process 7: {ENDS_EARLY}",)


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
