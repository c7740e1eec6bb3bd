"""Histories → every trace with its reason, as a report page shows them."""

import os
import shlex
from collections.abc import Iterator, Sequence

from graphdoctor.model import CompilationFact, GraphsFact, LineFact, RunDetails, TraceFact
from graphdoctor.model.details import Crash, CrashFrame
from graphdoctor.model.words import shortened
from graphdoctor.recording.differences import describe
from graphdoctor.recording.format import Trace
from graphdoctor.recording.history import History, Retrace
from graphdoctor.recording.joining import process_of
from graphdoctor.recording.recording import Recording
from graphdoctor.recording.time_account import time_windows

LONGEST_SIGNATURE = 400


def detail(recordings: Sequence[Recording], reported: Sequence[History]) -> RunDetails:
    """The traces of all functions in the order in which they began, by the clock on the wall."""
    first = min(recording.header.time for recording in recordings)
    offsets = [recording.header.time - first for recording in recordings]
    traces = [fact for index, history in enumerate(reported) for fact in _traces(index, history, offsets)]
    return RunDetails(
        directory=recordings[0].header.directory,
        redacted=any(recording.header.redacted for recording in recordings),
        program=_program(recordings[0].header.program),
        processes=tuple(map(_name, recordings)),
        traces=tuple(sorted(traces, key=lambda fact: (fact.start, fact.number))),
        lines=tuple(_lines(reported)),
        compilations=tuple(_compilations(reported)),
        graphs=tuple(_graphs(reported)),
        crash=_crash(recordings),
        windows=time_windows(recordings[0]),
        accounted=recordings[0].header.accounted,
    )


def _crash(recordings: Sequence[Recording]) -> Crash | None:
    """What ended the program, or a thread of it, last."""
    deaths = [death for recording in recordings for death in recording.deaths]
    if not deaths:
        return None
    frames = tuple(
        CrashFrame(path=frame.place.path, line=frame.place.line, function=frame.function)
        for frame in deaths[-1].chain
        if frame.place is not None
    )
    return Crash(type=deaths[-1].type, text=deaths[-1].text, frames=frames)


def _program(command: tuple[str, ...]) -> str:
    """The command line without the interpreter."""
    interpreted = len(command) > 1 and "python" in os.path.basename(command[0])
    return shlex.join(command[1:] if interpreted else command)


def _name(recording: Recording) -> str:
    return recording.header.worker or f"process {recording.header.process}"


def _traces(function: int, history: History, offsets: list[float]) -> Iterator[TraceFact]:
    retraces = {retrace.trace.number: retrace for retrace in history.retraces}
    for trace in history.traces:
        yield _trace(function, trace, retraces.get(trace.number), offsets)


def _trace(function: int, trace: Trace, retrace: Retrace | None, offsets: list[float]) -> TraceFact:
    process = process_of(trace)
    return TraceFact(
        number=trace.number,
        function=function,
        start=round(offsets[process] + trace.start, 6),
        seconds=round(trace.own_seconds, 6),
        operations=trace.operations,
        graph_bytes=trace.graph_bytes,
        resident_bytes=trace.resident_bytes,
        process=process,
        path=trace.place.path if trace.place else "",
        line=trace.place.line if trace.place else 0,
        closest=retrace.closest.number if retrace else None,
        differences=retrace.differences if retrace else (),
        signature="" if retrace else _signature(trace),
        label=retrace.label if retrace else None,
        needless=retrace.needless if retrace else None,
        failed=trace.failed,
    )


def _signature(trace: Trace) -> str:
    text = ", ".join(f"{argument.path}: {describe(argument)}" for argument in trace.arguments)
    return shortened(text, LONGEST_SIGNATURE)


def _lines(reported: Sequence[History]) -> Iterator[LineFact]:
    most: dict[tuple[str, int], int] = {}
    for history in reported:
        for trace in history.traces:
            for line in trace.lines:
                place = (line.path, line.line)
                most[place] = max(most.get(place, 0), line.operations)
    for (path, number), operations in sorted(most.items()):
        yield LineFact(path=path, line=number, operations=operations)


def _compilations(reported: Sequence[History]) -> Iterator[CompilationFact]:
    for index, history in enumerate(reported):
        for shape in history.compilations:
            yield CompilationFact(
                function=index,
                shapes=shape.shapes,
                first_seconds=shape.first_seconds,
                best_seconds=shape.best_seconds,
                calls=shape.calls,
            )


def _graphs(reported: Sequence[History]) -> Iterator[GraphsFact]:
    for index, history in enumerate(reported):
        kept = history.kept_traces
        if kept:
            yield GraphsFact(
                function=index,
                kept=len(kept),
                dead=sum(map(history.is_dead, kept)),
                size_bytes=sum(trace.graph_bytes for trace in kept),
            )
