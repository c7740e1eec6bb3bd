"""The program in several files."""

import ast

from tests.variants.syntax import (
    Definition,
    Function,
    bound,
    declares_global,
    expression,
    is_import,
    loaded,
    made_with,
    module,
    names_in,
    replace_names,
    split,
    statements,
)
from tests.variants.variants import ENTRY, Files, variant


class _Parts:
    """A program's imports, what can move to another file (definitions and state that they read), the rest."""

    def __init__(self, tree: ast.Module) -> None:
        self.imports, rest = split(tree)
        self.defined = [node for node in rest if isinstance(node, Definition)]
        wanted = loaded(self.defined)
        self.state: list[ast.stmt] = []
        self.rest: list[ast.stmt] = []
        known = bound(self.imports) | bound(self.defined)
        for node in rest:
            if isinstance(node, Definition):
                continue
            own = bound([node])
            first = not own & bound(self.state)
            simple = (
                isinstance(node, ast.Assign)
                and not loaded([node]) - own - known - bound(self.state) - BUILTINS
            )
            if own & wanted and first and simple:
                self.state.append(node)
            else:
                self.rest.append(node)
        moved = {id(node) for node in (*self.defined, *self.state)}
        self.moved = [node for node in rest if id(node) in moved]
        # What functions read must be made where they stand, and before they are made if they need it then.
        missing = (wanted & bound(self.rest)) - bound(self.state)
        local = set().union(*(_own_names(node) for node in self.defined))
        self.possible = bool(self.defined) and bool(self.rest) and not missing - local
        self.names = bound(self.moved)

    def state_is_rebound(self) -> bool:
        """Whether the script or a function gives a new value to moved state."""
        module_level = any(bound([node]) & bound(self.state) for node in self.rest)
        return module_level or any(declares_global(node) for node in self.defined)


BUILTINS = set(dir(__builtins__)) if not isinstance(__builtins__, dict) else set(__builtins__)


def _globals(defined: list[Definition]) -> set[str]:
    """The names that functions declare as global."""
    declared = (part for node in defined for part in ast.walk(node) if isinstance(part, ast.Global))
    return {name for line in declared for name in line.names}


