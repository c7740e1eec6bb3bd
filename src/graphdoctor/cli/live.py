"""`graphdoctor run --live`: one line per retrace, while the program runs.

The lines come from the recording, which grows as the program traces: nothing happens inside the
program for them, and the reasons are those of the report.
"""

import pathlib
import threading
from collections.abc import Callable, Iterator

import msgspec

from graphdoctor.recording.format import Header, Trace
from graphdoctor.recording.narration import Teller
from graphdoctor.recording.reader import Decoder
from graphdoctor.recording.selection import Selection

SECONDS_BETWEEN_LOOKS = 0.1


class Follower:
    """Reads what was added to one recording, and says what was traced again."""

    def __init__(self, path: str, selection: Selection) -> None:
        self._path = pathlib.Path(path)
        self._decoder = Decoder()
        self._read = 0
        self._rest = b""
        self._teller = Teller(selection)

    def news(self) -> Iterator[str]:
        """A line for each retrace that was recorded since the last call."""
        try:
            with self._path.open("rb") as stream:
                stream.seek(self._read)
                added = stream.read()
        except OSError:
            return
        self._read += len(added)
        *lines, self._rest = (self._rest + added).split(b"\n")
        for line in lines:
            yield from self._reported(line)

    def _reported(self, line: bytes) -> Iterator[str]:
        try:
            events = self._decoder.decode(line)
        except msgspec.MsgspecError:
            return
        for event in events:
            if isinstance(event, Header):
                self._teller.directory = event.directory
            elif isinstance(event, Trace):
                line_about_it = self._teller.tell(event)
                if line_about_it is not None:
                    yield line_about_it


class Live:
    """Looks at the recordings of a run until it ends; `find` gives those of a process."""

    def __init__(
        self, find: Callable[[int], list[str]], selection: Selection, say: Callable[[str], None]
    ) -> None:
        self._find = find
        self._process = 0
        self._selection = selection
        self._say = say
        self._followers: dict[str, Follower] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def start(self, process: int) -> None:
        """The program runs under this process id."""
        self._process = process
        self._thread.start()

    def finish(self) -> None:
        """The program ended: say the rest."""
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _follow(self) -> None:
        while not self._ended.wait(SECONDS_BETWEEN_LOOKS):
            self._look()
        self._look()

    def _look(self) -> None:
        for path in self._find(self._process):
            follower = self._followers.setdefault(path, Follower(path, self._selection))
            for line in follower.news():
                self._say(line)
