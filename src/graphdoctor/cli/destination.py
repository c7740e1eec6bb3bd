"""Where a run is recorded: one file, or a directory with one for each process; the last few are kept."""

import contextlib
import dataclasses
import itertools
import os
import pathlib
import shutil

from graphdoctor.errors import LaunchError
from graphdoctor.observer.starting import CHILDREN
from graphdoctor.recording import recordings_in

FOLDER = ".graphdoctor"
KEPT = 10


@dataclasses.dataclass(frozen=True)
class Destination:
    """`pattern` names the recording of a process, with `{pid}` in its stead; `directory` holds several."""

    pattern: str
    directory: str | None = None

    @classmethod
    def choose(cls, asked_for: str | None, program: str, subprocesses: bool) -> "Destination":
        """The place the user named, or a new one in the folder of the last few recordings."""
        if asked_for is None:
            _prepare(FOLDER)
        if not subprocesses:
            return cls(os.path.abspath(asked_for or f"{FOLDER}/{program}-{{pid}}.jsonl"))
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
        return cls(os.path.join(directory, "{pid}.jsonl"), directory)

    def files(self, process: int) -> list[str]:
        """What was recorded: nothing when TensorFlow was not imported."""
        if self.directory is not None:
            return recordings_in(self.directory)
        file = self.pattern.replace("{pid}", str(process))
        return [file] if os.path.exists(file) else []

    def child_seconds(self, process: int) -> float | None:
        """What the processes took that a program without TensorFlow started; None when that is nothing."""
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
    """Make the folder, which version control ignores, and let go of all but the last few in it."""
    path = pathlib.Path(folder)
    with contextlib.suppress(OSError):  # the observer says so once, and the program goes on
        path.mkdir(exist_ok=True)
        (path / ".gitignore").write_text("*\n")
        recordings = [entry for entry in path.iterdir() if entry.name != ".gitignore"]
        for old in sorted(recordings, key=lambda entry: entry.stat().st_mtime)[: 1 - KEPT]:
            if old.suffix == ".jsonl":
                old.unlink()
            elif all(file.suffix == ".jsonl" for file in old.iterdir()):
                shutil.rmtree(old)


def _unused(directory: str) -> str:
    """The name, with a number when an earlier run had it."""
    if not os.path.exists(directory):
        return directory
    return next(name for n in itertools.count(2) if not os.path.exists(name := f"{directory}-{n}"))
