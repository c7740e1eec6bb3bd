"""The project under a dry run: its modules, the way from an import to what it names, what was defined."""

import ast
import functools
import os
from collections.abc import Iterator

from graphdoctor.dryrun.control.flow import OutOfBudget, Raised
from graphdoctor.dryrun.core.context import EAGER_DOUBTED, EAGER_ON, Activation, SourceModule
from graphdoctor.dryrun.core.coverage import BUDGET, NO_IMPORT
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.canonical_names import can_be_hidden, canonical, is_external
from graphdoctor.dryrun.values import (
    UNKNOWN,
    AbstractNumber,
    Cells,
    Class,
    Constant,
    DType,
    Function,
    Instance,
    Library,
    Module,
    Unknown,
    Value,
)
from graphdoctor.dryrun.values.file_locations import Location
from graphdoctor.source.module import Module as Syntax
from graphdoctor.source.project import Project

MODULE_STEPS = 240_000


class Program:
    """Modules by path, run when first imported; functions and classes as they are met."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._imported: list[Cells] = []  # those of modules and of their classes
        self._own: list[Cells] = []  # of the module that runs as a program, and of its classes
        self.modules: dict[str, SourceModule] = {}
        self.root: SourceModule | None = None  # the module that runs as a program
        self.functions: dict[ast.AST, Function] = {}
        self.classes: dict[ast.AST, Class] = {}
        self.instances: dict[ast.AST, Instance] = {}
        self.eager = False  # the program itself runs graph functions eagerly
        self.graphs = EAGER_ON  # whether the program itself switches eager execution off
        self.keras_dtype: str | None = "float32"  # in which Keras computes after the module's top level
        self.eager_keras = False  # a model of it is compiled to run eagerly
        self.eager_pipelines = False  # pipelines run their functions eagerly: `enable_debug_mode`
        self.main_blocks: list[tuple[SourceModule, ast.If]] = []

    def begin(self, path: str) -> SourceModule | None:
        """A fresh module to be run as a program; what was defined for another one is forgotten."""
        syntax: Syntax | None = self._project.module(path)
        if syntax is None:
            return None
        self.functions, self.classes, self.instances = {}, {}, {}
        self.eager = self.eager_keras = self.eager_pipelines = False
        self.graphs = EAGER_ON
        self.keras_dtype = "float32"
        self.main_blocks = []
        if self.root is not None:
            self.root.let_go()
        self.root = SourceModule(syntax, _dotted(path))
        for cells in self._own:
            cells.clear()
        self._own = [self.root.scope.cells]
        return self.root

    def go_on(self) -> None:
        """Cancelled where nobody waits for the answer any more."""
        self._project.go_on()

    def let_go(self) -> None:
        """Empty all that refers to each other, so that it is free at once."""
        for module in (*self.modules.values(), *([self.root] if self.root is not None else [])):
            module.let_go()
        for cells in (*self._own, *self._imported):
            cells.clear()
        self._own.clear()
        self._imported.clear()
        self.modules.clear()

    def prepare(self, machine: Machine, root: SourceModule, node: ast.Import | ast.ImportFrom) -> None:
        """Load the modules that an import at the top of a program names."""
        machine.activations.append(Activation(None, root.scope, root, 0))
        if isinstance(node, ast.Import):
            for alias in node.names:
                self.imported(machine, alias.name, 0, root)
            return
        base = self.imported(machine, node.module or "", node.level, root)
        if isinstance(base, Module):
            for alias in node.names:
                if alias.name != "*" and alias.name not in base.module.scope.cells:
                    self.submodule(machine, base.module, alias.name)

    def note_function(self, function: Function) -> None:
        """Remember a definition, so that it can be an entry if nothing calls it."""
        if function.module is self.root:  # a package may import the module that runs, as another one
            self.functions.setdefault(function.node, function)

    def note_class(self, cls: Class) -> None:
        """Remember a class."""
        if self.classes.setdefault(cls.node, cls) is cls:
            (self._own if cls.module is self.root else self._imported).append(cls.cells)

    def note_instance(self, instance: Instance) -> None:
        """Remember an object of each class, for methods that nothing calls."""
        self.instances[instance.cls.node] = instance

    @staticmethod
    def is_main_guard(test: ast.expr) -> bool:
        """Whether a condition is `__name__ == "__main__"`."""
        return (
            isinstance(test, ast.Compare)
            and len(test.ops) == 1
            and isinstance(test.ops[0], ast.Eq)
            and {_text(test.left), _text(test.comparators[0])} == {"__name__", "__main__"}
        )

    def source(self, path: str) -> SourceModule | None:
        """The module at a path, not run yet; None when it cannot be read."""
        self._project.consulted.add(path)
        if path not in self.modules:
            syntax: Syntax | None = self._project.module(path)
            if syntax is None:
                return None
            self.adopt(SourceModule(syntax, _dotted(path)))
        return self.modules[path]

    def adopt(self, module: SourceModule) -> SourceModule:
        """Make a module a part of the program."""
        self.modules[module.path] = module
        self._project.imported.add(module.path)
        self._imported.append(module.scope.cells)
        return module

    def load(self, machine: Machine, module: SourceModule) -> SourceModule:
        """Run an imported module's top level, once; what it does is reported where it is checked itself.

        So it runs apart, whoever imports it first and wherever. What it does in a cycle of imports is
        seen as far as it came.
        """
        if not module.state:
            with machine.apart(MODULE_STEPS):
                self.run(machine, module)
                module.eager, module.keras_dtype = machine.eager_switch, machine.keras_dtype
                module.graphs, module.ended = machine.graph_switch, machine.ended
        if module.ended:
            machine.end()
        machine.graph_switch = max(machine.graph_switch, module.graphs)
        machine.eager_switch = machine.eager_switch or module.eager
        if module.keras_dtype != "float32":
            machine.keras_dtype = module.keras_dtype
        return module

    def text_of_file(self, path: str) -> str | None:
        """What a file of the project says that is no module; None where there is none."""
        return self._project.text(path)

    def run(self, machine: Machine, module: SourceModule) -> None:
        """Run a module's top level."""
        module.state = "running"
        cells = module.scope.cells
        cells["__name__"] = Constant(module.name)
        cells["__file__"] = Location(module.path)
        cells["__doc__"] = AbstractNumber("str")
        machine.activations.append(Activation(None, module.scope, module, 0))
        try:
            for node in module.syntax.tree.body:
                machine.execute([node])
                if module.path.endswith(".ipynb"):
                    machine.ended = False  # the next cell runs all the same
                if machine.budget_exhausted:
                    raise OutOfBudget
        except Raised:
            machine.end()
            self._define_rest(machine, module)
        except OutOfBudget:
            machine.log.gave_up(module.path, BUDGET)
            self._define_rest(machine, module)
        finally:
            module.state = "loaded"

    def _define_rest(self, machine: Machine, module: SourceModule) -> None:
        """Functions and classes behind the place where a module's top level ended are defined too."""
        steps, machine.steps, machine.budget_exhausted = machine.steps, 0, False
        machine.activations[:] = [Activation(None, module.scope, module, 0)]
        machine.loops, machine.may = [], 0
        for node in module.syntax.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name not in module.scope.cells:
                try:
                    machine.execute([node])
                except (OutOfBudget, Raised):
                    break
        machine.steps = steps

    def imported(self, machine: Machine, target: str, level: int, importer: SourceModule) -> Value:
        """The module, or member of a module, that a dotted name stands for."""
        dotted = "." * level + target
        top = target.partition(".")[0]
        if (
            not level
            and is_external(top)
            and not (can_be_hidden(top) and self._project.hides(top, importer.path))
        ):
            return library(canonical(target))
        located = self._project.locate(dotted, importer.path)
        if located is None:
            if not level:
                if importer is self.root:
                    machine.graph_switch = max(
                        machine.graph_switch, EAGER_DOUBTED
                    )  # by a library that is unknown
                return library(canonical(target))
            machine.log.gave_up(importer.path, NO_IMPORT, getattr(machine.activation.node, "lineno", 1))
            machine.end()
            return UNKNOWN
        path, rest = located
        module = self.source(path)
        if module is None:
            machine.end()  # it is no Python
            return UNKNOWN
        self._load_packages(machine, path)
        self.load(machine, module)
        importer.imports[module] = None
        value: Value = Module(module)
        for name in rest:
            value = self._member(machine, value, name)
        if rest and isinstance(value, Unknown) and not self.may_be_another(importer, module):
            machine.end()
        return value

    def may_be_another(self, importer: SourceModule, module: SourceModule) -> bool:
        """Whether Python may take another module of that name: from a path that is set, or not beside it.

        A file of a package does not see those beside it but by dots; who runs it as a program does. What lies
        elsewhere in the project may have a namesake that is installed: where packages lie in folders `src`.
        """
        folder, other = os.path.dirname(importer.path), os.path.dirname(module.path)
        if other != folder and not other.startswith(os.path.join(folder, "")):
            return True
        beside = folder == other
        inside = beside and self.source(os.path.join(folder, "__init__.py")) is not None
        return "sys.path" in importer.syntax.text or inside

    def _load_packages(self, machine: Machine, path: str) -> None:
        """Python runs the packages around a module before the module itself."""
        folder, waiting = os.path.dirname(path), []
        while folder and (package := self.source(os.path.join(folder, "__init__.py"))) is not None:
            waiting.append(package)
            folder = os.path.dirname(folder)
        for package in reversed(waiting):
            self.load(machine, package)

    def _member(self, machine: Machine, holder: Value, name: str) -> Value:
        return machine.attribute(holder, name, ast.Name(name, ast.Load(), lineno=1, col_offset=0))

    def submodule(self, machine: Machine, package: SourceModule, name: str) -> Value:
        """A module of a package that its `__init__` does not name."""
        located = self._project.locate(f".{name}", package.path) if package.is_package else None
        module = self.source(located[0]) if located is not None and not located[1] else None
        if module is None or module is package:
            return UNKNOWN
        package.imports[module] = None
        return Module(self.load(machine, module))

    def library_member(self, machine: Machine, holder: str, name: str) -> Value:
        """`tf.name`."""
        if name == "__name__":
            return Constant(holder.rpartition(".")[2])
        return self._flag(name) if holder == "absl.flags.FLAGS" else _member_of(holder, name)

    def _flag(self, name: str) -> Value:
        """An option of the command line, by the module of the program that defines it."""
        return next((each.flags[name] for each in self._together() if name in each.flags), UNKNOWN)

    def gives_to_tensors(self, method: str) -> bool:
        """Whether a module of the program gives a method to all tensors."""
        return any(not each.tensor_methods.isdisjoint((method, "*")) for each in self._together())

    def _together(self) -> Iterator[SourceModule]:
        """The module that runs as a program, and those that it imports."""
        waiting = [self.root] if self.root is not None else []
        seen = set(waiting)
        for module in waiting:
            yield module
            new = [each for each in module.imports if each not in seen]
            seen.update(new)
            waiting += new


@functools.lru_cache(maxsize=8192)
def library(name: str) -> Value:
    """What a canonical name of a library stands for."""
    from graphdoctor.dryrun.libraries.canonical_names import CONSTANTS, dtype_name

    dtype = dtype_name(name)
    if dtype is not None:
        return DType(dtype)
    constant = CONSTANTS.get(name)
    return constant if constant is not None else Library(name)


@functools.lru_cache(maxsize=8192)
def _member_of(holder: str, name: str) -> Value:
    return library(canonical(f"{holder}.{name}"))


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _dotted(path: str) -> str:
    stem = os.path.splitext(path)[0].replace(os.sep, ".").strip(".")
    return stem.removesuffix(".__init__")
