"""A recording file → its events, with every place of the program relative to where it ran."""

import functools
import pathlib
from collections.abc import Callable, Iterator

import msgspec
from msgspec.structs import replace

from graphdoctor.errors import RecordingError
from graphdoctor.model.paths import relative_path
from graphdoctor.recording.events import (
    FORMAT,
    FORMAT_VERSION,
    CallCount,
    Compilations,
    Crash,
    End,
    Event,
    Failure,
    Header,
    Problem,
    Trace,
)


class Recording(msgspec.Struct, frozen=True):
    """What one process recorded; `complete` is False when it ends early."""

    path: str
    header: Header
    traces: tuple[Trace, ...]
    problems: tuple[str, ...]
    end: End | None
    compilations: tuple[Compilations, ...] = ()
    crash: Failure | None = None

    @property
    def complete(self) -> bool:
        """Whether the run came to its end and nothing was lost on the way."""
        return self.end is not None and not self.problems

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is missing, and why."""
        early = () if self.end else ("the recording ends early: the program was killed, or still runs",)
        return (*(f"the observer had a problem: {problem}" for problem in self.problems), *early)

    @property
    def seconds(self) -> float:
        """How long the run took, from the import of TensorFlow on, as far as we know."""
        if self.end is not None:
            return self.end.seconds
        return max((trace.start + trace.seconds for trace in self.traces), default=0.0)


def read_recording(path: str) -> Recording:
    """The recording in a file; RecordingError when it is not one, damaged inside, or too new."""
    try:
        data = pathlib.Path(path).read_bytes()
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read: {error.strerror}") from error
    events = list(_events(path, data))
    if not events or not isinstance(events[0], Header):
        raise RecordingError(f"{path}: not a recording: `graphdoctor run` writes one")
    named = functools.cache(functools.partial(relative_path, directory=events[0].directory))
    return Recording(
        path=path,
        header=events[0],
        traces=tuple(_named(event, named) for event in events if isinstance(event, Trace)),
        problems=tuple(event.message for event in events if isinstance(event, Problem)),
        end=next((_end(event, named) for event in events if isinstance(event, End)), None),
        compilations=tuple(event for event in events if isinstance(event, Compilations)),
        crash=next((_failure(event.error, named) for event in events if isinstance(event, Crash)), None),
    )


def _named(trace: Trace, named: Callable[[str], str]) -> Trace:
    """The trace with its places as people name them."""
    function = replace(trace.function, path=named(trace.function.path))
    site = replace(trace.site, path=named(trace.site.path)) if trace.site else None
    lines = tuple(replace(line, path=named(line.path)) for line in trace.lines)
    error = _failure(trace.error, named) if trace.error else None
    return replace(trace, function=function, site=site, lines=lines, error=error)


def _failure(failure: Failure, named: Callable[[str], str]) -> Failure:
    return replace(failure, path=named(failure.path))


def _end(end: End, named: Callable[[str], str]) -> End:
    calls = tuple(CallCount(named(count.path), count.line, count.calls) for count in end.calls)
    return replace(end, calls=calls)


def _events(path: str, data: bytes) -> Iterator[Event]:
    decoder = msgspec.json.Decoder(Event)
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if number == 1:
            _check_header(path, line)
        try:
            yield decoder.decode(line)
        except msgspec.MsgspecError as error:
            if number == len(lines):  # no newline at its end: the program was killed while writing
                return
            raise RecordingError(
                f"{path}: line {number} is damaged ({error}); run the program again"
            ) from error


def _check_header(path: str, line: bytes) -> None:
    try:
        header = msgspec.json.decode(line)
    except msgspec.DecodeError:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise RecordingError(f"{path}: not a recording: `graphdoctor run` writes one")
    version = header.get("version")
    if not isinstance(version, int) or version > FORMAT_VERSION:
        raise RecordingError(
            f"{path}: recording has format {version}, this version reads up to {FORMAT_VERSION}: "
            "upgrade graphdoctor"
        )
