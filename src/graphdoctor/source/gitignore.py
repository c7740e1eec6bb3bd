"""Which files git is told to ignore."""

import fnmatch
import functools
import os
import re
from typing import Any

# What of a line is no plain text that each path that it names has, too.
OTHER_THAN_TEXT = re.compile(r"\[[^]]*\]?|[*?!/\\]|^#|\s+$")
Lines = list[tuple[str, list[str]]]  # each with the texts in it


class IgnoredByGit:
    """The `.gitignore` files of a directory and of those above it, up to the root of the repository."""

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
        texts = [list(filter(None, OTHER_THAN_TEXT.split(line))) for line in lines]
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


def _names(patterns: Lines, path: str) -> bool:
    """Whether the lines of a file name a path; only those are made patterns whose texts it has."""
    having = (line for line, texts in patterns if all(text in path for text in texts))
    answers = [(line, _names_plainly(line, path)) for line in having]
    if all(answer is not None for _, answer in answers):
        return any(answer for _, answer in answers)
    lines = tuple([line for line, answer in answers if answer is not False])
    return bool(_compiled(lines).match_file(path))


def _names_plainly(line: str, path: str) -> bool | None:
    """Whether a line of a simple kind names a path; None of others: the library is slow to import.

    One with a slash before its end begins at the folder of its file, any other one names a part of the path.
    """
    if line.startswith("#"):
        return False
    pattern = line.rstrip()
    name = pattern.removesuffix("/")
    if any(sign in name for sign in ("\\", "!", "**", "[")) and not _has_plain_brackets(name):
        return None
    *folders, last = path.rstrip("/").split("/")
    parts = folders if pattern.endswith("/") and not path.endswith("/") else [*folders, last]
    if "/" not in name:
        return any(_is_like(part, name) for part in parts)
    wanted = name.removeprefix("/").split("/")
    return len(wanted) <= len(parts) and all(map(_is_like, parts, wanted))


def _is_like(part: str, name: str) -> bool:
    """Whether a part of a path has a name, in which `*` and `?` may stand."""
    plain = "?" not in name and "[" not in name
    if plain and "*" not in name:
        return part == name
    if plain and name.rfind("*") == 0:
        return part.endswith(name[1:])
    return fnmatch.fnmatchcase(part, name)


def _has_plain_brackets(name: str) -> bool:
    """`*.py[cod]`: brackets that mean the same to git and to Python."""
    return re.fullmatch(r"[^][/\\!]*(?:\[\w+\][^][/\\!]*)+", name) is not None and "**" not in name


@functools.lru_cache(maxsize=4096)
def _compiled(lines: tuple[str, ...]) -> Any:
    from pathspec import GitIgnoreSpec  # only where there is something to match

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:  # a pattern that git would not understand either
        return GitIgnoreSpec.from_lines(())
