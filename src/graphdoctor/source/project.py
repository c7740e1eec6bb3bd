"""All modules that one check may look into, and the way from an import to what it names."""

import ast
import dataclasses
import os
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING

from graphdoctor.errors import SourceError
from graphdoctor.model import Finding, Span
from graphdoctor.source.keras_generation import known_generation, sign_of_generation
from graphdoctor.source.names import EXTERNAL
from graphdoctor.source.remembering import forget_syntax
from graphdoctor.source.scopes import Binding, Scope

LONGEST_CHAIN = 8
MOST_TEXT = 6_000_000  # characters; with its syntax tree each takes some forty bytes

if TYPE_CHECKING:
    from graphdoctor.source.module import Module


class Project:
    """Modules by path, parsed when first asked for; a file that cannot be read is None.

    `read` gives the text of a path, `parse` the module of a text; the engine passes them in, so that
    nothing here knows of caches or of texts that are being edited. Paths are relative to `directory`,
    if one is given: that of a recording, whose Keras need not be the one that is installed here.
    """

    def __init__(
        self,
        read: "Callable[[str], str] | None" = None,
        parse: "Callable[[str, str], Module] | None" = None,
        root: str = "",
        directory: str | None = None,
    ) -> None:
        self._read = read
        self._directory = directory
        self._parse = parse
        self._root = root
        self._modules: dict[str, Module | None] = {}
        self._size = 0  # of their texts together
        self._generations: dict[str, int | None] = {}
        self._signs: dict[str, int] = {}
        self._required: dict[str, int | None] = {}  # by requirements, of folders and those above them
        self._files: dict[str, frozenset[str]] = {}
        self._located: dict[tuple[str, str], tuple[str, tuple[str, ...]] | None] = {}
        self._searched: dict[tuple[str, str], frozenset[str]] = {}  # the folders in which that was searched
        self._folders: set[str] = set()  # those that the present search has looked into
        self._imports: dict[str, set[str]] = {}  # the paths that each path was followed to
        self.consulted: set[str] = set()  # the paths that were asked for since the owner cleared it
        self.attached: dict[type, object] = {}  # what others keep for as long as the project lives
        self.forgotten = 0  # how often all modules were let go
        self.imported: set[str] = set()  # the modules of which a dry run keeps what they define
        self.go_on: Callable[[], None] = (
            _always  # raises Cancelled where nobody waits for the answer any more
        )

    def dependencies(self) -> set[str]:
        """The paths asked for, and all that these were ever followed to.

        A module keeps what it found out through its imports, and does not ask again for the next one
        that needs it.
        """
        found, waiting = set(self.consulted), list(self.consulted)
        while waiting:
            new = self._imports.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found

    def add(self, module: "Module") -> None:
        """Make a module known that is already parsed."""
        if not self._size:  # the first of them
            weakref.finalize(self, forget_syntax).atexit = False
        before = self._modules.get(module.path)
        self._size += len(module.text) - (len(before.text) if before is not None else 0)
        self._modules[module.path] = module
        module.project = self

    @property
    def modules(self) -> "list[Module]":
        """All that was parsed so far."""
        return [module for module in self._modules.values() if module is not None]

    def known(self, path: str) -> "Module | None":
        """The module at a path, if it was parsed before."""
        return self._modules.get(path)

    def module(self, path: str) -> "Module | None":
        """The module at a path."""
        self.consulted.add(path)
        if path not in self._modules:
            self._modules[path] = None
            if self._read is not None and self._parse is not None:
                try:
                    self.add(self._parse(path, self._read(path)))
                except SourceError:
                    self._modules[path] = None
        return self._modules[path]

    def text(self, path: str) -> str | None:
        """The text of a file that is no module; None where it cannot be read."""
        self.consulted.add(path)
        try:
            return self._read(path) if self._read is not None else None
        except SourceError:
            return None

    def span(self, path: str, node: ast.AST) -> Span:
        """Where a node of one of the modules stands."""
        module = self._modules.get(path)
        assert module is not None
        return module.span(node)

    def silencing_line(self, finding: Finding) -> tuple[str, int] | None:
        """The file and line whose `# noqa` silences a finding; None when none does."""
        return silencing_line(finding, self._modules.get)

    def forget_if_large(self) -> bool:
        """Let go of all modules when they are many: a syntax tree is many times its text."""
        large = self._size > MOST_TEXT
        if large:
            modules, self._size = self.modules, 0
            self._modules.clear()
            self.forgotten += 1
            forget_syntax()
            for module in modules:
                vars(module).clear()  # nobody may ask it now; and what is in no cycle is free at once
        return large

    def keras_generation(self, path: str) -> int | None:
        """The Keras generation that the project's files of requirements pin, else the installed one."""
        folder = os.path.dirname(path)
        if self._read is None or self._directory is not None:
            return None
        if folder not in self._generations:
            self._generations[folder] = known_generation(folder, self._required)
        return self._generations[folder]

    def sign_of_keras(self, path: str) -> int:
        """What tells for which Keras the code beside a path is, and whether the project says so."""
        folder = os.path.dirname(path)
        if folder not in self._signs:
            self._signs[folder] = sign_of_generation(folder, self._required)
        return self._signs[folder]

    def find(self, target: str, importer: "Module", depth: int = 0) -> "Found | None":
        """What an import's dotted name stands for among the project's own files."""
        if depth > LONGEST_CHAIN or target.partition(".")[0] in EXTERNAL or self._read is None:
            return None
        located = self.locate(target, importer.path)
        module = self.module(located[0]) if located else None
        if module is None or located is None:
            return None
        rest = located[1]
        if not rest:
            return Found(module, module.walk.root, [], rest)
        return self._member(module, rest, depth)

    def _member(self, module: "Module", names: tuple[str, ...], depth: int) -> "Found | None":
        bindings = module.walk.root.bindings.get(names[0])
        if bindings is None:
            for star in module.walk.root.bindings.get("*", ()):
                found = self.find(f"{star.target[:-1]}{'.'.join(names)}", module, depth + 1)
                if found is not None:
                    return found
            return None
        if len(bindings) == 1 and bindings[0].kind == "import":
            target = ".".join((bindings[0].target, *names[1:]))
            return self.find(target, module, depth + 1) or Found(
                module, module.walk.root, bindings, names[1:]
            )
        return Found(module, module.walk.root, bindings, names[1:])

    def hides(self, name: str, path: str) -> bool:
        """Whether a script's neighbour hides the library of that name: the script's folder comes first.

        Within a package an absolute import does not see the neighbours.
        """
        names = self._names(os.path.dirname(path))
        return f"{name}.py" in names and "__init__.py" not in names

    def locate(self, target: str, path: str) -> tuple[str, tuple[str, ...]] | None:
        """The file that an import in `path` leads to, and the names still to be found in it."""
        key = (os.path.dirname(path), target)
        if key not in self._located:
            self._folders = set()
            self._located[key] = self._search(target, key[0])
            self._searched[key] = frozenset(self._folders)
        located = self._located[key]
        followed = self._imports.setdefault(path, set())
        followed |= self._searched[key]  # a file that comes or goes there may change the answer
        if located is not None:
            followed.add(located[0])
        return located

    def _search(self, target: str, folder: str) -> tuple[str, tuple[str, ...]] | None:
        level = len(target) - len(target.lstrip("."))
        parts = tuple(part for part in target.split(".") if part)
        if level:
            for _ in range(level - 1):
                folder = os.path.normpath(os.path.join(folder, ".."))
            return self._follow("" if folder == "." else folder, parts)
        tried = set()
        for base in (folder, self._package_root(folder), self._root, os.path.join(self._root, "src")):
            if base not in tried:
                tried.add(base)
                found = self._follow(base, parts)
                if found is not None:
                    return found
        return None

    def _package_root(self, folder: str) -> str:
        """The folder above the outermost package around a folder."""
        while folder and "__init__.py" in self._names(folder):
            folder = os.path.dirname(folder)
        return folder

    def _follow(self, base: str, parts: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
        folder = base
        for number, part in enumerate(parts):
            names = self._names(folder)
            if f"{part}.py" in names:
                return os.path.join(folder, f"{part}.py"), parts[number + 1 :]
            if part not in names or not os.path.isdir(self._absolute(os.path.join(folder, part))):
                return self._package(folder, parts[number:]) if number else None
            folder = os.path.join(folder, part)
        return self._package(folder, ())

    def _package(self, folder: str, rest: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
        if "__init__.py" not in self._names(folder):
            return None
        return os.path.join(folder, "__init__.py"), rest

    def _names(self, folder: str) -> frozenset[str]:
        self._folders.add(folder or ".")
        if folder not in self._files:
            try:
                self._files[folder] = frozenset(os.listdir(self._absolute(folder) or "."))
            except OSError:
                self._files[folder] = frozenset()
        return self._files[folder]

    def _absolute(self, path: str) -> str:
        return os.path.join(self._directory or "", path)


def _always() -> None:
    """Every answer is wanted."""


@dataclasses.dataclass(frozen=True, slots=True)
class Found:
    """A module (without bindings), or bindings in it; `rest` are attributes still to be followed."""

    module: "Module"
    scope: Scope
    bindings: list[Binding]
    rest: tuple[str, ...]

    @property
    def node(self) -> ast.AST | None:
        """The definition, when there is exactly one."""
        return self.bindings[0].node if len(self.bindings) == 1 and not self.rest else None


def silencing_line(finding: Finding, module_at: "Callable[[str], Module | None]") -> tuple[str, int] | None:
    """The file and line whose `# noqa` silences a finding: at its place, or at one that led to it.

    A bare `# noqa` was written for its own line: on the way to a finding it must name the rule.
    """
    ways = (finding, *finding.related, *finding.reached)
    for number, span in enumerate(ways):
        module = module_at(span.path)
        line = module.silencing_line(finding.rule, span, by_name=number > 0) if module is not None else None
        if line is not None:
            return span.path, line
    return None
