"""Recordings that nobody wrote with graphdoctor: one clear error and exit code 2."""

import json
import pathlib

import pytest

from tests.cli.commands import graphdoctor

HEADER = {
    "event": "header", "format": "graphdoctor-recording", "version": 2, "graphdoctor": "0.1.0",
    "tensorflow": "2.21.0", "program": ["python", "train.py"], "directory": "/work", "process": 7,
}  # fmt: skip
TRACE = {
    "event": "trace", "number": 1, "function": {"name": "f", "path": "train.py", "line": 5}, "object": 1,
    "arguments": [], "start": 0.1, "seconds": 0.1, "thread": 1,
}  # fmt: skip


def place(**fields: object) -> dict[str, object]:
    return {**TRACE, "function": {"name": "f", "path": "train.py", "line": 5, **fields}}


LINES = {
    "deep": [json.dumps(HEADER), '{"event":"trace","x":' + "[" * 100_000 + "]" * 100_000 + "}"],
    "deep header": ["[" * 100_000],
    "huge line": [json.dumps(HEADER), json.dumps(place(line=10**40))],
    "large line": [json.dumps(HEADER), json.dumps(place(line=10**18))],
    "negative line": [json.dumps(HEADER), json.dumps(place(line=-5))],
    "huge time": [json.dumps(HEADER), json.dumps({**TRACE, "seconds": 10**400})],
    "infinite": [json.dumps(HEADER), json.dumps({**TRACE, "seconds": 1e308, "start": 1e308})],
    "nul in a path": [json.dumps(HEADER), json.dumps(place(path="a\0b.py"))],
    "nul in the directory": [json.dumps({**HEADER, "directory": "/a\0b"}), json.dumps(TRACE)],
    "old and wrong": [json.dumps({**HEADER, "version": 1}), '{"event":"trace","function":3}'],
    "version of the header": [json.dumps({**HEADER, "version": True})],
    "no text": ["{\udcc4 }"],
    "no object": [json.dumps(HEADER), "[]"],
}


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("command", ["report", "diff"])
def test_no_traceback(tmp_path: pathlib.Path, name: str, command: str) -> None:
    (tmp_path / "x.jsonl").write_bytes(("\n".join(LINES[name]) + "\n").encode("utf-8", "surrogateescape"))
    done = graphdoctor(command, *["x.jsonl"] * (2 if command == "diff" else 1), cwd=tmp_path)
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 2)
    assert (done.returncode == 2) == done.stderr.startswith("graphdoctor: x.jsonl: ")


def test_sources_that_a_recording_names_are_read_only_where_they_are_files(tmp_path: pathlib.Path) -> None:
    events = [
        {**HEADER, "directory": str(tmp_path)},
        place(path="/dev/zero"),
        {**place(path="/dev/zero"), "number": 2},
    ]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    done = graphdoctor("report", "x.jsonl", "-o", "x.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
