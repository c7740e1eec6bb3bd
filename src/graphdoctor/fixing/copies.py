"""A program's directory, copied: every run starts from the same files, and the user's are not touched."""

import dataclasses
import os
import pathlib
import shutil
from collections.abc import Iterator, Mapping, Sequence

from graphdoctor.errors import LaunchError
from graphdoctor.fixing.writing import encoded_like

ROOTS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
SKIPPED = {
    ".git",
    ".hg",
    ".svn",
    "__pycache__",
    "node_modules",
    ".tox",
    ".nox",
    ".mypy_cache",
    ".pytest_cache",
}
MOST_BYTES = 500 * 2**20
MOST_FILES = 20_000
LARGE_BYTES = 50 * 2**20  # a file of this size is linked, not copied


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a program lives: `root` is what is copied, `directory` where it is started, `command` for Python.

    `large` are the files, relative to the root, that are only linked.
    """

    root: str
    directory: str
    command: tuple[str, ...]
    name: str
    large: tuple[str, ...] = ()

    def started_in(self, target: str) -> str:
        """The directory of the copy in which the program is started."""
        if not _is_inside(self.directory, self.root):
            return self.directory
        return os.path.normpath(os.path.join(target, os.path.relpath(self.directory, self.root)))

    def command_in(self, target: str) -> list[str]:
        """The command there: a program named by its full path becomes that of the copy."""
        first, *others = self.command
        if os.path.isabs(first) and _is_inside(first, self.root):
            first = os.path.join(target, os.path.relpath(first, self.root))
        return [first, *others]


def copy_folder(source: str, target: str, texts: Mapping[str, str] | None = None) -> None:
    """Copy a folder, with these texts in place of some of its files."""
    for folder, names in _walk(source):
        there = os.path.join(target, os.path.relpath(folder, source))
        try:
            os.makedirs(there, exist_ok=True)
        except OSError as error:
            raise LaunchError(f"{folder} cannot be copied to {target}: {error.strerror}") from error
        for name in names:
            _copy(os.path.join(folder, name), os.path.join(there, name))
    for path, text in (texts or {}).items():
        file = pathlib.Path(target, path)
        file.write_bytes(encoded_like(file.read_bytes(), text))


def find_place(command: Sequence[str], directory: str) -> Place:
    """Where the program of a command lives; LaunchError when there is too much around it to copy."""
    directory = os.path.realpath(directory)
    program = directory if command[0] == "-m" else os.path.realpath(os.path.join(directory, command[0]))
    home = program if command[0] == "-m" else os.path.dirname(program)
    if command[0] != "-m" and not _is_inside(program, directory):
        command = [program, *command[1:]]
    if program.endswith(".ipynb"):
        command = [f"{command[0]}.py", *command[1:]]  # as the laboratory writes it
    name = command[1] if command[0] == "-m" else os.path.relpath(program, directory)
    name = name if not name.startswith("..") else program
    wanted = [_project_root(home), directory, home]
    for root in dict.fromkeys(one for one in wanted if one and _is_inside(home, one)):
        large = _large_files(root)
        if large is not None:
            return Place(root, directory, tuple(command), name, large)
    raise LaunchError(
        f"{home} holds more than {MOST_FILES} files or {MOST_BYTES >> 20} MB, and `fix` runs a copy: "
        "start it in a directory with the program alone"
    )


def _project_root(folder: str) -> str | None:
    home = os.path.expanduser("~")
    for one in (pathlib.Path(folder), *pathlib.Path(folder).parents):
        if str(one) == home:
            return None
        if any((one / mark).exists() for mark in ROOTS):
            return str(one)
    return None


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _walk(root: str) -> Iterator[tuple[str, list[str]]]:
    for folder, folders, names in os.walk(root):
        folders[:] = [
            name
            for name in folders
            if name not in SKIPPED and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
        ]
        yield folder, names


def _large_files(root: str) -> tuple[str, ...] | None:
    """The files that would only be linked; None where there is too much to copy."""
    large, files, size = [], 0, 0
    for folder, names in _walk(root):
        for name in names:
            path = os.path.join(folder, name)
            bytes_ = os.lstat(path).st_size if os.path.lexists(path) else 0
            if bytes_ >= LARGE_BYTES:
                large.append(os.path.relpath(path, root))
            else:
                size += bytes_
            files += 1
            if files > MOST_FILES or size > MOST_BYTES:
                return None
    return tuple(large)


def _copy(source: str, target: str) -> None:
    """Copy a file; large files and links are linked."""
    try:
        if os.path.islink(source) or not os.path.isfile(source) or os.path.getsize(source) >= LARGE_BYTES:
            if os.path.islink(source) or os.path.isfile(source):
                os.symlink(os.path.realpath(source), target)
        else:
            shutil.copy2(source, target)
            os.chmod(target, os.stat(target).st_mode | 0o200)
    except OSError as error:
        raise LaunchError(f"{source} cannot be copied: {error.strerror}") from error
