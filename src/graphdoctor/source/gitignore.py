"""Which files git is asked to ignore."""

import functools
import os
import re
from typing import Any

from graphdoctor.model.reading import read_regular

# What of a line is no plain text that each path that it names has, too.
OTHER_THAN_TEXT = re.compile(r"\[[^]]*\]?|[*?!/\\]|^#|\s+$")
SPECIAL = re.compile(r"[][*?!\\#]|\s$")
FOLDER_MARK = "ps_d"  # the group of pathspec's patterns that ends a folder
EXCLUDE = os.path.join(".git", "info", "exclude")
Lines = list[tuple[str, list[str]]]  # each with the texts in it


class IgnoredByGit:
    """The `.gitignore` files of a directory and of those above it, up to the root of the repository.

    The last line that names a path decides, and the file in the nearest folder comes last; before all of
    them comes the repository's own `.git/info/exclude`.
    """

    def __init__(self, directory: str) -> None:
        self._patterns: list[tuple[str, Lines]] = []
        current = os.path.abspath(directory)
        above: list[str] = []
        while not os.path.exists(os.path.join(current, ".git")):
            parent = os.path.dirname(current)
            if parent == current:  # not in a repository: nothing above concerns us
                above = []
                break
            above.append(parent)
            current = parent
        else:
            self._add(current, os.path.join(current, EXCLUDE))
        for folder in reversed(above):
            self.read(folder)
        if self.is_ignored(directory.rstrip("/") + "/"):  # named by the user all the same
            self._patterns.clear()

    def read(self, folder: str) -> None:
        """Take in the `.gitignore` of a folder, when there is one."""
        self._add(folder, os.path.join(folder, ".gitignore"))

    def _add(self, folder: str, file: str) -> None:
        try:
            text = read_regular(file).decode("utf-8", errors="replace")
        except OSError:
            return
        lines = [line for line in text.split("\n") if line.strip()]
        texts = [list(filter(None, OTHER_THAN_TEXT.split(line))) for line in lines]
        self._patterns.append((os.path.abspath(folder), list(zip(lines, texts, strict=True))))

    def is_ignored(self, path: str) -> bool:
        """Whether they name a path, whose folders they do not name; folders end with a slash."""
        if not self._patterns:
            return False
        slash = "/" if path.endswith("/") else ""
        absolute = os.path.abspath(path)
        for folder, patterns in reversed(self._patterns):
            if absolute.startswith(folder.rstrip(os.sep) + os.sep):
                inside = absolute[len(folder.rstrip(os.sep)) + 1 :].replace(os.sep, "/") + slash
                answer = _decision(patterns, inside)
                if answer is not None:
                    return answer
        return False


def _decision(patterns: Lines, path: str) -> bool | None:
    """Whether the last line that names a path ignores it; None where no line names it."""
    for line, texts in reversed(patterns):
        if all(text in path for text in texts):
            answer = _answer(line.removesuffix("\r"), path)
            if answer is not None:
                return answer
    return None


def _answer(line: str, path: str) -> bool | None:
    """What one line says; the library, which is slow to import, is asked only of what is no plain name."""
    if line.startswith("#"):
        return None
    if SPECIAL.search(line) or "/" in line.rstrip("/"):
        return _said_of_itself(line, path)
    named = path.rstrip("/").rpartition("/")[2] == line.rstrip("/")
    return True if named and (path.endswith("/") or not line.endswith("/")) else None


def _said_of_itself(line: str, path: str) -> bool | None:
    """What a pattern says of a path; that it names a folder above says nothing where we are inside it."""
    pattern_text = line.rstrip()
    if not pattern_text.endswith("/"):  # `a/**` names what is in a folder, and not the folder
        path = path.rstrip("/")
    if "/" not in pattern_text.rstrip("/"):  # it names the last part of a path
        path = path[path.rstrip("/").rfind("/") + 1 :]
    for pattern in _compiled(line):
        found = pattern.match_file(path) if pattern.include is not None else None
        if found is not None:
            folder = found.match.groupdict().get(FOLDER_MARK)
            own = folder is None or found.match.end(FOLDER_MARK) == len(path)
            return bool(pattern.include) if own else None
    return None


@functools.lru_cache(maxsize=4096)
def _compiled(line: str) -> tuple[Any, ...]:
    from pathspec import GitIgnoreSpec

    try:
        return tuple(GitIgnoreSpec.from_lines((line,)).patterns)
    except ValueError:  # a pattern that git would not understand either
        return ()
