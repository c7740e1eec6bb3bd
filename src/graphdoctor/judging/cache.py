"""What was found in files that have not changed since, nor anything they depend on."""

import contextlib
import os
import secrets
import stat

import msgspec

from graphdoctor.config import Config
from graphdoctor.judging.coverage import Seen
from graphdoctor.model import Finding
from graphdoctor.model.digests import digest
from graphdoctor.model.reading import read_regular
from graphdoctor.rule_packages import state_of_packages
from graphdoctor.source.keras_generation import sign_of_generation
from graphdoctor.version import __version__

FOLDER = ".graphdoctor_cache"
IGNORE_ALL = b"*\n"
MOST_BYTES = 2**30
OWN_FILES = (".py", ".json", ".so", ".pyd")
OWN_FOLDERS = ("model", "source", "dryrun", "recording", "rules", "refactoring", "judging")


class State(msgspec.Struct, frozen=True, array_like=True):
    """A file as it was: its time and size are enough when they are the same, else its digest decides.

    That a file was not there is a state, too: an answer may depend on it. Of a folder it is the names of
    the modules and folders in it.
    """

    time: int
    size: int
    digest: str


ABSENT = State(0, -1, "")


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """What was found from one file, and the files that were looked into for it."""

    findings: tuple[Finding, ...]
    depends: tuple[str, ...]
    keras: int = 0
    used: tuple[tuple[str, int], ...] = ()
    seen: tuple[Seen, ...] = ()


class _Content(msgspec.Struct, array_like=True):
    key: str
    states: dict[str, State]
    entries: dict[str, Entry]


class Cache:
    """One file per configuration; a damaged or unwritable one is as good as none."""

    def __init__(self, directory: str, config: Config) -> None:
        key = digest(_own_code() + repr(config).encode(), 12)
        self._folder = os.path.join(directory, FOLDER)
        self._file = os.path.join(self._folder, f"{key}.json")
        self._key = key
        self._content = _Content(key, {}, {})
        self._now: dict[str, State] = {}
        self._generations: dict[str, int] = {}
        self._required: dict[str, int | None] = {}
        self._changed = False
        with contextlib.suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError, ValueError):
            content = msgspec.json.decode(read_regular(self._file, MOST_BYTES), type=_Content)
            if content.key == key:
                self._content = content

    def find(self, path: str) -> Entry | None:
        """What was found from a file, when nothing it depends on has changed; else None."""
        entry = self._content.entries.get(path)
        if entry is None or not all(self._is_unchanged(other) for other in entry.depends):
            return None
        return entry if self._generation(path) == entry.keras else None

    def keep(self, path: str, entry: Entry) -> None:
        """Remember what was found from a file."""
        self._content.entries[path] = entry
        self._changed = True
        for other in entry.depends:
            self._content.states[other] = self._state(other)

    def write(self) -> None:
        """Write it all in one step, so that two processes at once cannot mix their halves."""
        if not self._changed or os.path.islink(self._folder):
            return
        draft = os.path.join(self._folder, f"{self._key}.{secrets.token_hex(8)}")
        with contextlib.suppress(OSError, UnicodeEncodeError):  # names that are no UTF-8
            os.makedirs(self._folder, exist_ok=True)
            ignore = os.path.join(self._folder, ".gitignore")
            with contextlib.suppress(FileExistsError):
                _write_new(ignore, IGNORE_ALL)
            _write_new(draft, msgspec.json.encode(self._content))
            os.replace(draft, self._file)

    def _generation(self, path: str) -> int:
        folder = os.path.dirname(path)
        if folder not in self._generations:
            self._generations[folder] = sign_of_generation(folder, self._required)
        return self._generations[folder]

    def _is_unchanged(self, path: str) -> bool:
        then = self._content.states.get(path)
        if then is None:
            return False
        return self._state(path, then).digest == then.digest

    def _state(self, path: str, then: State | None = None) -> State:
        if path not in self._now:
            self._now[path] = _look(path, then)
        return self._now[path]


def _look(path: str, then: State | None) -> State:
    try:
        status = os.stat(path)
        if then is not None and (status.st_mtime_ns, status.st_size) == (then.time, then.size):
            return then
        content = _names(path) if stat.S_ISDIR(status.st_mode) else read_regular(path)
        return State(status.st_mtime_ns, status.st_size, digest(content, 16))
    except OSError:
        return ABSENT


def _write_new(path: str, content: bytes) -> None:
    """Write a file that is not there yet, through no link."""
    with open(path, "xb") as file:
        file.write(content)


def _names(folder: str) -> bytes:
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries if entry.name.endswith(".py") or entry.is_dir()]
    shown = sorted(name for name in names if not name.startswith(".") and name != "__pycache__")
    return os.fsencode("|".join(shown))  # a name need not be text


def _own_code() -> bytes:
    """Our version, the times of our own files and of packages with rules: answers change with them."""
    package = os.path.dirname(os.path.dirname(__file__))
    parts = [__version__, state_of_packages()]
    waiting = [os.path.join(package, name) for name in OWN_FOLDERS]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.endswith(OWN_FILES):
                    parts.append(f"{entry.name}{entry.stat().st_mtime_ns}")
                elif entry.is_dir():
                    waiting.append(entry.path)
    return "|".join(parts).encode()
