"""Which functions are worth running: those from whose text a graph, a tape or Keras can be reached.

A cheap over-approximation by names: a function counts when it, or a function whose name it mentions, says
one of the words that tracing and gradients begin with.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Set

from graphdoctor.dryrun.names import is_external

WORDS = frozenset(
    (
        "GradientTape", "function", "gradient", "gradients", "jacobian", "apply_gradients", "minimize",
        "watch",
        "fit", "compile", "predict", "evaluate", "train_on_batch", "test_on_batch", "predict_on_batch",
        "Dataset", "map", "filter", "interleave", "flat_map", "reduce", "scan", "from_generator", "map_fn",
        "while_loop", "cond", "switch_case", "case", "vectorized_map", "foldl", "py_function",
        "numpy_function",
        "jit_compile", "run_functions_eagerly", "run_eagerly", "trainable_variables", "trainable_weights",
        "get_concrete_function", "custom_gradient", "recompute_grad", "train_step", "test_step",
        "Lambda", "Input", ".map", ".filter", ".compile",
    )
)  # fmt: skip
TRACED_BY_KERAS = frozenset(
    ("call", "train_step", "test_step", "predict_step", "compute_loss", "update_state", "result")
)  # fmt: skip
BUILTINS = frozenset(("map", "filter", "compile"))  # words, unless the module makes other things of them
PLAIN_DECORATORS = frozenset(
    ("property", "staticmethod", "classmethod", "setter", "abstractmethod", "wraps", "override")
)  # fmt: skip
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
INNER_IMPORT = re.compile(r"^[ \t]+(?:from|import)[ \t]+(\.*)(\w*)", re.MULTILINE)


def reaches_tensorflow(texts: Iterable[str]) -> bool:
    """Whether one of these modules, or one that their functions may import, can use TensorFlow at all."""
    return any(
        "tensorflow" in text
        or "keras" in text
        or any(dots or not is_external(name) for dots, name in INNER_IMPORT.findall(text))
        for text in texts
    )


def relevant_functions(tree: ast.Module, undecorated: Set[ast.AST] = frozenset()) -> frozenset[ast.AST]:
    """The functions of a module that are worth running when nothing calls them.

    `undecorated` are those that their decorators are known to leave as they are.
    """
    mentions: dict[ast.AST, set[str]] = {}
    words = _collect(tree, mentions)
    own = {name for name in BUILTINS & words if _is_bound(tree, name)}
    counting = WORDS - (BUILTINS - own)
    relevant = {
        node for node, words in mentions.items() if _counts(node, words, counting, node in undecorated)
    }
    new = relevant
    while new:
        names = {node.name for node in new} - {"__init__"}  # type: ignore[attr-defined]
        new = {node for node, words in mentions.items() if node not in relevant and words & names}
        relevant |= new
    return frozenset(relevant)


def _counts(node: ast.AST, words: set[str], counting: frozenset[str], undecorated: bool) -> bool:
    name = getattr(node, "name", "")
    return (
        name in TRACED_BY_KERAS
        or name == "__call__"
        or not words.isdisjoint(counting)
        or (not undecorated and _is_decorated(node))
    )


def _is_decorated(node: ast.AST) -> bool:
    return any(
        getattr(each, "attr", getattr(each, "id", "")) not in PLAIN_DECORATORS
        for each in getattr(node, "decorator_list", [])
    )


def _is_bound(tree: ast.Module, name: str) -> bool:
    """Whether a module gives a name another meaning than Python does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, ast.alias) and (node.asname or node.name) in (name, "*"):
            return True
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node.name == name:
            return True
    return False


def _collect(root: ast.AST, mentions: dict[ast.AST, set[str]]) -> set[str]:
    """The words of a node, and those of each function in it; builtins are marked where they stand alone."""
    found: set[str] = set()
    todo: list[ast.AST] = [root]
    while todo:
        node = todo.pop()
        kind = node.__class__
        if kind is ast.Name:
            found.add(node.id)  # type: ignore[attr-defined]
            continue
        if kind is ast.Constant:
            continue
        if kind is ast.Attribute:
            name = node.attr  # type: ignore[attr-defined]
            found.add(f".{name}" if name in BUILTINS else name)
            todo.append(node.value)  # type: ignore[attr-defined]
            continue
        if kind is ast.keyword and node.arg:  # type: ignore[attr-defined]
            found.add(node.arg)  # type: ignore[attr-defined]
        elif kind in FUNCTIONS and node is not root:
            inner = mentions[node] = _collect(node, mentions)
            found |= inner
            continue
        for field in node._fields:
            value = getattr(node, field, None)
            if value.__class__ is list:
                todo += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST):
                todo.append(value)
    return found
