"""Which functions and classes of a project nothing in it uses, where it is a program and no package."""

import ast
import functools
import itertools
import os
import re
from collections.abc import Callable, Iterator

from graphdoctor.source.parts import is_test_file
from graphdoctor.source.project_index import ProjectIndex

IMPORTS = re.compile(r"^[ \t]*(?:from|import)[ \t]+(?:[^\n(]*\([^)]*\)|[^\n]*)", re.MULTILINE)
IMPORT_LINE = re.compile(r"^[ \t]*(?:from|import)\b[^\n]*", re.MULTILINE)
NAME = re.compile(r"\w+")
PACKAGED = ("setup.py", "setup.cfg", "pyproject.toml")
MOST_FILES = 2000
BY_TEXT = re.compile(r"import_module|__import__|globals\(\)\[|(?<![\w.])(?<!def )eval\(")
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


class Usage:
    """Answers for all files of an index who uses what; each project is looked at once.

    Of a package others may use it, of the scripts beside it nobody. A file that has nothing to do with any
    other stands for itself, in a project whose files have nothing to do with each other.
    """

    def __init__(self, index: ProjectIndex) -> None:
        self._index = index
        self._projects: dict[str, _Names] = {}

    def is_unused(self, path: str, line: int, entry: str) -> bool:
        """Whether nothing uses the function or class around a line; of a notebook, nothing in it."""
        if is_test_file(path):
            return False
        if path.endswith(".ipynb"):
            return self._is_unused_in_notebook(path, entry)
        if not path.endswith(".py"):
            return False
        root = self._index.root(path)
        if root not in self._projects:
            self._projects[root] = _Names(root, self._index)
        return self._projects[root].never_uses(os.path.abspath(path), line)

    def _is_unused_in_notebook(self, path: str, entry: str) -> bool:
        """Whether a notebook names the function, method or class only to make it."""
        tree = self._index.tree(os.path.abspath(path))
        if tree is None:
            return False
        named = set().union(*(_Part(node).names for node in tree.body))
        return any(
            name not in named
            for name in entry.split(".")
            if name.isidentifier() and not _is_called_by_others(name)
        )


def _is_called_by_others(name: str) -> bool:
    """Whether Python or a library calls methods of that name."""
    special = name.startswith("__") and (name in SPECIAL or hasattr(list, name) or hasattr(float, name))
    return special or name in HOOKS or name.startswith("on_")


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

    def __init__(self, root: str, index: ProjectIndex) -> None:
        self._root, self._index = root, index
        self._packaged = any(os.path.exists(os.path.join(root, name)) for name in PACKAGED)
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
        others = [other for other in self._files if other != path and own.name in self._text(other)]

        def is_of_another(source: str) -> bool:
            same = [other for other in others if _stem(other) == source]
            return any(node.name == own.name for other in same for node in _definitions(self._tree(other)))

        return not any(self._uses(other, own.name, stem, is_of_another) for other in others)

    @functools.cached_property
    def _files(self) -> list[str]:
        return self._index.files(self._root)

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
        word = re.compile(r"\b" + re.escape(method) + r"\b")
        found = (1 for path in self._files for _ in word.finditer(self._text(path)))
        return sum(itertools.islice(found, 2)) == 1

    def _uses(self, path: str, name: str, stem: str, is_of_another: Callable[[str], bool]) -> bool:
        """Whether a file uses a name of another: imports it, or names it and imports its module, or all."""
        tree = self._tree(path)
        if tree is None:
            return True  # a notebook, or what cannot be read: unknown
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
        return any(self._index.answer(_imports_by_text, path) for path in self._files)

    def _has_its_place(self, path: str, tree: ast.Module) -> bool:
        """Whether it is known who would use what is in a file: others, its own program, or its project."""
        return self._is_program(tree) or self._is_connected(path) or self._is_woven

    @functools.cached_property
    def _is_woven(self) -> bool:
        """Whether files of the project import others of it, as those of a collection do not."""
        stems = {_stem(path) for path in self._files}
        return any(
            not (stems - {_stem(path)}).isdisjoint(self._index.answer(_imported_names, path))
            for path in self._files
        )

    def _is_connected(self, path: str) -> bool:
        """Whether the file is part of something larger: of a package, or imported by another file."""
        if os.path.exists(os.path.join(os.path.dirname(path), "__init__.py")):
            return True
        return self._is_imported(path)

    def _is_imported(self, path: str) -> bool:
        word = re.compile(r"\b" + re.escape(_stem(path)) + r"\b")
        return any(
            word.search(line)
            for other in self._files
            if other != path
            for line in self._index.answer(_import_lines, other)
        )

    def _text(self, path: str) -> str:
        return self._index.code(path)

    def _part(self, node: ast.stmt) -> _Part:
        if node not in self._parts:
            self._parts[node] = _Part(node)
        return self._parts[node]

    def _tree(self, path: str) -> ast.Module | None:
        return None if path.endswith(".ipynb") else self._index.tree(path)


def _imports_by_text(text: str) -> bool:
    return BY_TEXT.search(text) is not None


def _imported_names(text: str) -> frozenset[str]:
    return frozenset(name for found in IMPORTS.findall(text) for name in NAME.findall(found))


def _import_lines(text: str) -> tuple[str, ...]:
    return tuple(IMPORT_LINE.findall(text))


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
