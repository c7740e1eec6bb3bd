"""Expressions → the dotted names they stand for, through imports and aliases."""

import ast
from typing import Final

from graphdoctor.source.scopes import Binding, Scope

# Other spellings of the same module, longest first.
CANONICAL: Final = (
    ("tensorflow.compat.v2.", "tensorflow."),
    ("tensorflow._api.v2.", "tensorflow."),
    ("tensorflow.python.keras.", "keras."),
    ("tensorflow.keras.", "keras."),
    ("tf_keras.", "keras."),
    ("keras.api.", "keras."),
)
LONGEST_CHAIN: Final = 8
# Never searched for among the project's own files: what they mean stands in our tables.
EXTERNAL: Final = {"tensorflow", "keras", "tf_keras", "numpy", "builtins", "functools", "typing", "os", "sys"}


def canonical(name: str) -> str:
    """One spelling for names that TensorFlow and Keras offer under several."""
    if name[:1] not in "tk":
        return name
    for prefix, replacement in CANONICAL:
        if (name + ".").startswith(prefix):
            return canonical((replacement + name[len(prefix) :]).rstrip("."))
    return name


def dotted_name(node: ast.AST, scope: Scope, depth: int = 0) -> str | None:
    """The full dotted name, such as `tensorflow.function` or `builtins.print`; None when unknown."""
    if depth > LONGEST_CHAIN:
        return None
    if isinstance(node, ast.Attribute):
        base = dotted_name(node.value, scope, depth + 1)
        return canonical(f"{base}.{node.attr}") if base else None
    if isinstance(node, ast.Name):
        found = scope.lookup(node.id)
        if found is None:
            return f"builtins.{node.id}"
        names = {_binding_name(binding, found[0], depth) for binding in found[1]}
        return names.pop() if len(names) == 1 else None
    return None


def _binding_name(binding: Binding, scope: Scope, depth: int) -> str | None:
    if depth > LONGEST_CHAIN:  # a module may import from itself
        return None
    if binding.kind == "import":
        return _exported(binding.target, scope, depth) or canonical(binding.target)
    if binding.kind == "value" and binding.value is not None and binding.index is None:
        return dotted_name(binding.value, scope, depth + 1)
    return None


def _exported(target: str, scope: Scope, depth: int) -> str | None:
    """The name behind a re-export: `from common import tf`, where `common` imports TensorFlow."""
    home = scope.home
    if home is None or home.project is None:
        return None
    found = home.project.find(target, home)
    if found is None or len(found.bindings) != 1 or found.bindings[0].kind not in ("import", "value"):
        return None
    name = _binding_name(found.bindings[0], found.scope, depth + 1)
    return canonical(".".join((name, *found.rest))) if name else None


def module_alias(dotted: str, scope: Scope) -> str | None:
    """The name under which a module is visible from a scope, as in `import tensorflow as tf`."""
    current: Scope | None = scope
    while current is not None:
        for name, bindings in current.bindings.items():
            found = scope.lookup(name)
            if found is not None and found[0] is current:
                targets = {canonical(b.target) if b.kind == "import" else "" for b in bindings}
                if targets == {dotted}:
                    return name
        current = current.parent
    return None
