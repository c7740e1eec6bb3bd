"""A program run from a copy, with a witness: how it ended, what it printed and computed, what was found."""

import dataclasses
import itertools
import os
import pathlib
import re
import shutil
from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from graphdoctor.config import Config
from graphdoctor.errors import GraphdoctorError
from graphdoctor.fixing.copies import Place, copy_folder
from graphdoctor.fixing.notebook_program import notebook_of, program_of
from graphdoctor.fixing.source_fixes import check_copy, with_source_fixes
from graphdoctor.fixing.steps_file import Stepped, read_steps
from graphdoctor.fixing.witness_file import Witnessed, read_witnessed
from graphdoctor.judging import judge_recordings
from graphdoctor.model import Report
from graphdoctor.model.fix_result import Measured
from graphdoctor.recording import Recording, read_recording
from graphdoctor.source.files import decode, read_bytes

SEED = 20
ERROR = re.compile(r"(?:\w+\.)*(?P<kind>\w*(?:Error|Exception|Interrupt|Exit))\b(?P<text>:.*|$)")
INTERRUPTED, TIME_LIMIT = "Ctrl-C", "the time limit"


@dataclasses.dataclass(frozen=True)
class Ended:
    """How a process ended: its status, or None when it was stopped; `stopped` says by what."""

    status: int | None
    output: str
    errors: str
    stopped: str = ""


