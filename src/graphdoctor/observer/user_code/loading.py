"""A module's name, or a file → the module, as its package would import it; also one that ends in an error.

In the standard library alone: it may run in the user's environment.
"""

import ast
import importlib
import importlib.util
import os
import pathlib
import sys
import types
from collections.abc import Callable
from typing import NamedTuple

Select = Callable[[str], "ast.Module | None"]  # what to run of a script's text; None: everything


class Loaded(NamedTuple):
    """A module; `error` ended its import, after it had defined what it holds."""

    module: types.ModuleType
    error: BaseException | None = None


class NoModuleError(Exception):
    """There is no such module or file; the text says so."""


def load(place: str, select: Select | None = None) -> Loaded:
    """Import `package.module`, or `path/to/file.py`; raises what the import of a module raises.

    `select` says which statements of a script are run; a module of a package is imported whole.
    """
    return _load_file(pathlib.Path(place), select) if place.endswith(".py") else Loaded(_load_module(place))


def _load_module(name: str) -> types.ModuleType:
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise NoModuleError(f"{name}: no such module here; a file is named with its .py") from None
        raise


def _load_file(path: pathlib.Path, select: Select | None) -> Loaded:
    """Import a file as its package would, so that relative imports work."""
    if not path.is_file():
        raise NoModuleError(f"{path}: no such file")
    path = path.resolve()
    root, names = path.parent, [path.stem]
    while (root / "__init__.py").exists():
        names.insert(0, root.name)
        root = root.parent
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    name = ".".join(names)
    loaded = sys.modules.get(name)
    is_loaded = loaded is not None and getattr(loaded, "__file__", None) == str(path)
    if len(names) > 1 or (is_loaded and select is None):
        return Loaded(importlib.import_module(name))
    return _execute(path, name if loaded is None else f"explained_{name}", select)


def _execute(path: pathlib.Path, name: str, select: Select | None) -> Loaded:
    """Run a file; a script that does its work without a `__main__` guard may end in an error."""
    specification = importlib.util.spec_from_file_location(name, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    try:
        tree = select(importlib.util.decode_source(path.read_bytes())) if select is not None else None
        if tree is None:
            specification.loader.exec_module(module)
        else:
            exec(compile(tree, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        return Loaded(module, error)
    return Loaded(module)
