"""A project's files → the recording of a dry run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from graphdoctor.dryrun.entries import dry_run
from graphdoctor.recording.format import (
    DRY_RUN,
    WORDS,
    AnyEvent,
    Applied,
    Calls,
    Effect,
    Escape,
    Gradient,
    Header,
    LibraryCall,
    Made,
    Staging,
    Stale,
    Trace,
    Use,
)
from graphdoctor.recording.recording import Recording
from graphdoctor.source.project import Project
from graphdoctor.version import __version__

SEES = (Trace, Calls, Effect, Stale, Staging, Escape, Use, Made, Applied, LibraryCall, Gradient)


def record(project: Project, paths: Iterable[str]) -> Recording:
    """What the programs and functions in these files would do when TensorFlow traced them."""
    log = dry_run(project, paths)
    header = Header(recorder=DRY_RUN, graphdoctor=__version__, sees=tuple(WORDS[kind] for kind in SEES))
    events = cast(tuple[AnyEvent, ...], (*log.events, *log.looked.values()))
    return Recording(header=header, events=events)
