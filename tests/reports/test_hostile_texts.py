"""Names, paths and values that try to get at the terminal."""

import dataclasses
import io

import pytest
from rich.console import Console
from tests.making import at, header, make_recording, make_trace

from graphdoctor.config import Config
from graphdoctor.judging import judge_recordings
from graphdoctor.recording import Argument
from graphdoctor.recording.format import Definition, Problem
from graphdoctor.reports.run import print_run

HOSTILE = {
    "an escape sequence": "\x1b]0;owned\x07\x1b[2J",
    "markup": "[bold red on blue]x[/bold red on blue][link=file:///x]",
    "other direction": "abc\u202egpj",
    "lines": "a\nb\r\nc\x85d",
    "megabytes": "m" * 3_000_000,
    "half a character": "\udcff",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_is_cut_and_spelled_out(text: str) -> None:
    function = Definition(name=text, path=text + ".py", line=1)
    traces = [
        make_trace(
            Argument(path=f"d[{text}]", kind="value", type="int", text=f"{number}{text}"),
            function=function,
            chain=at(text + ".py", 3, text),
            context={"device": text + str(number % 2)},
        )
        for number in range(5)
    ]
    recording = make_recording(*traces, Problem(message=text))
    recording = dataclasses.replace(recording, header=header(worker=text))
    report = judge_recordings((recording, recording), Config())
    assert report.findings
    stream = io.StringIO()
    print_run(report, Console(file=stream, width=80, highlight=False, force_terminal=False))
    shown = stream.getvalue()
    lines = shown.split("\n")
    assert all(character == "\n" or character.isprintable() for character in shown)
    assert max(map(len, lines)) < 9000
    assert len(lines) < 400
    if "[bold" in text:
        assert "[bold red on blue]x[/bold red on blue]" in shown
