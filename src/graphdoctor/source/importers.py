"""The files of a project that lead to some of its files: whoever imports them, and whoever imports these."""

import ast
import functools
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
    """The other files of the project that import one of the files, or an importer."""
    return Imports(exclude).leading_to(paths)


class Imports:
    """Which files of projects import each other; a file is read when it is first asked for, and once."""

    def __init__(self, exclude: tuple[str, ...] = ()) -> None:
        self._exclude = exclude
        self._files: dict[str, list[str]] = {}
        self._names: dict[str, set[bytes]] = {}
        self._targets: dict[str, set[str]] = {}

    def leading_to(self, paths: Iterable[str]) -> list[str]:
        """The other files that import one of the files, or an importer.

        Names are compared first: few files name what is looked for, and only these are parsed.
        """
        given, found = set(paths), list[str]()
        roots = sorted({project_root(path) for path in given})
        left = dict.fromkeys(path for root in roots for path in self._files_of(root) if path not in given)
        waiting = list(given) if left else []
        while waiting and len(found) < MOST_IMPORTERS:
            names, wanted = {_name(path) for path in waiting}, set(map(os.path.abspath, waiting))
            naming = [path for path in left if not names.isdisjoint(self._names_in(path))]
            waiting = [path for path in naming if not wanted.isdisjoint(self._targets_of(path))]
            for path in waiting:
                del left[path]
            found += waiting
        return found[:MOST_IMPORTERS]

    def _files_of(self, root: str) -> list[str]:
        if root not in self._files:
            files = itertools.islice(find_files([root], self._exclude), MOST_FILES)
            self._files[root] = [path for path, _ in files]
        return self._files[root]

    def _names_in(self, path: str) -> set[bytes]:
        if path not in self._names:
            self._names[path] = _imported_names(path)
        return self._names[path]

    def _targets_of(self, path: str) -> set[str]:
        if path not in self._targets:
            self._targets[path] = set(_imported_files(self._project, path))
        return self._targets[path]

    @functools.cached_property
    def _project(self) -> "Project":
        from graphdoctor.source.project import Project

        return Project()


def _imported_files(project: "Project", path: str) -> Iterator[str]:
    from graphdoctor.source import read_notebook_or_source

    try:
        tree = ast.parse(read_notebook_or_source(path))
    except (SourceError, SyntaxError, ValueError):
        return
    yield from map(os.path.abspath, imported_files(project, path, tree))


def imported_files(project: "Project", path: str, tree: ast.Module) -> Iterator[str]:
    """The files of the project that a file imports, or from which it imports a name."""
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            names = [f"{module}.{name}" if node.module else module + name for name in names if name != "*"]
            names.append(module)
        for name in names:
            located = project.locate(name, path)
            if located is not None:
                yield located[0]


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
