"""Recordings that are fine, cut off, damaged, too new, or no recordings."""

import pathlib

import pytest
from tests.making import header, make_trace, tensor
from tests.making import lines as text_of

from graphdoctor.errors import RecordingError
from graphdoctor.recording import read_recording
from graphdoctor.recording.format import AnyEvent, Definition, End
from graphdoctor.recording.recording import ENDS_EARLY


def lines(*events: AnyEvent) -> bytes:
    return text_of(*events).encode()


def write(tmp_path: pathlib.Path, data: bytes) -> str:
    path = tmp_path / "recording.jsonl"
    path.write_bytes(data)
    return str(path)


def test_reads_what_was_written(tmp_path: pathlib.Path) -> None:
    trace = make_trace(tensor("x", 3))
    recording = read_recording(write(tmp_path, lines(header(), trace, End(seconds=1.5))))
    assert recording.traces[0].arguments == trace.arguments
    assert (recording.complete, recording.seconds, recording.remarks) == (True, 1.5, ())


def test_a_killed_run_loses_only_its_last_line(tmp_path: pathlib.Path) -> None:
    data = lines(header(), make_trace(tensor("x", 3)), make_trace(tensor("x", 4)))
    recording = read_recording(write(tmp_path, data[:-20]))
    assert len(recording.traces) == 1
    assert not recording.complete
    assert recording.remarks == (ENDS_EARLY,)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a recording: `graphdoctor run` writes one"),
        (b"\x00\xff\xfe", "not a recording: `graphdoctor run` writes one"),
        (b'{"findings": []}\n', "not a recording: `graphdoctor run` writes one"),
        (b"[1, 2]\n", "not a recording: `graphdoctor run` writes one"),
        (
            lines(header(version=9)),
            "recording has format 9, this version reads up to 3: upgrade graphdoctor",
        ),
    ],
)
def test_what_is_no_recording_is_said(tmp_path: pathlib.Path, data: bytes, message: str) -> None:
    path = write(tmp_path, data)
    with pytest.raises(RecordingError) as caught:
        read_recording(path)
    assert str(caught.value) == f"{path}: {message}"


def test_damage_inside_is_named_by_line(tmp_path: pathlib.Path) -> None:
    path = write(tmp_path, lines(header()) + b'{"event": "trace"\n' + lines(End(seconds=1.0)))
    with pytest.raises(RecordingError) as caught:
        read_recording(path)
    assert str(caught.value).startswith(f"{path}: line 2 is damaged (")


def test_a_missing_file_is_said(tmp_path: pathlib.Path) -> None:
    with pytest.raises(RecordingError) as caught:
        read_recording(str(tmp_path / "none.jsonl"))
    assert str(caught.value) == f"{tmp_path}/none.jsonl: cannot be read: No such file or directory"


def test_paths_below_the_program_s_directory_are_relative(tmp_path: pathlib.Path) -> None:
    trace = make_trace(function=Definition(name="f", path="/nowhere/src/a.py", line=1))
    recording = read_recording(write(tmp_path, lines(header(), trace)))
    assert recording.traces[0].function.path == "src/a.py"
