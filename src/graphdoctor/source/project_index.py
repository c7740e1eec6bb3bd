"""The project around some files, read and parsed once for all that asks about it."""

import ast
import functools
import os
from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from graphdoctor.errors import SourceError
from graphdoctor.source.files import find_files, read_bytes
from graphdoctor.source.importers import Imports, project_root
from graphdoctor.source.notebooks import cells_that_ran
from graphdoctor.source.parts import is_test_file

MOST_FILES = 2000
SWITCH = "run_functions_eagerly"
T = TypeVar("T")
Stamp = tuple[int, int]
NO_FILE: Stamp = (0, -1)


class ProjectIndex:
    """Files, texts and syntax of projects; a file is read and parsed when it is first asked for, and once.

    `texts` are those that stand for the file of their name, as an editor has them before they are saved.
    After `refresh` only what has changed is read and parsed again.
    """

    def __init__(self, exclude: tuple[str, ...] = (), texts: Mapping[str, str] | None = None) -> None:
        self.exclude = exclude
        self._codes: dict[str, tuple[Stamp, str]] = {}
        self._trees: dict[str, ast.Module | None] = {}
        self._answers: dict[str, dict[Callable[[str], object], object]] = {}
        self._found: dict[str, tuple[dict[str, Stamp], list[str]]] = {}
        self._imports = Imports(exclude)
        self._begin(texts or {})

    def _begin(self, texts: Mapping[str, str]) -> None:
        """Answers that hold while no file changes."""
        self._given = {os.path.abspath(path): text for path, text in texts.items()}
        # What is in no file yet is imported and used by no other file: the project need not be read for it.
        self._is_unsaved = bool(self._given) and not any(map(os.path.exists, self._given))
        self.root = functools.cache(project_root)
        self.cells_that_ran = functools.cache(_ran)
        self._switching = functools.cache(self._find_switching)
        self._importers = functools.cache(lambda path: tuple(self._imports.leading_to([path])))

    def refresh(self, texts: Mapping[str, str]) -> None:
        """Forget what is known of files that have changed since; `texts` are those that are edited now."""
        before = self._given
        self._begin(texts)
        saved = {path for path, (then, _) in self._codes.items() if then != stamp_of(path)}
        typed = {path for path in self._codes if before.get(path) != self._given.get(path)}
        for path in saved | typed:
            del self._codes[path]
            self._trees.pop(path, None)
            self._answers.pop(path, None)
        moved = [
            root
            for root, (looked, _) in self._found.items()
            if any(then != stamp_of(path) for path, then in looked.items())
        ]
        for root in moved:
            del self._found[root]
        if saved or moved:
            self._imports = Imports(self.exclude)

    def files(self, root: str) -> list[str]:
        """The files of a project, by their full paths."""
        return list(self._given) if self._is_unsaved else self._files(root)

    def code(self, path: str) -> str:
        """The Python in a file or notebook; empty where it cannot be read."""
        path = os.path.abspath(path)
        if path not in self._codes:
            self._codes[path] = stamp_of(path), self._read(path)
        return self._codes[path][1]

    def tree(self, path: str) -> ast.Module | None:
        """The syntax of a file; None where it is not Python."""
        path = os.path.abspath(path)
        if path not in self._trees:
            self._trees[path] = self._parse(path)
        return self._trees[path]

    def answer(self, question: Callable[[str], T], path: str) -> T:
        """What a function says of the text of a file; it is asked once for each text."""
        text = self.code(path)
        known = self._answers.setdefault(os.path.abspath(path), {})
        if question not in known:
            known[question] = question(text)
        return cast(T, known[question])

    def importers(self, path: str) -> tuple[str, ...]:
        """The files of the project that import a file, or an importer of it."""
        return () if self._is_unsaved else self._importers(path)

    def eager_switch(self, path: str) -> str:
        """The program that switches graphs off and leads to a file by its imports; empty where none does."""
        switching = self._switching(self.root(path))
        if not switching:
            return ""
        return next((each for each in self.importers(path) if os.path.abspath(each) in switching), "")

    def _find_switching(self, root: str) -> frozenset[str]:
        files = self.files(root)[:MOST_FILES]
        named = (path for path in files if not is_test_file(path) and SWITCH in self.code(path))
        return frozenset(path for path in named if _switches_eager(self.tree(path)))

    def _files(self, root: str) -> list[str]:
        if root not in self._found:
            looked: list[str] = []
            files = [os.path.abspath(path) for path, _ in find_files([root], self.exclude, looked)]
            self._found[root] = {path: stamp_of(path) for path in looked}, files
        return self._found[root][1]

    def _read(self, path: str) -> str:
        from graphdoctor.source import read_notebook_or_source

        if path in self._given:
            return self._given[path]
        try:
            return read_notebook_or_source(path)
        except SourceError:
            return ""

    def _parse(self, path: str) -> ast.Module | None:
        try:
            return ast.parse(self.code(path))
        except (SyntaxError, ValueError, RecursionError):
            return None


def stamp_of(path: str) -> Stamp:
    """When a file or folder was last written, and its size."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return NO_FILE
    return status.st_mtime_ns, status.st_size


def _ran(path: str) -> frozenset[int]:
    """The code cells of a notebook that ran to their end."""
    if not path.endswith(".ipynb"):
        return frozenset()
    try:
        return cells_that_ran(path, read_bytes(path))
    except SourceError:
        return frozenset()


def _switches_eager(tree: ast.Module | None) -> bool:
    """Whether a module calls the switch with True, anywhere."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call)) if tree is not None else ()
    return any(
        _last_name(call.func) == SWITCH
        and any(isinstance(given, ast.Constant) and given.value is True for given in _given(call))
        for call in calls
    )


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
