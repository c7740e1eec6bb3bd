"""Every source file of graphdoctor, parsed once: what the tests of the architecture ask of it."""

import ast
import dataclasses
import functools
import pathlib

import graphdoctor

PACKAGE = pathlib.Path(graphdoctor.__file__).parent


@dataclasses.dataclass(frozen=True)
class Source:
    """One file: its path below the package, its text, and the names that its syntax holds."""

    path: str
    text: str
    tree: ast.Module
    modules: frozenset[str]  # every module that it imports anywhere, by full name
    attributes: frozenset[str]
    calls: frozenset[str]  # of plain names

    @property
    def part(self) -> str:
        """The part of graphdoctor that the file belongs to."""
        return self.path.split("/")[0].removesuffix(".py")

    @property
    def name(self) -> str:
        """The module's full name."""
        return "graphdoctor." + self.path.removesuffix(".py").replace("/", ".")

    @property
    def libraries(self) -> set[str]:
        """The top-level packages that it imports."""
        return {name.split(".")[0] for name in self.modules}

    @property
    def parts(self) -> set[str]:
        """The parts of graphdoctor that it imports."""
        return {name.split(".")[1] for name in self.modules if name.startswith("graphdoctor.")}


def modules_of(node: ast.AST) -> set[str]:
    """The modules that an import statement names; `from a import b` may mean `a` or `a.b`: both."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module:
        return {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return set()


def parse_source(path: str, text: str) -> Source:
    """One walk over a file."""
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    return Source(
        path=path,
        text=text,
        tree=tree,
        modules=frozenset(name for node in nodes for name in modules_of(node)),
        attributes=frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute)),
        calls=frozenset(
            node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ),
    )


@functools.cache
def all_sources() -> tuple[Source, ...]:
    """Every file of the package, except the bundled programs that `graphdoctor demo` diagnoses."""
    return tuple(
        parse_source(path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
        if "samples" not in path.parts
    )
