"""Findings in code that nothing in a project uses: a note, where the project is a program and no package."""

import ast
import functools
import itertools
import os
import re
from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from graphdoctor.errors import SourceError
from graphdoctor.model import Finding, Severity
from graphdoctor.source.files import find_files, read_bytes
from graphdoctor.source.importers import IMPORTS, NAME, project_root
from graphdoctor.source.parts import is_test_file

COUNTED = (Severity.ERROR, Severity.WRONG)
PACKAGED = ("setup.py", "setup.cfg", "pyproject.toml")
MOST_FILES = 2000
BY_TEXT = re.compile(rb"import_module|__import__|globals\(\)\[|(?<![\w.])(?<!def )eval\(")
# Names that people give to files and folders which they keep, and do not use.
LEFT_BEHIND = frozenset(
    ("unused", "notused", "old", "backup", "bak", "deprecated", "obsolete", "archive", "archived", "trash")
)
# What Keras, TensorFlow and trainers of other libraries call by these names.
HOOKS = frozenset(
    (
        "call", "build", "train_step", "test_step", "predict_step", "train_on_batch", "test_on_batch",
        "compute_loss", "compute_metrics", "compute_output_shape", "compute_mask", "update_state", "result",
        "reset_state", "reset_states", "get_config", "forward", "setup", "step", "apply_gradients",
        "_call", "_build", "_forward", "_inverse", "_log_prob", "_sample_n", "training_step",
        "validation_step", "loss", "map", "eval_step", "train_loop_begin", "eval_begin", "update_step",
    )
)  # fmt: skip
SPECIAL = (
    "__call__",
    "__enter__",
    "__exit__",
    "__next__",
    "__getattr__",
    "__post_init__",
    "__del__",
    "__set_name__",
)
TRAINING = frozenset(("fit", "train", "run", "main"))
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def lowered_where_unused(findings: Iterable[Finding], exclude: tuple[str, ...]) -> list[Finding]:
    """The findings, as notes where they begin in a function or class that its project never names.

    Of a package others may use it, of the scripts beside it nobody. A file that has nothing to do with any
    other stands for itself, in a project whose files have nothing to do with each other. What is called old
    or unused is.
    """
    projects: dict[str, _Names] = {}
    return [_lowered(finding, projects, exclude) for finding in findings]


def _lowered(finding: Finding, projects: "dict[str, _Names]", exclude: tuple[str, ...]) -> Finding:
    begin = finding.reached[0] if finding.reached else finding
    if finding.severity not in COUNTED or is_test_file(begin.path):
        return finding
    if begin.path.endswith(".ipynb"):
        return replace(finding, severity=Severity.NOTE) if _never_runs(finding) else finding
    if not begin.path.endswith(".py"):
        return finding
    root = project_root(begin.path)
    if root not in projects:
        projects[root] = _Names(root, exclude)
    path = os.path.abspath(begin.path)
    unused = is_left_behind(os.path.relpath(path, root)) or projects[root].never_uses(path, begin.line)
    return replace(finding, severity=Severity.NOTE) if unused else finding


def _never_runs(finding: Finding) -> bool:
    """Whether a notebook names the function, method or class that a finding begins in only to make it."""
    begin = finding.reached[0] if finding.reached else None
    found = re.fullmatch(r"`([\w.]+)` (calls .*|is traced)", begin.message) if begin is not None else None
    whole = found[1] if found else finding.function.name if begin is None and finding.function else ""
    names = [name for name in whole.split(".") if name.isidentifier()]
    try:
        text = read_bytes((begin or finding).path)
    except SourceError:
        return False
    return any(
        len(re.findall(rb"\b" + re.escape(name.encode()) + rb"\b", text)) == 1
        for name in names
        if not _is_called_by_others(name)
    )


def _is_called_by_others(name: str) -> bool:
    """Whether Python or a library calls methods of that name."""
    special = name.startswith("__") and (name in SPECIAL or hasattr(list, name) or hasattr(float, name))
    return special or name in HOOKS or name.startswith("on_")


