"""Files and folders → programs, each with the modules of its own that it imports."""

import ast
import dataclasses
import pathlib
from collections.abc import Iterator

from graphdoctor.source import read_source
from graphdoctor.source.project import Project

LARGEST = 100_000  # bytes of a file that is no module, and may be read by a program


@dataclasses.dataclass(frozen=True)
class Program:
    """A file that is run from the folder `root`; `modules` are its own, itself among them."""

    path: pathlib.Path
    root: pathlib.Path
    modules: tuple[pathlib.Path, ...]

    @property
    def name(self) -> str:
        """As it is imported: `train`, or `package.train`."""
        return ".".join(self.path.relative_to(self.root).with_suffix("").parts)

    def texts(self) -> dict[str, str]:
        """Its modules, by their paths below the root."""
        return {path.relative_to(self.root).as_posix(): read_source(str(path)) for path in self.modules}

    def data(self) -> dict[str, str]:
        """The small texts beside it, which it may read."""
        found = {}
        for path in sorted(self.root.iterdir()):
            if path.is_file() and path.suffix != ".py" and path.stat().st_size < LARGEST:
                try:
                    found[path.name] = path.read_text(encoding="utf-8")
                except UnicodeDecodeError:
                    continue
        return found


def programs_of(paths: list[pathlib.Path]) -> list[Program]:
    """The programs of these files and folders: in a folder, the files that no other one there imports."""
    return [
        program for path in paths for program in (in_folder(path) if path.is_dir() else [program_of(path)])
    ]


def in_folder(folder: pathlib.Path) -> list[Program]:
    """The programs of a folder and of those below it."""
    files = sorted(path.resolve() for path in folder.rglob("*.py"))
    project = Project(read_source)
    imported = {each for path in files for each in imports_of(path, project) if each != path}
    return [program_of(path) for path in files if path not in imported and path.stat().st_size]


def program_of(path: pathlib.Path) -> Program:
    """The program of a file, which is run from the folder above its outermost package."""
    path = path.resolve()
    project = Project(read_source)
    root = path.parent
    while (root / "__init__.py").exists():
        root = root.parent
    modules, waiting = [path], [path]
    while waiting:
        for each in sorted(imports_of(waiting.pop(), project)):
            if each not in modules and each.is_relative_to(root):
                modules.append(each)
                waiting.append(each)
    return Program(path, root, tuple(modules))


def imports_of(path: pathlib.Path, project: Project) -> Iterator[pathlib.Path]:
    """The files of the same project that a file imports, the packages around them as well."""
    try:
        tree = ast.parse(read_source(str(path)))
    except (SyntaxError, ValueError, OSError):
        return
    for target in targets_of(tree):
        located = project.locate(target, str(path))
        if located is not None:
            module = pathlib.Path(located[0]).resolve()
            yield module
            for folder in module.parents:
                if not (folder / "__init__.py").exists():
                    break
                yield folder / "__init__.py"


def targets_of(tree: ast.Module) -> Iterator[str]:
    """The dotted names that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = "." * node.level + (node.module or "")
            yield from (f"{source}.{each.name}" if node.module else source + each.name for each in node.names)