def _own_names(node: ast.AST) -> set[str]:
    """The names that are parameters or local variables somewhere in a definition."""
    found = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    return found | {
        part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _used(imports: list[ast.stmt], body: list[ast.stmt]) -> list[ast.stmt]:
    """The imports that these statements need."""
    wanted = set().union(*map(names_in, body)) if body else set()
    return [line for line in imports if bound([line]) & wanted]


def _through(body: list[ast.stmt], names: set[str], owner: str) -> list[ast.stmt]:
    """The statements with each of these names read from, and written to, another module."""
    tree = ast.Module(body, [])
    replace_names(tree, {name: expression(f"{owner}.{name}") for name in names})
    return tree.body


@variant
def two_modules(tree: ast.Module) -> Files | None:
    """Functions, classes and the state that they read stand in a module of their own: `library.step(x)`."""
    parts = _Parts(tree)
    if not parts.possible:
        return None
    script = _through(parts.rest, parts.names, "library")
    return {
        "library.py": module(_used(parts.imports, parts.moved), parts.moved),
        ENTRY: module(_used(parts.imports, script), statements("import library"), script),
    }


def _names_needed(parts: _Parts) -> list[str]:
    return sorted(parts.names & loaded(parts.rest))


@variant
def names_from_a_module(tree: ast.Module) -> Files | None:
    """`from library import step`."""
    parts = _Parts(tree)
    if not parts.possible or parts.state_is_rebound():
        return None
    line = statements(f"from library import {', '.join(_names_needed(parts))}")
    return {
        "library.py": module(_used(parts.imports, parts.moved), parts.moved),
        ENTRY: module(_used(parts.imports, parts.rest), line, parts.rest),
    }


@variant
def module_renamed(tree: ast.Module) -> Files | None:
    """`import library as other`."""
    files = two_modules(tree)
    if files is None:
        return None
    assert isinstance(files, dict)
    entry = files[ENTRY]
    place = next(
        n for n, node in enumerate(entry.body) if is_import(node) and ast.unparse(node) == "import library"
    )
    entry.body[place] = statements("import library as other")[0]
    replace_names(entry, {"library": expression("other")})
    return files


def _state_and_functions(parts: _Parts, line: str) -> tuple[ast.Module, ast.Module] | None:
    """The module of the state and the module of the functions, which reads the state through `state`."""
    made = set().union(*map(made_with, parts.defined))
    names = bound(parts.state)
    local = set().union(*map(_own_names, parts.defined)) - _globals(parts.defined)
    if not parts.state or names & (made | local) or loaded(parts.state) & bound(parts.defined):
        return None
    functions = _through(list(parts.defined), names, "state")
    for body in (
        node.body for function in functions for node in ast.walk(function) if isinstance(node, Function)
    ):
        body[:] = [line for line in body if not isinstance(line, ast.Global)]
    imports = _used(parts.imports, functions)
    return (
        module(_used(parts.imports, parts.state), parts.state),
        module(imports, statements(line), functions),
    )


@variant
def three_modules(tree: ast.Module) -> Files | None:
    """State, functions and script in a module each."""
    parts = _Parts(tree)
    both = _state_and_functions(parts, "import state") if parts.possible else None
    if both is None:
        return None
    script = _through(parts.rest, bound(parts.state), "state")
    script = _through(script, bound(parts.defined), "library")
    return {
        "state.py": both[0],
        "library.py": both[1],
        ENTRY: module(_used(parts.imports, script), statements("import library\nimport state"), script),
    }


@variant
def helper_in_a_third_module(tree: ast.Module) -> Files | None:
    """The graph function in one module calls its body in another."""
    from tests.variants.callables import body_in_a_helper

    new = body_in_a_helper(tree)
    if new is None:
        return None
    assert isinstance(new, ast.Module)
    parts = _Parts(new)
    helpers = [
        node for node in parts.defined if isinstance(node, ast.FunctionDef) and not node.decorator_list
    ]
    others = [node for node in parts.moved if node not in helpers]
    names = bound(helpers)
    declared = {
        name
        for helper in helpers
        for node in ast.walk(helper)
        if isinstance(node, ast.Global)
        for name in node.names
    }
    if (
        not parts.possible
        or not helpers
        or declared & bound(others)  # in another module, `global` means another name
        or (loaded(helpers) & bound(others)) - set().union(*map(_own_names, helpers))
    ):
        return None
    script = _through(parts.rest, parts.names - names, "library")
    script = _through(script, names, "parts")
    others = _through(others, names, "parts")
    return {
        "parts.py": module(_used(parts.imports, helpers), helpers),
        "library.py": module(_used(parts.imports, others), statements("import parts"), others),
        ENTRY: module(_used(parts.imports, script), statements("import library\nimport parts"), script),
    }


@variant
def package(tree: ast.Module) -> Files | None:
    """A package, whose modules import each other relatively."""
    parts = _Parts(tree)
    if not parts.possible:
        return None
    both = _state_and_functions(parts, "from . import state")
    script = parts.rest
    files: Files = {"package/__init__.py": ast.Module([], [])}
    if both is not None:
        files |= {"package/state.py": both[0], "package/steps.py": both[1]}
        script = _through(script, bound(parts.state), "state")
        script = _through(script, bound(parts.defined), "steps")
        line = "from package import state, steps"
    else:
        files["package/steps.py"] = module(_used(parts.imports, parts.moved), parts.moved)
        script = _through(script, parts.names, "steps")
        line = "from package import steps"
    return files | {ENTRY: module(_used(parts.imports, script), statements(line), script)}


@variant
def exported_again(tree: ast.Module) -> Files | None:
    """A package's `__init__` imports the functions from its module, and the script from the package."""
    parts = _Parts(tree)
    if not parts.possible or parts.state_is_rebound():
        return None
    names = ", ".join(_names_needed(parts))
    return {
        "package/steps.py": module(_used(parts.imports, parts.moved), parts.moved),
        "package/__init__.py": module(statements(f"from .steps import {names}")),
        ENTRY: module(
            _used(parts.imports, parts.rest), statements(f"from package import {names}"), parts.rest
        ),
    }


@variant
def star_import(tree: ast.Module) -> Files | None:
    """`from library import *`."""
    parts = _Parts(tree)
    if not parts.possible or parts.state_is_rebound():
        return None
    if any(name.startswith("_") for name in _names_needed(parts)):
        return None
    return {
        "library.py": module(_used(parts.imports, parts.moved), parts.moved),
        ENTRY: module(_used(parts.imports, parts.rest), statements("from library import *"), parts.rest),
    }
