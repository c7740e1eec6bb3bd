"""Which functions are worth running: those from whose text a graph, a tape or Keras can be reached.

A cheap over-approximation by names: a function counts when it, or a function whose name it mentions, says
one of the words that tracing and gradients begin with.
"""

import ast
import re
from collections.abc import Iterable, Set

from graphdoctor.dryrun.libraries.canonical_names import is_external
from graphdoctor.dryrun.libraries.tables.names import names
from graphdoctor.source.survey import Mentions, Survey

WORDS = names("words of tracing and gradients")
TRACED_BY_KERAS = frozenset(
    ("call", "train_step", "test_step", "predict_step", "compute_loss", "update_state", "result")
)  # fmt: skip
TEXTS = ("__repr__", "__str__")
BUILTINS = frozenset(("map", "filter", "compile"))  # alone they are no words, unless the module binds them
PLAIN_DECORATORS = frozenset(
    ("property", "staticmethod", "classmethod", "setter", "abstractmethod", "wraps", "override")
)  # fmt: skip
INNER_IMPORT = re.compile(r"^[ \t]+(?:from|import)[ \t]+(\.*)(\w*)", re.MULTILINE)


def reaches_tensorflow(texts: Iterable[str]) -> bool:
    """Whether one of these modules, or one that their functions may import, can use TensorFlow at all."""
    return any(
        "tensorflow" in text
        or "keras" in text
        or any(dots or not is_external(name) for dots, name in INNER_IMPORT.findall(text))
        for text in texts
    )


def relevant_functions(survey: Survey, undecorated: Set[ast.AST] = frozenset()) -> frozenset[ast.AST]:
    """The functions of a module that are worth running when nothing calls them.

    `undecorated` are those that their decorators are known to leave as they are.
    """
    own = BUILTINS if "*" in survey.bound else BUILTINS & survey.bound
    counting = WORDS - (BUILTINS - own)
    relevant = {
        node for node, words in survey.mentions.items() if _counts(node, words, counting, node in undecorated)
    }
    new = relevant
    while new:
        names = {node.name for node in new} - {"__init__"}  # type: ignore[attr-defined]
        new = {
            node
            for node, words in survey.mentions.items()
            if node not in relevant
            and not (words.names.isdisjoint(names) and words.attributes.isdisjoint(names))
        }
        relevant |= new
    return frozenset(relevant)


def _counts(node: ast.AST, words: Mentions, counting: frozenset[str], undecorated: bool) -> bool:
    name = getattr(node, "name", "")
    return (
        name in TRACED_BY_KERAS
        or name == "__call__"
        or (name in TEXTS and "numpy" in words.attributes)
        or not words.names.isdisjoint(counting)
        or not words.attributes.isdisjoint(WORDS)
        or (not undecorated and _is_decorated(node))
    )


def _is_decorated(node: ast.AST) -> bool:
    return any(
        getattr(each, "attr", getattr(each, "id", "")) not in PLAIN_DECORATORS
        for each in getattr(node, "decorator_list", [])
    )
