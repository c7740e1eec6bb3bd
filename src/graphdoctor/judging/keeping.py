"""Recordings of dry runs: kept in a file, and judged again from it."""

import dataclasses
import os
import pathlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from graphdoctor.config import Config
from graphdoctor.errors import GraphdoctorError, SourceError
from graphdoctor.judging.generations import with_generation
from graphdoctor.judging.modules import crash_finding, examine, open_project
from graphdoctor.judging.pipeline import judge
from graphdoctor.judging.project_evidence import with_project_evidence
from graphdoctor.model import Finding
from graphdoctor.recording import Recording
from graphdoctor.recording.format import AnyEvent, encode_event
from graphdoctor.source import parse_module, read_notebook_or_source
from graphdoctor.source.project import Project
from graphdoctor.source.project_index import ProjectIndex
from graphdoctor.source.sites import Sources


def write_recordings(path: str, recordings: Iterable[Recording]) -> None:
    """Write recordings one after the other to a file, each with its header."""
    try:
        pathlib.Path(path).write_bytes(encode_recordings(recordings))
    except OSError as error:
        raise GraphdoctorError(f"--recording {path}: cannot be written: {error.strerror}") from error


def encode_recordings(recordings: Iterable[Recording]) -> bytes:
    """The lines of a file that holds these recordings."""
    lines = [msgspec.json.encode(encode_event(event)) for one in recordings for event in _events(one)]
    return b"".join(line + b"\n" for line in lines)


def _events(recording: Recording) -> Iterator[AnyEvent]:
    yield dataclasses.replace(recording.header, directory=recording.header.directory or os.getcwd())
    yield from recording.events


def checked_files(recordings: Sequence[Recording]) -> set[str]:
    """The files whose dry runs these are."""
    return {path for recording in recordings for path in recording.header.program}


def judge_again(recordings: Sequence[Recording], config: Config) -> list[Finding]:
    """What `check` found when it made these recordings, as far as the files are as they were.

    `# noqa` and what fixes change stand in the text; without it, the rules still judge.
    """
    findings: list[Finding] = []
    projects: dict[str, Project] = {}
    for recording in recordings:
        directory = recording.header.directory
        project = projects.setdefault(directory, _project_in(directory, config))
        module = next(filter(None, map(project.module, recording.header.program)), None)
        if not recording.header.sees:
            findings += [_why_not_read(path, directory) for path in recording.header.program if not module]
        elif module is not None:
            found = examine(module, config, recording)[0]
            findings += with_generation(module, found, config) if directory == os.getcwd() else found
        else:
            findings += judge([recording], Sources.of(project), config)
    here = all(directory == os.getcwd() for directory in projects)
    return with_project_evidence(findings, ProjectIndex(config.exclude), config) if here else findings


def _why_not_read(path: str, directory: str) -> Finding:
    try:
        parse_module(path, read_notebook_or_source(os.path.join(directory, path)))
    except SourceError as error:
        return crash_finding(path, error)
    return crash_finding(path, SourceError(f"{path} could not be read"))


def _project_in(directory: str, config: Config) -> Project:
    if directory == os.getcwd():
        return open_project(config, read_notebook_or_source)
    return Project(
        read=lambda path: read_notebook_or_source(os.path.join(directory, path)),
        parse=lambda path, text: parse_module(path, text, config.keras),
        directory=directory,
    )
