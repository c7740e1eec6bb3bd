"""Code that cannot have run: it uses a name that nothing defines."""

import ast
import functools
import os

from graphdoctor.model import Span
from graphdoctor.source.project import Project
from graphdoctor.source.project_index import ProjectIndex
from graphdoctor.source.unbound import bound_names, missing_before


class EarlyEnds:
    """Answers for the files of an index where code ends for want of a name.

    It imports from a module of the project what that does not define, or has used a name by then that
    nothing binds: whoever fixes that will run it for the first time.
    """

    def __init__(self, index: ProjectIndex) -> None:
        self._index = index
        self._missing_import = functools.cache(self._find_missing_import)
        self._bound = functools.cache(self._find_bound)

    def missing_before(self, place: Span) -> str:
        """The name for want of which what leads to a place has ended by then; empty where nothing has."""
        path = os.path.abspath(place.path)
        if not path.endswith(".py"):
            return ""
        return self._missing_import(path) or self._missing_name(path, place.line)

    def _missing_name(self, path: str, line: int) -> str:
        tree, bound = self._index.tree(path), self._bound(path)
        if tree is None or bound is None:
            return ""
        return missing_before(tree, line, bound)

    def _find_bound(self, path: str) -> frozenset[str] | None:
        tree = self._index.tree(path)
        return bound_names(tree) if tree is not None else None

    def _find_missing_import(self, path: str) -> str:
        """A name that the file imports and that a module of the project does not have."""
        tree = self._index.tree(path)
        if tree is None or "sys.path" in self._index.code(path):
            return ""
        imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
        return next(filter(None, (self._lacking(Project(), path, node) for node in imports)), "")

    def _lacking(self, project: Project, path: str, node: ast.ImportFrom) -> str:
        target = "." * node.level + (node.module or "")
        located = project.locate(target, path)
        beside = located is not None and (node.level or _is_beside(located[0], path, node.module or ""))
        if located is None or located[1] or not beside:
            return ""
        names = self._bound(os.path.abspath(located[0]))
        if names is None:
            return ""
        folder, file = os.path.split(located[0])
        inside = (
            {each.partition(".")[0] for each in os.listdir(folder or ".")} if file == "__init__.py" else set()
        )
        known = {"*", *names, *inside}
        return next((alias.name for alias in node.names if alias.name not in known), "")


def _is_beside(located: str, path: str, module: str) -> bool:
    """Whether a file is where Python looks first when the importing one runs as a program."""
    first = os.path.join(os.path.dirname(path), module.partition(".")[0])
    return os.path.abspath(located).startswith(
        (os.path.abspath(f"{first}.py"), os.path.abspath(first) + os.sep)
    )
