"""The newest recordings of a folder → what they measured, beside the lines that are still as they ran."""

import dataclasses
import difflib
import os
import pathlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from graphdoctor.errors import GraphdoctorError
from graphdoctor.model import Change
from graphdoctor.model.phrases import phrase
from graphdoctor.model.words import count, duration
from graphdoctor.recording import History, Recording, find_recordings, histories, read_recordings
from graphdoctor.server.positions import LINE_END
from graphdoctor.source.files import read_source
from graphdoctor.source.module import parse_module
from graphdoctor.source.project_index import stamp_of

FOLDER = ".graphdoctor"
MOST_RUNS = 10


@dataclasses.dataclass(frozen=True)
class Measured:
    """What a run showed of a line: `first` to `last` are the lines that this is true of, by full path."""

    path: str
    line: int
    text: str
    needs: tuple[tuple[str, int, int], ...]


@dataclasses.dataclass(frozen=True)
class Run:
    """A run: when it began, what it measured, and the texts of the files as they were then."""

    began: float
    measured: tuple[Measured, ...]
    texts: dict[str, str]


class Evidence:
    """What the runs below a folder showed; a recording is read once."""

    def __init__(self) -> None:
        self._runs: dict[str, tuple[object, Run | None]] = {}

    def beside(self, folder: str, path: str, texts: Mapping[str, str]) -> list[tuple[int, str]]:
        """Lines of a file with what the newest run showed that went through it, where nothing has changed.

        `texts` are those that the editor has, by full path.
        """
        for run in self._newest(folder):
            about = [one for one in run.measured if one.path == path]
            if about:
                matching = _Matching(run.texts, texts)
                placed = ((matching.line(one), one.text) for one in about)
                return [(line, text) for line, text in placed if line is not None]
        return []

    def _newest(self, folder: str) -> Iterator[Run]:
        for entry in _entries(os.path.join(folder, FOLDER)):
            state = stamp_of(entry)
            known = self._runs.get(entry)
            if known is None or known[0] != state:
                known = self._runs[entry] = state, _read(entry)
            if known[1] is not None:
                yield known[1]


def _entries(folder: str) -> list[str]:
    """The recordings, newest first: files, and folders with one for each process."""
    try:
        found = [entry for entry in pathlib.Path(folder).iterdir() if entry.suffix in ("", ".jsonl")]
        dated = sorted(((entry.stat().st_mtime, str(entry)) for entry in found), reverse=True)
    except OSError:
        return []
    return [entry for _, entry in dated[:MOST_RUNS]]


def _read(entry: str) -> Run | None:
    try:
        recordings = [one for file in find_recordings(entry) for one in read_recordings(file)]
    except GraphdoctorError:
        return None
    recordings = [one for one in recordings if not one.is_dry and not one.header.redacted]
    if not recordings:
        return None
    began, directory = min(one.header.time for one in recordings), recordings[0].header.directory
    texts = _Texts(directory, began)
    measured = tuple(one for history in histories(recordings) for one in _measured(history, texts))
    return Run(began, measured, texts.known) if _are_over(recordings) else None


def _are_over(recordings: Sequence[Recording]) -> bool:
    """Whether the run is over: before that its figures are not whole."""
    return all(recording.end is not None for recording in recordings)


class _Texts:
    """The files that a run went through, as far as they have not been written since it began."""

    def __init__(self, directory: str, began: float) -> None:
        self._directory, self._began = directory, began
        self.known: dict[str, str] = {}
        self._extents: dict[str, list[tuple[str, int, int]]] = {}

    def full(self, path: str) -> str:
        """The full path of a file as a recording names it."""
        return os.path.normpath(os.path.join(self._directory, path))

    def extent(self, path: str, line: int) -> tuple[str, int, int] | None:
        """The lines of the innermost function around a line, or the line; None where the file is another."""
        path = self.full(path)
        if path not in self._extents:
            self._extents[path] = self._functions(path)
        if path not in self.known:
            return None
        around = [each for each in self._extents[path] if each[1] <= line <= each[2]]
        return max(around, key=lambda each: each[1]) if around else (path, line, line)

    def _functions(self, path: str) -> list[tuple[str, int, int]]:
        if not path.endswith(".py") or stamp_of(path)[0] >= self._began * 1e9:
            return []
        try:
            text = read_source(path)
            module = parse_module(path, text)
        except GraphdoctorError:
            return []
        self.known[path] = text
        return [
            (path, each.ref.line, each.node.end_lineno or each.ref.line) for each in module.functions.values()
        ]


def _measured(history: History, texts: _Texts) -> Iterator[Measured]:
    """Beside the function, how often it was traced; beside each call, how often that was the reason."""
    if not history.is_seen:
        return
    summary = history.summary()
    own = texts.extent(summary.path, summary.line)
    if own is None:
        return
    figures = f"traced {summary.traces} ×, {duration(summary.seconds)}"
    because = _because(history)
    yield Measured(own[0], summary.line, f"{figures}{because and f', because {because}'}", (own,))
    calls: dict[tuple[str, int], int] = defaultdict(int)
    for retrace in history.alarming:
        place = retrace.trace.place
        if place is not None:
            calls[place.path, place.line] += 1
    for (path, line), number in calls.items():
        call = texts.extent(path, line)
        if call is not None and because:
            text = f"{count(number, 'retrace')} of `{summary.name}`, because {because}"
            yield Measured(call[0], line, text, (own, call))


def _because(history: History) -> str:
    """`step` is a Python number."""
    causes = [cause for cause in history.summary().causes if not cause.benign and cause.label is None]
    if not causes:
        return ""
    first = max(causes, key=lambda cause: cause.count)
    if first.change is Change.PYTHON_VALUE and first.argument and _is_number(first.now):
        return f"`{first.argument}` is a Python number"
    return phrase(first.argument, first.change, first.axis)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


class _Matching:
    """Where the lines of texts as they ran are in texts as they are now."""

    def __init__(self, before: Mapping[str, str], now: Mapping[str, str]) -> None:
        self._before, self._now = before, now
        self._blocks: dict[str, list[tuple[int, int, int]]] = {}

    def line(self, measured: Measured) -> int | None:
        """The line now; None where something that it is true of has changed."""
        if any(self._moved(*needed) is None for needed in measured.needs):
            return None
        around = measured.needs[-1]
        first = self._moved(*around)
        return None if first is None else first + measured.line - around[1]

    def _moved(self, path: str, first: int, last: int) -> int | None:
        """The first of some lines now, where all of them are as they were."""
        if path not in self._blocks:
            self._blocks[path] = self._compared(path)
        for start, there, length in self._blocks[path]:
            if start < first and last <= start + length:
                return there + first - start
        return None

    def _compared(self, path: str) -> list[tuple[int, int, int]]:
        """Stretches of lines, counted from 0, that are the same."""
        before, now = LINE_END.split(self._before[path]), LINE_END.split(self._text(path))
        if before == now:
            return [(0, 0, len(before))]
        blocks = difflib.SequenceMatcher(None, before, now, autojunk=False).get_matching_blocks()
        return [(block.a, block.b, block.size) for block in blocks]

    def _text(self, path: str) -> str:
        edited = self._now.get(path)
        if edited is not None:
            return edited
        try:
            return read_source(path)
        except GraphdoctorError:
            return ""
