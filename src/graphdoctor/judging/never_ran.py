"""Findings in code that cannot have run: a note, where something else ends it before."""

import ast
import functools
import os
from collections.abc import Iterable

from msgspec.structs import replace

from graphdoctor.errors import SourceError
from graphdoctor.model import Evidence, Finding, Severity, Span
from graphdoctor.source import read_notebook_or_source
from graphdoctor.source.project import Project
from graphdoctor.source.unbound import bodies_around, bound_names, ends_before

COUNTED = (Severity.ERROR, Severity.WRONG, Severity.SLOW)


def lowered_where_it_never_ran(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, as notes where the way to them leads through code that ends before it comes there.

    It imports from a module of the project what that does not define, or a function on the way has used a
    name by then that nothing binds: whoever mends that will run it for the first time.
    """
    files = functools.cache(_File)
    return [
        replace(finding, severity=Severity.NOTE) if _never_ran(finding, files) else finding
        for finding in findings
    ]


def _never_ran(finding: Finding, files: "functools._lru_cache_wrapper[_File]") -> bool:
    if finding.severity not in COUNTED or finding.evidence is not Evidence.SOURCE:
        return False
    way: tuple[Span, ...] = (*finding.reached, finding)
    return any(
        files(place.path).lacks_import or files(place.path).lacks_name(place)
        for place in way
        if place.path.endswith(".py")
    )


class _File:
    """What one file of the project uses that is not there."""

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            self._text = read_notebook_or_source(path)
            self._tree: ast.Module | None = ast.parse(self._text)
        except (SourceError, SyntaxError, ValueError, RecursionError):
            self._text, self._tree = "", None

    @functools.cached_property
    def lacks_import(self) -> bool:
        """Whether the file imports a name that a module of the project does not have."""
        if self._tree is None or "sys.path" in self._text:
            return False
        imports = [node for node in self._tree.body if isinstance(node, ast.ImportFrom)]
        return any(_is_lacking(Project(), self._path, node) for node in imports)

    @functools.cached_property
    def _bound(self) -> frozenset[str] | None:
        return bound_names(self._tree) if self._tree is not None else None

    def lacks_name(self, place: Span) -> bool:
        """Whether what leads to a place has ended by then, for want of a name that nothing binds."""
        if self._bound is None or self._tree is None:
            return False
        bodies = bodies_around(self._tree, place.line)
        return any(ends_before(body, place.line, self._bound) for body in bodies)


def _is_lacking(project: Project, path: str, node: ast.ImportFrom) -> bool:
    target = "." * node.level + (node.module or "")
    located = project.locate(target, path)
    if located is None or located[1] or not (node.level or _is_beside(located[0], path, node.module or "")):
        return False
    try:
        names = bound_names(ast.parse(read_notebook_or_source(located[0])))
    except (SourceError, SyntaxError, ValueError, RecursionError):
        return False
    if names is None:
        return False
    folder, file = os.path.split(located[0])
    inside = (
        {each.partition(".")[0] for each in os.listdir(folder or ".")} if file == "__init__.py" else set()
    )
    return not {alias.name for alias in node.names} <= {"*", *names, *inside}


def _is_beside(located: str, path: str, module: str) -> bool:
    """Whether a file is where Python looks first when the importing one runs as a program."""
    first = os.path.join(os.path.dirname(path), module.partition(".")[0])
    return os.path.abspath(located).startswith(
        (os.path.abspath(f"{first}.py"), os.path.abspath(first) + os.sep)
    )
