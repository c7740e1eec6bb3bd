"""A recording file → its events, with every place of the program relative to where it ran."""

import functools
import os
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from graphdoctor.errors import RecordingError
from graphdoctor.model.paths import relative_path
from graphdoctor.model.reading import read_regular
from graphdoctor.recording.format import DRY_RUN, FORMAT, FORMAT_VERSION, KINDS, AnyEvent, Header
from graphdoctor.recording.places import rename_paths
from graphdoctor.recording.recording import Recording
from graphdoctor.recording.upgrading import Upgrade

MOST_BYTES = 2 * 2**30  # of a recording
MOST = 2**63
LONG_NUMBER = re.compile(rb"[0-9]{16}")
DAMAGED = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)


class _Kind(msgspec.Struct, frozen=True):
    event: str


class Decoder:
    """Lines → events, of whichever version the header names."""

    def __init__(self) -> None:
        self._kind = msgspec.json.Decoder(_Kind)
        self._events = {word: msgspec.json.Decoder(kind) for word, kind in KINDS.items()}
        self._upgrade: Upgrade | None = None

    def decode(self, line: bytes) -> list[AnyEvent]:
        """The events of a line; MsgspecError when it is damaged."""
        word = self._kind.decode(line).event
        if word == "header" and msgspec.json.decode(line).get("version") == 1:
            self._upgrade = Upgrade()
        if self._upgrade is None:
            if word not in self._events:
                raise msgspec.ValidationError(f"unknown event `{word}`")
            refuse_what_no_run_says(line)
            return [self._events[word].decode(line)]
        return [_converted(new) for new in _upgraded(self._upgrade, msgspec.json.decode(line))]


def refuse_what_no_run_says(line: bytes) -> None:
    """ValidationError for a number of more digits than a place, count or address has, and for NUL."""
    if b"\\u0000" in line or LONG_NUMBER.search(line) or b"-" in line or b"e" in line:
        _refuse(msgspec.json.decode(line))


def _refuse(value: Any) -> None:
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            _refuse(part)
    elif isinstance(value, str) and "\0" in value:
        raise msgspec.ValidationError("a text holds NUL")
    elif isinstance(value, int | float) and not -MOST <= value <= MOST:
        raise msgspec.ValidationError("a number is too large")


def _upgraded(upgrade: Upgrade, line: dict[str, Any]) -> list[dict[str, Any]]:
    try:
        return list(upgrade.lines(line))
    except (KeyError, TypeError, AttributeError) as error:
        raise msgspec.ValidationError(f"{type(error).__name__}: {error}") from error


def _converted(line: dict[str, Any]) -> AnyEvent:
    event: AnyEvent = msgspec.convert(line, KINDS[line["event"]])
    return event


def find_recordings(path: str) -> list[str]:
    """The file itself, or the recordings in a directory; RecordingError when there are none."""
    if not os.path.isdir(path):
        return [path]
    found = recordings_in(path)
    if not found:
        raise RecordingError(f"{path}: there is no recording in this directory")
    return found


def recordings_in(directory: str) -> list[str]:
    """The recordings among the files of a directory."""
    files = sorted(pathlib.Path(directory).glob("*.jsonl"))
    return [str(file) for file in files if _starts_like_a_recording(file)]


def _starts_like_a_recording(file: pathlib.Path) -> bool:
    try:
        if not file.is_file():  # a pipe would be waited for
            return False
        with file.open("rb") as stream:
            return FORMAT.encode() in stream.read(100)
    except OSError:
        return False


def read_recording(path: str) -> Recording:
    """The first recording in a file; RecordingError when it is not one, damaged inside, or too new."""
    return read_recordings(path)[0]


def read_recordings(path: str) -> list[Recording]:
    """The recordings in a file: that of a run, or those that `check --recording` kept, one per file."""
    try:
        data = read_regular(path, MOST_BYTES)
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read: {error.strerror}") from error
    events = _events(path, data)
    starts = [position for position, event in enumerate(events) if isinstance(event, Header)]
    if not starts or starts[0]:
        raise RecordingError(f"{path}: not a recording: `graphdoctor run` writes one")
    ends = [*starts[1:], len(events)]
    return [_recording(path, events[start:end]) for start, end in zip(starts, ends, strict=True)]


def _recording(path: str, events: list[AnyEvent]) -> Recording:
    header, *rest = events
    assert isinstance(header, Header)
    if header.recorder != DRY_RUN:  # that names files as `check` was given them
        named = functools.cache(functools.partial(relative_path, directory=header.directory))
        for event in rest:
            rename_paths(event, named)
    return Recording(path=path, header=header, events=tuple(rest))


def _events(path: str, data: bytes) -> list[AnyEvent]:
    return [event for events in _lines(path, data) for event in events]


def _lines(path: str, data: bytes) -> Iterator[list[AnyEvent]]:
    decoder = Decoder()
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if number == 1:
            _check_header(path, line)
        try:
            yield decoder.decode(line)
        except (*DAMAGED, ValueError) as error:
            if number == len(lines):  # no newline at its end: the program was killed while writing
                return
            raise RecordingError(
                f"{path}: line {number} is damaged ({error}); run the program again"
            ) from error


def _check_header(path: str, line: bytes) -> None:
    try:
        header = msgspec.json.decode(line)
    except DAMAGED:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise RecordingError(f"{path}: not a recording: `graphdoctor run` writes one")
    version = header.get("version")
    if type(version) is not int or version > FORMAT_VERSION:
        raise RecordingError(
            f"{path}: recording has format {version}, this version reads up to {FORMAT_VERSION}: "
            "upgrade graphdoctor"
        )
