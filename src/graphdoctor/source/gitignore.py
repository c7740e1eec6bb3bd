"""Which files git is told to ignore."""

import fnmatch
import functools
import os
import re
from typing import Any

# What of a line is no plain text that each path that it names has, too.
OTHER_THAN_TEXT = re.compile(r"\[[^]]*\]?|[*?!/\\#]|\s+$")


class IgnoredByGit:
    """The `.gitignore` files of a directory and of those above it, up to the root of the repository."""

    def __init__(self, directory: str) -> None:
        self._patterns: list[tuple[str, list[tuple[str, str]]]] = []
        current = os.path.abspath(directory)
        above: list[str] = []
        while not os.path.exists(os.path.join(current, ".git")):
            parent = os.path.dirname(current)
            if parent == current:  # not in a repository: nothing above concerns us
                above = []
                break
            above.append(parent)
            current = parent
        for folder in reversed(above):
            self.read(folder)
        if self.is_ignored(directory.rstrip("/") + "/"):  # named by the user all the same
            self._patterns.clear()

    def read(self, folder: str) -> None:
        """Take in the `.gitignore` of a folder, when there is one."""
        try:
            with open(os.path.join(folder, ".gitignore"), encoding="utf-8", errors="replace") as file:
                lines = [line for line in file.read().splitlines() if line.strip()]
        except OSError:
            return
        texts = [max(OTHER_THAN_TEXT.split(line), key=len) for line in lines]
        self._patterns.append((os.path.abspath(folder), list(zip(lines, texts, strict=True))))

    def is_ignored(self, path: str) -> bool:
        """Whether one of them names a path; folders end with a slash."""
        if not self._patterns:
            return False
        slash = "/" if path.endswith("/") else ""
        absolute = os.path.abspath(path)
        return any(
            absolute.startswith(folder + os.sep)
            and _names(patterns, absolute[len(folder) + 1 :].replace(os.sep, "/") + slash)
            for folder, patterns in self._patterns
        )


def _names(patterns: list[tuple[str, str]], path: str) -> bool:
    """Whether the lines of a file name a path; only those are made patterns whose text it has."""
    lines = tuple([line for line, text in patterns if text in path and _may_name(line, path)])
    return bool(lines) and bool(_compiled(lines).match_file(path))


def _may_name(line: str, path: str) -> bool:
    """Whether a line can name a path: False without asking the library, which takes long to import."""
    pattern = line.rstrip().rstrip("/")
    if any(sign in pattern for sign in ("/", "\\", "!", "[^")):
        return True
    parts = path.rstrip("/").split("/")
    return not line.startswith("#") and any(fnmatch.fnmatchcase(part, pattern) for part in parts)


@functools.lru_cache(maxsize=4096)
def _compiled(lines: tuple[str, ...]) -> Any:
    from pathspec import GitIgnoreSpec  # only where there is something to match

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:  # a pattern that git would not understand either
        return GitIgnoreSpec.from_lines(())
