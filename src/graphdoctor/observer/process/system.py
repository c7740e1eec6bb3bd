"""Modules of the operating system, which the observed program may have its own namesakes of.

They are loaded from Python's own folders and are not put into `sys.modules`: a program with a
`resource.py` of its own gets that one, and we never import it.
"""

import importlib.util
import os
import types
from importlib.machinery import BuiltinImporter, PathFinder

LIBRARY = os.path.dirname(os.__file__)
FOLDERS = [LIBRARY, os.path.join(LIBRARY, "lib-dynload")]


def _loaded(name: str) -> types.ModuleType | None:
    """Python's own module of this name; None on an operating system without it."""
    found = BuiltinImporter.find_spec(name) or PathFinder.find_spec(name, FOLDERS)
    if found is None or found.loader is None:
        return None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


fcntl = _loaded("fcntl")
resource = _loaded("resource")
