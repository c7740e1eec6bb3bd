"""Where a module reads a name."""

import ast
from collections.abc import Collection

from graphdoctor.source.module import Module


def reads_outside(module: Module, name: str, functions: Collection[int]) -> bool:
    """Whether a name or attribute of this name is read, outside the functions that begin on these lines."""
    waiting: list[ast.AST] = [module.tree]
    while waiting:
        node = waiting.pop()
        function = module.functions.get(node)
        if function is not None and function.ref.line in functions:
            continue
        own = getattr(node, "attr", None) or getattr(node, "id", None)
        if own == name and isinstance(getattr(node, "ctx", None), ast.Load):
            return True
        waiting += ast.iter_child_nodes(node)
    return False
