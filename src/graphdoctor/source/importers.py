"""The files of a project that lead to some of its files: whoever imports them, and whoever imports these."""

import itertools
import os
import pathlib
import re
from collections.abc import Iterable

from graphdoctor.errors import SourceError
from graphdoctor.source.files import find_files, read_bytes

MOST_IMPORTERS = 200
MOST_FILES = 5000
ROOTS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
# The names in a file's imports, also over several lines; what is not an import after all costs only time.
IMPORTS = re.compile(rb"^[ \t]*(?:from|import)[ \t]+(?:[^\n(]*\([^)]*\)|[^\n]*)", re.MULTILINE)
NAME = re.compile(rb"\w+")


def find_importers(paths: Iterable[str], exclude: tuple[str, ...] = ()) -> list[str]:
    """The other files of the project whose imports name one of the files, or an importer.

    Names are compared, not places: a file too many is looked at, none is missed.
    """
    given = set(paths)
    files = itertools.islice(find_files(sorted({_root(path) for path in given}), exclude), MOST_FILES)
    imported = {path: _imported_names(path) for path, _ in files if path not in given}
    found: list[str] = []
    waiting = {_name(path) for path in given}
    while waiting and len(found) < MOST_IMPORTERS:
        new = [path for path, names in imported.items() if names & waiting]
        for path in new:
            del imported[path]
        found += new
        waiting = {_name(path) for path in new}
    return found[:MOST_IMPORTERS]


def _root(path: str) -> str:
    """The folder of the project: one that says so, else the one around the outermost package."""
    folders = pathlib.Path(path).absolute().parents
    for folder in folders:
        if any((folder / root).exists() for root in ROOTS):
            return str(folder)
    return str(next(folder for folder in folders if not (folder / "__init__.py").exists()))


def _name(path: str) -> bytes:
    """The last part of the name under which a file is imported."""
    folder, file = os.path.split(path)
    stem = os.path.splitext(file)[0]
    return (os.path.basename(folder) if stem == "__init__" else stem).encode()


def _imported_names(path: str) -> set[bytes]:
    try:
        data = read_bytes(path)
    except SourceError:
        return set()
    return {name for text in IMPORTS.findall(data) for name in NAME.findall(text)}
