"""Where a run is recorded: one file, or a directory with one for each process; the last few are kept."""

import contextlib
import dataclasses
import itertools
import os
import pathlib
import re
import shutil
import tempfile

from graphdoctor.errors import LaunchError
from graphdoctor.observer.process.locks import is_in_use, mark_in_use
from graphdoctor.observer.starting import CHILDREN
from graphdoctor.recording import recordings_in

FOLDER = ".graphdoctor"
KEPT = 10
OWN_FILE, OWN_FOLDER, OF_PROCESS = (
    re.compile(pattern) for pattern in (r".+-\d+\.jsonl", r".+-\d+(-\d+)?", r"\d+(-\d+)?\.jsonl")
)


@dataclasses.dataclass(frozen=True)
class Destination:
    """`pattern` names the recording of a process, with `{pid}` in its stead; `directory` holds several.

    `fresh`: the user did not name it. `held` is the open folder of a run that goes on.
    """

    pattern: str
    directory: str | None = None
    fresh: bool = False
    held: int | None = None

    @classmethod
    def choose(cls, asked_for: str | None, program: str, subprocesses: bool) -> "Destination":
        """The place the user named, or a new one in the folder of the last few recordings."""
        if asked_for is None:
            _prepare(FOLDER)
        if not subprocesses:
            fresh = asked_for is None
            return cls(os.path.abspath(asked_for or f"{FOLDER}/{program}-{{pid}}.jsonl"), fresh=fresh)
        directory = os.path.abspath(asked_for or _unused(f"{FOLDER}/{program}-{os.getpid()}"))
        try:
            os.makedirs(directory, exist_ok=True)
            if any(pathlib.Path(directory).glob("*.jsonl")):
                raise LaunchError(
                    f"--recording {asked_for}: there are recordings in it; name a new directory"
                )
        except FileExistsError as error:
            raise LaunchError(
                f"--recording {asked_for}: with --subprocesses this must be a directory, not a file"
            ) from error
        except OSError:
            pass  # the observer says so once, and the program goes on
        return cls(os.path.join(directory, "{pid}.jsonl"), directory, held=_held(directory))

    def files(self, process: int) -> list[str]:
        """What was recorded: nothing when TensorFlow was not imported."""
        if self.directory is not None:
            return recordings_in(self.directory)
        file = self.pattern.replace("{pid}", str(process))
        return [file] if os.path.exists(file) else []

    def release(self) -> None:
        """The run is over and reported: later ones may delete it."""
        if self.held is not None:
            os.close(self.held)

    def obstacle(self) -> str | None:
        """Why nothing can be written there; None where something can."""
        folder = os.path.dirname(self.pattern)
        try:
            with tempfile.NamedTemporaryFile(dir=folder, prefix=".graphdoctor-") as file:
                file.write(b"\n")
                file.flush()
        except OSError as error:
            return f"{os.path.relpath(folder)} cannot be written: {error.strerror}"
        return None

    def child_seconds(self, process: int) -> float | None:
        """What the processes took that a program without TensorFlow started.

        None: nothing says that the program came to its end, or that it did not import TensorFlow.
        """
        note = pathlib.Path(self.pattern.replace("{pid}", str(process)) + CHILDREN)
        try:
            seconds = float(note.read_text(encoding="utf-8"))
            note.unlink()
        except (OSError, ValueError):
            return None
        return seconds

    @staticmethod
    def leave_nothing() -> None:
        """Nothing was recorded: a folder that holds no recording goes."""
        path = pathlib.Path(FOLDER)
        with contextlib.suppress(OSError):
            if [entry.name for entry in path.iterdir()] == [".gitignore"]:
                shutil.rmtree(path)

    def shown(self, process: int) -> str:
        """The place as the user would type it."""
        return os.path.relpath(self.directory or self.pattern.replace("{pid}", str(process)))


def _prepare(folder: str) -> None:
    """Make the folder, which version control ignores, and delete all but the last few recordings in it."""
    path = pathlib.Path(folder)
    if path.is_symlink():
        raise LaunchError(f"{folder} is a link: --recording names a place that is meant")
    with contextlib.suppress(OSError):  # the observer says so once, and the program goes on
        path.mkdir(exist_ok=True)
        with contextlib.suppress(FileExistsError), (path / ".gitignore").open("x") as file:
            file.write("*\n")
        recordings = [entry for entry in path.iterdir() if _is_own(entry)]
        for old in sorted(recordings, key=lambda entry: entry.stat().st_mtime)[: 1 - KEPT]:
            _delete(old)


def _is_own(entry: pathlib.Path) -> bool:
    """Whether we named it, and all that is in it."""
    if entry.is_symlink() or not entry.is_dir():
        return entry.is_file() and not entry.is_symlink() and OWN_FILE.fullmatch(entry.name) is not None
    inside = [file for file in entry.iterdir() if not OF_PROCESS.fullmatch(file.name)]
    return OWN_FOLDER.fullmatch(entry.name) is not None and not inside


def _delete(old: pathlib.Path) -> None:
    """Delete a recording, unless a program still writes it; what cannot be deleted stays."""
    with contextlib.suppress(OSError):
        if is_in_use(str(old)):
            return
        if old.is_dir():
            if not any(is_in_use(str(file)) for file in old.iterdir()):
                shutil.rmtree(old)
        else:
            old.unlink()


def _held(directory: str) -> int | None:
    """The folder, open and marked as in use; None where there is none."""
    try:
        descriptor = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    mark_in_use(descriptor)
    return descriptor


def _unused(directory: str) -> str:
    """The name, with a number when an earlier run had it."""
    if not os.path.exists(directory):
        return directory
    return next(name for n in itertools.count(2) if not os.path.exists(name := f"{directory}-{n}"))
