"""The files of a project that lead to some of its files: whoever imports them, and whoever imports these."""

import ast
import itertools
import os
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from graphdoctor.errors import SourceError
from graphdoctor.source.files import find_files, read_bytes

if TYPE_CHECKING:
    from graphdoctor.source.project import Project

MOST_IMPORTERS = 200
MOST_FILES = 5000
ROOTS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
# The names in a file's imports, also over several lines; what is not an import after all costs only time.
IMPORTS = re.compile(rb"^[ \t]*(?:from|import)[ \t]+(?:[^\n(]*\([^)]*\)|[^\n]*)", re.MULTILINE)
NAME = re.compile(rb"\w+")


def find_importers(paths: Iterable[str], exclude: tuple[str, ...] = ()) -> list[str]:
    """The other files of the project that import one of the files, or an importer.

    Names are compared first: few files name what is looked for, and only these are parsed.
    """
    given = set(paths)
    files = itertools.islice(find_files(sorted({project_root(path) for path in given}), exclude), MOST_FILES)
    imported = {path: _imported_names(path) for path, _ in files if path not in given}
    if not imported:
        return []
    from graphdoctor.source.project import Project

    project, waiting = Project(), list(given)
    found: list[str] = []
    targets: dict[str, set[str]] = {}
    while waiting and len(found) < MOST_IMPORTERS:
        names, wanted = {_name(path) for path in waiting}, set(map(os.path.abspath, waiting))
        waiting = []
        for path in [path for path, known in imported.items() if known & names]:
            if path not in targets:
                targets[path] = set(_imported_files(project, path))
            if targets[path] & wanted:
                del imported[path]
                waiting.append(path)
        found += waiting
    return found[:MOST_IMPORTERS]


def _imported_files(project: "Project", path: str) -> Iterator[str]:
    """The files of the project that a file imports, or from which it imports a name."""
    try:
        tree = ast.parse(read_bytes(path))
    except (SourceError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            names = [f"{module}.{name}" if node.module else module + name for name in names if name != "*"]
            names.append(module)
        for name in names:
            located = project.locate(name, path)
            if located is not None:
                yield os.path.abspath(located[0])


def project_root(path: str) -> str:
    """The folder of the project: one that says so, else the one around the outermost package."""
    folders = list(_folders_above(os.path.abspath(path)))
    for folder in folders:
        if any(os.path.exists(os.path.join(folder, root)) for root in ROOTS):
            return folder
    return next(folder for folder in folders if not os.path.exists(os.path.join(folder, "__init__.py")))


def _folders_above(path: str) -> Iterator[str]:
    while os.path.dirname(path) != path:
        path = os.path.dirname(path)
        yield path


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
