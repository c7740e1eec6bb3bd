"""Text → facts: files, names through imports, scopes, value kinds, and which functions are traced."""

from graphdoctor.source.calls import Call
from graphdoctor.source.files import find_files, read_source
from graphdoctor.source.functions import Function, TracedFunction
from graphdoctor.source.kinds import Kind
from graphdoctor.source.module import Module, parse_module, read_notebook_or_source

__all__ = [
    "Call",
    "Function",
    "Kind",
    "Module",
    "TracedFunction",
    "find_files",
    "parse_module",
    "read_notebook_or_source",
    "read_source",
]