def is_left_behind(path: str) -> bool:
    """Whether a file, or a folder around it, is called old or unused: `train_old.py`, `NOTUSED/train.py`."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", os.path.splitext(path)[0])
    return not LEFT_BEHIND.isdisjoint(word.lower() for word in words)


class _Part:
    """What one statement of a module names: in texts, and anywhere; and what it imports."""

    def __init__(self, statement: ast.stmt) -> None:
        self.imports: list[ast.Import | ast.ImportFrom] = []
        self.texts: set[str] = set()
        self.names: set[str] = set()
        for node in ast.walk(statement):
            if isinstance(node, ast.Import | ast.ImportFrom):
                self.imports.append(node)
            elif isinstance(node, ast.Name):
                self.names.add(node.id)
            elif isinstance(node, ast.Attribute):
                self.names.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 200:
                self.texts.add(re.split(r"[.:]", node.value)[-1])
        self.names |= self.texts


class _Names:
    """What the files of a project name of each other; each is parsed when it is asked for."""

    def __init__(self, root: str, exclude: tuple[str, ...]) -> None:
        self._root, self._exclude = root, exclude
        self._packaged = any(os.path.exists(os.path.join(root, name)) for name in PACKAGED)
        self._texts: dict[str, bytes] = {}
        self._trees: dict[str, ast.Module | None] = {}
        self._parts: dict[ast.stmt, _Part] = {}

    def never_uses(self, path: str, line: int) -> bool:
        """Whether nothing names the function or class of a module around a line."""
        if self._is_published(path) or len(self._files) > MOST_FILES or self._imports_by_text:
            return False
        tree = self._tree(path)
        own = next((node for node in _definitions(tree) if node.lineno <= line <= _end(node)), None)
        if tree is None or own is None or not self._has_its_place(path, tree):
            return False
        if _is_replaced(own, tree) or self._never_names(_method_around(own, line)):
            return True
        stem = _stem(path)
        if any(own.name in self._part(node).names for node in tree.body if node is not own):
            return False
        others = [other for other in self._files if other != path and own.name.encode() in self._text(other)]

        def is_of_another(source: str) -> bool:
            same = [other for other in others if _stem(other) == source]
            return any(node.name == own.name for other in same for node in _definitions(self._tree(other)))

        return not any(self._uses(other, own.name, stem, is_of_another) for other in others)

    @functools.cached_property
    def _files(self) -> list[str]:
        return [os.path.abspath(path) for path, _ in find_files([self._root], self._exclude)]

    def _is_published(self, path: str) -> bool:
        """Whether others may import a file of a package: no script in a folder of its own."""
        folder, tree = os.path.dirname(path), self._tree(path) if self._packaged else None
        inside = folder == self._root or os.path.exists(os.path.join(folder, "__init__.py"))
        return self._packaged and (inside or tree is None or not self._is_program(tree))

    def _is_program(self, tree: ast.Module) -> bool:
        """Whether a file is run by itself: it has a block for that, goes through a loop, or calls its own."""
        own = {node.name for node in _definitions(tree)} | TRAINING
        return any(
            isinstance(node, ast.For | ast.While)
            or (isinstance(node, ast.If) and "__main__" in self._part(node).names)
            or (isinstance(node, ast.Expr | ast.Assign) and _called(node.value) in own)
            for node in tree.body
        )

    def _never_names(self, method: str) -> bool:
        """Whether a method stands in the project's files just once: where it is defined."""
        if not method:
            return False
        word = re.compile(rb"\b" + re.escape(method.encode()) + rb"\b")
        found = (1 for path in self._files for _ in word.finditer(self._text(path)))
        return sum(itertools.islice(found, 2)) == 1

    def _uses(self, path: str, name: str, stem: str, is_of_another: Callable[[str], bool]) -> bool:
        """Whether a file uses a name of another: imports it, or names it and imports its module, or all."""
        tree = self._tree(path)
        if tree is None:
            return True  # a notebook, or what cannot be read: nobody knows
        parts = [self._part(node) for node in tree.body]
        if any(name in part.texts for part in parts):
            return True
        imported = False
        for node in (node for part in parts for node in part.imports):
            names = {alias.name for alias in node.names}
            if isinstance(node, ast.Import):
                imported = imported or any(each.rpartition(".")[2] == stem for each in names)
                continue
            source = (node.module or "").rpartition(".")[2]
            if name in names and (source == stem or not is_of_another(source)):
                return True
            imported = imported or "*" in names or (stem in names and not is_of_another(source))
        return imported and any(name in part.names for part in parts)

    @functools.cached_property
    def _imports_by_text(self) -> bool:
        """Whether some file imports what a text names, which may stand in a file of settings."""
        return any(BY_TEXT.search(self._text(path)) for path in self._files)

    def _has_its_place(self, path: str, tree: ast.Module) -> bool:
        """Whether it is known who would use what is in a file: others, its own program, or its project."""
        return self._is_program(tree) or self._is_connected(path) or self._is_woven

    @functools.cached_property
    def _is_woven(self) -> bool:
        """Whether files of the project import others of it, as those of a collection do not."""
        stems = {_stem(path).encode() for path in self._files}
        return any(
            (stems - {_stem(path).encode()}).intersection(NAME.findall(text))
            for path in self._files
            for text in IMPORTS.findall(self._text(path))
        )

    def _is_connected(self, path: str) -> bool:
        """Whether the file is part of something larger: of a package, or imported by another file."""
        if os.path.exists(os.path.join(os.path.dirname(path), "__init__.py")):
            return True
        return self._is_imported(path)

    def _is_imported(self, path: str) -> bool:
        pattern = re.compile(
            rb"^[ \t]*(?:from|import)\b[^\n]*\b" + re.escape(_stem(path)).encode() + rb"\b", re.MULTILINE
        )
        return any(pattern.search(self._text(other)) for other in self._files if other != path)

    def _text(self, path: str) -> bytes:
        if path not in self._texts:
            try:
                self._texts[path] = read_bytes(path)
            except SourceError:
                self._texts[path] = b""
        return self._texts[path]

    def _part(self, node: ast.stmt) -> _Part:
        if node not in self._parts:
            self._parts[node] = _Part(node)
        return self._parts[node]

    def _tree(self, path: str) -> ast.Module | None:
        if path not in self._trees:
            try:
                self._trees[path] = ast.parse(self._text(path))
            except (SyntaxError, ValueError):
                self._trees[path] = None
        return self._trees[path]


