"""A recording file → its events, with every place of the program relative to where it ran."""

import functools
import os
import pathlib
import stat
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
    MissingGradient,
    NonFinite,
    Problem,
    Site,
    Trace,
)
from graphdoctor.recording.notes import Leak, Note

ENDS_EARLY = "the recording ends early: the program was killed, or still runs"


class Recording(msgspec.Struct, frozen=True):
    """What one process recorded; `complete` is False when it ends early."""

    path: str
    header: Header
    traces: tuple[Trace, ...]
    problems: tuple[str, ...]
    end: End | None
    gradients: tuple[MissingGradient, ...] = ()
    numerics: tuple[NonFinite, ...] = ()
    compilations: tuple[Compilations, ...] = ()
    crash: Failure | None = None
    notes: tuple[Note, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the run came to its end and nothing was lost on the way."""
        return self.end is not None and not self.problems

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is missing, and why."""
        early = () if self.end else (ENDS_EARLY,)
        return (*(f"the observer had a problem: {problem}" for problem in self.problems), *early)

    @property
    def seconds(self) -> float:
        """How long the run took, from the import of TensorFlow on, as far as we know."""
        if self.end is not None:
            return self.end.seconds
        return max((trace.start + trace.seconds for trace in self.traces), default=0.0)


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
        with file.open("rb") as stream:
            return FORMAT.encode() in stream.read(100)
    except OSError:
        return False


def read_recording(path: str) -> Recording:
    """The recording in a file; RecordingError when it is not one, damaged inside, or too new."""
    try:
        if stat.S_ISCHR(os.stat(path).st_mode):  # /dev/full and the like never end
            raise RecordingError(f"{path}: not a recording: this is a device")
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
        end=_end([event for event in events if isinstance(event, End)], named),
        gradients=tuple(_gradient(event, named) for event in events if isinstance(event, MissingGradient)),
        numerics=tuple(
            replace(event, site=_site(event.site, named)) for event in events if isinstance(event, NonFinite)
        ),
        compilations=tuple(event for event in events if isinstance(event, Compilations)),
        crash=next((_failure(event.error, named) for event in events if isinstance(event, Crash)), None),
        notes=tuple(_note(event, named) for event in events if isinstance(event, Note)),
    )


def _named(trace: Trace, named: Callable[[str], str]) -> Trace:
    """The trace with its places as people name them."""
    function = replace(trace.function, path=named(trace.function.path))
    site = replace(trace.site, path=named(trace.site.path)) if trace.site else None
    lines = tuple(replace(line, path=named(line.path)) for line in trace.lines)
    error = _failure(trace.error, named) if trace.error else None
    return replace(trace, function=function, site=site, lines=lines, error=error)


def _note(note: Note, named: Callable[[str], str]) -> Note:
    if isinstance(note, Leak):
        note = replace(note, ran=tuple(replace(place, path=named(place.path)) for place in note.ran))
    return replace(note, path=named(note.path))


def _failure(failure: Failure, named: Callable[[str], str]) -> Failure:
    return replace(failure, path=named(failure.path))


def _end(ends: list[End], named: Callable[[str], str]) -> End | None:
    """The last one: an observation that goes on writes one each time it is asked for its report."""
    if not ends:
        return None
    calls = tuple(CallCount(named(count.path), count.line, count.calls) for count in ends[-1].calls)
    return replace(
        ends[-1],
        calls=calls,
        dead_objects=tuple(number for end in ends for number in end.dead_objects),
        dead_functions=tuple(number for end in ends for number in end.dead_functions),
    )


def _gradient(event: MissingGradient, named: Callable[[str], str]) -> MissingGradient:
    return replace(
        event,
        site=_site(event.site, named),
        tape=_site(event.tape, named),
        place=_site(event.place, named),
        path=tuple(replace(step, place=_site(step.place, named)) for step in event.path),
    )


def _site(site: Site | None, named: Callable[[str], str]) -> Site | None:
    return replace(site, path=named(site.path)) if site is not None else None


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
