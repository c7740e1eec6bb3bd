"""Text → syntax: files, notebooks, modules, and names through imports and scopes. It evaluates nothing."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphdoctor.source.files import find_files, read_source
    from graphdoctor.source.functions import Function
    from graphdoctor.source.module import Module, parse_module, parse_text, read_notebook_or_source

__all__ = [
    "Function",
    "Module",
    "find_files",
    "parse_module",
    "parse_text",
    "read_notebook_or_source",
    "read_source",
]

# Loaded when first asked for: where no file has changed, `check` needs names of files and no syntax.
_HOMES = {
    "Function": "functions",
    "Module": "module",
    "find_files": "files",
    "parse_module": "module",
    "parse_text": "module",
    "read_notebook_or_source": "module",
    "read_source": "files",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(importlib.import_module(f"graphdoctor.source.{_HOMES[name]}"), name)
