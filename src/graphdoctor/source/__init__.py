"""Text → syntax: files, notebooks, modules, and names through imports and scopes. It evaluates nothing."""

from graphdoctor.source.files import find_files, read_source
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module, parse_module, read_notebook_or_source

__all__ = [
    "Function",
    "Module",
    "find_files",
    "parse_module",
    "read_notebook_or_source",
    "read_source",
]
