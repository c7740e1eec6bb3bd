"""Texts that are checked again and again, as an editor has them: what they import is followed once."""

import dataclasses
import os
import time
from collections.abc import Callable, Mapping

from graphdoctor.config import Config
from graphdoctor.judging.checks import check_text
from graphdoctor.model import Report
from graphdoctor.source import Module, parse_module, read_notebook_or_source
from graphdoctor.source.keras_generation import sign_of_generation
from graphdoctor.source.project import Project
from graphdoctor.source.project_index import ProjectIndex, Stamp, stamp_of
from graphdoctor.source.remembering import forget_files

MOST_PROJECTS = 4
MOST_CHECKS = 200  # then what nobody refers to any more is let go


@dataclasses.dataclass
class _Followed:
    """A project in which one text was checked: right for the next one while what it imports is as it was."""

    project: Project
    texts: dict[str, str]
    sign: int
    states: dict[str, object] = dataclasses.field(default_factory=dict)
    checks: int = 0


class Session:
    """Checks of texts in one folder with one configuration.

    Each gives what a check by itself gives; what was read, parsed and followed for an earlier one is used
    again where it has not changed. The working directory is that folder, as for `graphdoctor check`.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        self._index = ProjectIndex(config.exclude)
        self._followed: dict[str, _Followed] = {}

    def check(
        self,
        path: str,
        text: str,
        texts: Mapping[str, str] | None = None,
        go_on: Callable[[], None] = lambda: None,
    ) -> Report:
        """Everything that a text shows; SourceError when it is not Python.

        `texts` are those of other files that are edited, by their full paths, notebooks as Python. `go_on`
        is asked now and then, and raises Cancelled where nobody waits for the answer any more.
        """
        others = {name: other for name, other in (texts or {}).items() if name != os.path.abspath(path)}
        sign = sign_of_generation(os.path.dirname(path))
        before = self._followed.pop(path, None)
        followed = before if self._is_right(path, before, others, sign) else None
        if followed is None:
            followed = self._open(sign, before)
        project, begun = followed.project, time.time_ns()
        project.go_on, project.consulted = go_on, {path}
        followed.texts.clear()
        followed.texts.update(others)
        try:
            return check_text(path, text, self._config, project, self._index_for(path, text, others))
        finally:  # also when it is cancelled: that is between two entries of the dry run
            project.go_on = lambda: None
            self._keep(path, followed, begun)

    def forget_files(self) -> None:
        """Somebody wrote, moved or deleted files of the project."""
        forget_files()

    def follows(self, path: str, other: str) -> bool:
        """Whether the last check of a file looked into another one."""
        followed = self._followed.get(path)
        states = followed.states if followed is not None else {}
        return any(os.path.abspath(each) == other for each in states)

    def _index_for(self, path: str, text: str, others: Mapping[str, str]) -> ProjectIndex | None:
        """None for a text that is in no file yet: the project does not know it."""
        if not os.path.exists(path):
            return None
        self._index.refresh({**others, path: _python(path, text)})
        return self._index

    def _is_right(self, path: str, last: _Followed | None, others: Mapping[str, str], sign: int) -> bool:
        """Whether nothing that the last check of this file followed has changed."""
        if last is None or last.sign != sign or last.checks >= MOST_CHECKS:
            return False
        last.checks += 1
        if path in last.project.imported:  # what imports it holds what it defined
            return False
        return all(then == _state(other, others) for other, then in last.states.items())

    def _open(self, sign: int, before: _Followed | None) -> _Followed:
        """A new project, which takes the syntax of files that are as they were from an earlier one."""
        texts: dict[str, str] = {}
        parsed = {module.path: module for module in before.project.modules} if before is not None else {}
        checks = before.checks if before is not None and before.checks < MOST_CHECKS else 0

        def parse(path: str, text: str) -> Module:
            module = parsed.get(path) if checks else None
            if module is None or module.text != text or path.endswith(".ipynb"):
                return parse_module(path, text, self._config.keras)
            module.attached.clear()
            return module

        def read(path: str) -> str:
            edited = texts.get(os.path.abspath(path))
            return read_notebook_or_source(path) if edited is None else edited

        return _Followed(Project(read, parse), texts, sign, checks=checks)

    def _keep(self, path: str, followed: _Followed, begun: int) -> None:
        for other in followed.project.dependencies() - {path}:
            if other not in followed.states:
                state = _state(other, followed.texts)
                written = isinstance(state, tuple) and state[0] >= begun
                followed.states[other] = None if written else state  # None: perhaps after it was read
        self._followed[path] = followed
        while len(self._followed) > MOST_PROJECTS:
            del self._followed[next(iter(self._followed))]


def _state(path: str, others: Mapping[str, str]) -> str | Stamp:
    """What tells whether a file or folder is as it was: the text that is edited, else when it was written."""
    edited = others.get(os.path.abspath(path))
    return stamp_of(path) if edited is None else edited


def _python(path: str, text: str) -> str:
    if not path.endswith(".ipynb"):
        return text
    from graphdoctor.source.notebooks import notebook_text

    return notebook_text(path, text.encode("utf-8", "surrogatepass"))