class Runner(Protocol):
    """Runs Python on a command in a directory, observed with some settings, to its end."""

    def __call__(self, command: list[str], directory: str, settings: dict[str, Any]) -> Ended:
        """How it ended."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Variation:
    """How a run differs from a plain one: graph functions as Python, other seeds, faster clocks, sources of a
    gradient moved (the number of the tape, the variables and the watched tensors), draws that depend on
    their shape alone, an end after some steps of the training, from where these are asked for (`scouts`)."""

    eager: bool = False
    shift: int = 0
    hastened: bool = False
    sources: tuple[int, tuple[int, ...], tuple[int, ...]] | None = None
    steps: int = 0
    scouts: bool = False
    pinned: bool = False


PLAIN = Variation()


@dataclasses.dataclass(frozen=True)
class Trial:
    """One run of a program. `report` is None for a run that was only witnessed, or without TensorFlow.

    `predicted` is what `check` finds in its files: a run does not reach all of their code.
    """

    ended: Ended
    witnessed: Witnessed
    recording: Recording | None = None
    report: Report | None = None
    stepped: Stepped | None = None
    predicted: Report | None = None

    @property
    def measured(self) -> Measured:
        """Its figures."""
        recording = self.recording
        return Measured(
            exit_code=self.ended.status,
            traces=sum(not trace.library for trace in recording.traces) if recording else 0,
            compilations=sum(len(one.shapes) for one in recording.compilations) if recording else 0,
            seconds=round(recording.seconds, 3) if recording else 0.0,
            error=self.error,
        )

    @property
    def error(self) -> str:
        """The last line of the traceback, when it died."""
        if not self.ended.status:
            return ""
        lines = [line.strip() for line in self.ended.errors.splitlines() if line.strip()]
        named = [found for line in lines if (found := ERROR.match(line))]
        if named:
            return f"{named[-1]['kind']}{named[-1]['text']}"
        return lines[-1] if lines else f"exit code {self.ended.status}"


class Laboratory:
    """Runs a program again and again, each time from a fresh copy below `directory`.

    All are copies of what the files held in the beginning, whatever the user does to them meanwhile.
    """

    def __init__(self, place: Place, runner: Runner, config: Config, directory: str) -> None:
        self.place = place
        self._runner = runner
        self._config = config
        self._directory = os.path.realpath(directory)
        self._numbers = itertools.count(1)
        self._observed = False  # the first run has a result even when it is stopped
        self._everything: bool | None = None  # include all findings of `check`: the first run found nothing
        self._files = str(pathlib.Path(self._directory, "original"))
        copy_folder(place.root, self._files)
        self._write_notebooks()

    def _write_notebooks(self) -> None:
        """A notebook that is to be run stands beside itself as a program."""
        program = os.path.join(self.place.directory, self.place.command[0])
        path = os.path.relpath(program, self.place.root)
        if notebook_of(path) != path:
            text = program_of(notebook_of(path), self.content(notebook_of(path)))
            pathlib.Path(self._files, path).write_text(text, encoding="utf-8")

    def content(self, path: str) -> bytes:
        """What a file of the root held in the beginning."""
        return read_bytes(os.path.join(self._files, path))

    def text(self, path: str) -> str:
        """The same as text."""
        return decode(path, self.content(path))

    def observe(self, texts: Mapping[str, str]) -> Trial:
        """Run it with these texts by path, relative to the root, observed and judged."""
        return self._run(texts, PLAIN, observed=True)

    def witness(self, texts: Mapping[str, str], variation: Variation = PLAIN) -> Trial:
        """Run it without the observer, to see what it computes."""
        return self._run(texts, variation, observed=False)

    def scout(self, steps: int) -> Trial:
        """Run it, observed, until so many steps of its training are done, to learn where they are."""
        return self._run({}, Variation(steps=steps, scouts=True), observed=True)

    def _run(self, texts: Mapping[str, str], variation: Variation, *, observed: bool) -> Trial:
        folder = pathlib.Path(self._directory, str(next(self._numbers)))
        # The name that the user's directory has: a program may look at it.
        copy = str(folder / os.path.basename(self.place.root))
        folder.mkdir()
        try:
            copy_folder(self._files, copy, texts)
            recording, file = folder / "recording.jsonl", folder / "witness.jsonl"
            settings = {
                "recording": str(recording) if observed else None,
                "witness": {
                    "file": str(file),
                    "seed": SEED,
                    "shift": variation.shift,
                    "eager": variation.eager,
                    "moved": (self.place.root, copy),
                    "owned": (str(folder),),
                    **_unusual(variation),
                },
                "stepping": _stepping(variation, str(folder / "steps.json")),
            }
            ended = self._runner(self.place.command_in(copy), self.place.started_in(copy), settings)
            ended = dataclasses.replace(ended, output=ended.output.replace(copy, self.place.root))
            stepped = read_steps(folder / "steps.json", copy) if variation.steps else None
            trial = Trial(ended, read_witnessed(file), stepped=stepped)
            if ended.stopped == INTERRUPTED and self._observed:
                raise KeyboardInterrupt
            self._observed = True
            return self._judged(trial, recording, copy) if observed else trial
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _judged(self, trial: Trial, file: pathlib.Path, copy: str) -> Trial:
        """The trial with the report of its recording, with paths of the user's directory."""
        try:
            recording = read_recording(str(file)) if file.exists() else None
        except GraphdoctorError:
            recording = None
        if recording is None:
            return trial
        report = judge_recordings((recording,), self._config)
        keras = self._config.keras or (int(recording.header.keras[0]) if recording.header.keras else None)
        if self._everything is None:
            self._everything = all(not finding.is_shown for finding in report.findings)
        config = msgspec.structs.replace(self._config, keras=keras)
        files = {*_files_of(recording), *(finding.path for finding in report.findings)}
        predicted = check_copy(files, recording.header.directory, config)
        report = with_source_fixes(
            report,
            recording.header.directory,
            config,
            died=bool(trial.ended.status),
            everything=self._everything,
            predicted=predicted,
        )
        text = msgspec.json.encode(report).replace(copy.encode(), self.place.root.encode())
        moved = msgspec.json.decode(text, type=Report)
        static = msgspec.structs.replace(report, findings=tuple(predicted))
        return dataclasses.replace(trial, recording=recording, report=moved, predicted=static)


def _unusual(variation: Variation) -> dict[str, Any]:
    """The settings that most runs do without."""
    found: dict[str, Any] = {"hastened": True} if variation.hastened else {}
    if variation.steps:
        found["variables_only"] = True
    if variation.pinned:
        found["pinned"] = True
    if variation.sources is not None:
        tape, variables, watched = variation.sources
        found["sources"] = {"tape": tape, "variables": variables, "watched": watched}
    return found


def _stepping(variation: Variation, file: str) -> dict[str, Any] | None:
    if not variation.steps:
        return None
    return {"file": file, "steps": variation.steps, "scouts": variation.scouts}


def _files_of(recording: Recording) -> set[str]:
    """The files of the program that traces went through, and the program itself."""
    paths = {frame.place.path for trace in recording.traces for frame in trace.chain}
    paths |= {os.path.relpath(path, recording.header.directory) for path in recording.header.program[1:2]}
    return {path for path in paths if not os.path.isabs(path)}
