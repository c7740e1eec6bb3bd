"""Which functions are worth running: those from whose text a graph, a tape or Keras can be reached.

A cheap over-approximation by names: a function counts when it, or a function whose name it mentions, says
one of the words that tracing and gradients begin with.
"""

from __future__ import annotations

import ast
import functools

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
        "Lambda", "Input",
    )
)  # fmt: skip
TRACED_BY_KERAS = frozenset(
    ("call", "train_step", "test_step", "predict_step", "compute_loss", "update_state")
)  # fmt: skip
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@functools.lru_cache(maxsize=256)
def relevant_functions(tree: ast.Module) -> frozenset[ast.AST]:
    """The functions of a module that are worth running when nothing calls them."""
    mentions: dict[ast.AST, frozenset[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            mentions[node] = _words(node)
    names = {node.name for node, words in mentions.items() if _counts(node, words)}  # type: ignore[attr-defined]
    while True:
        more = {n.name for n, words in mentions.items() if n.name not in names and words & names}  # type: ignore[attr-defined]
        if not more:
            break
        names |= more
    return frozenset(node for node in mentions if node.name in names)  # type: ignore[attr-defined]


def _counts(node: ast.AST, words: frozenset[str]) -> bool:
    name = getattr(node, "name", "")
    return bool(words & WORDS) or name in TRACED_BY_KERAS or name == "__call__" or bool(_decorators(node))


def _decorators(node: ast.AST) -> list[ast.expr]:
    plain = ("property", "staticmethod", "classmethod", "setter", "abstractmethod", "wraps", "override")
    return [
        each
        for each in getattr(node, "decorator_list", [])
        if getattr(each, "attr", getattr(each, "id", "")) not in plain
    ]


def _words(node: ast.AST) -> frozenset[str]:
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute):
            found.add(part.attr)
        elif isinstance(part, ast.Name):
            found.add(part.id)
        elif isinstance(part, ast.keyword) and part.arg:
            found.add(part.arg)
    return frozenset(found)
