"""What tests of the dry run use: a program in, the events of its recording out."""

import inspect
from typing import TypeVar

from graphdoctor.dryrun.recorder import record
from graphdoctor.recording.format import Event
from graphdoctor.source import parse_module
from graphdoctor.source.project import Project

Kind = TypeVar("Kind", bound=Event)


def events_of(text: str, kind: type[Kind], keras: int = 3) -> list[Kind]:
    """The events of one kind that the dry run of a program writes."""
    program = inspect.cleandoc(text) + "\n"
    project = Project(lambda path: program, lambda path, given: parse_module(path, given, keras))
    return [event for event in record(project, "program.py").events if isinstance(event, kind)]