def _called(node: ast.expr) -> str:
    function = node.func if isinstance(node, ast.Call) else None
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _definitions(tree: ast.Module | None) -> Iterator[Definition]:
    return (node for node in (tree.body if tree is not None else ()) if isinstance(node, Definition))


def _is_replaced(own: Definition, tree: ast.Module) -> bool:
    """Whether the module defines another class of that name later, so that nobody gets this one."""
    later = [node for node in _definitions(tree) if node.lineno > own.lineno]
    return isinstance(own, ast.ClassDef) and any(
        isinstance(node, ast.ClassDef) and node.name == own.name for node in later
    )


def _method_around(own: Definition, line: int) -> str:
    """The method around a line that only the program's own code could call: empty for hooks of libraries."""
    methods = [node for node in own.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    around = next((node for node in methods if _first(node) <= line <= _end(node)), None)
    if not isinstance(own, ast.ClassDef) or around is None:
        return ""
    decorated = [node for node in around.decorator_list if not _is_graph_decorator(node)]
    return "" if decorated or _is_called_by_others(around.name) else around.name


def _is_graph_decorator(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else node
    return isinstance(called, ast.Attribute) and called.attr == "function"


def _first(node: Definition) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def _end(node: Definition) -> int:
    return node.end_lineno or node.lineno


def _stem(path: str) -> str:
    """The last part of the name under which a file is imported."""
    folder, file = os.path.split(path)
    return os.path.basename(folder) if file == "__init__.py" else os.path.splitext(file)[0]
