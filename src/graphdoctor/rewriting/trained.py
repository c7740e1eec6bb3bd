"""`model.variables` → `model.trainable_variables`, where gradients are asked for and applied."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Edit
from graphdoctor.rewriting.tapes import Question
from graphdoctor.source.module import Module

TRAINED = {"variables": "trainable_variables", "weights": "trainable_weights"}


def trained_only(module: Module, question: Question) -> tuple[str, tuple[Edit, ...]] | None:
    """The name of those that are trained, and the edits that ask for these; None for other sources."""
    sources = question.sources
    if not isinstance(sources, ast.Attribute) or sources.attr not in TRAINED:
        return None
    return TRAINED[sources.attr], tuple(_renamed(module, question, sources))


def _renamed(module: Module, question: Question, sources: ast.Attribute) -> Iterator[Edit]:
    """The name here, and wherever the same function gives the same variables to an optimizer."""
    owner = module.source_of(sources.value)
    for node in ast.walk(question.scope.node):
        if not isinstance(node, ast.Call) or not _applies(node, question.node):
            continue
        for given in node.args:
            if not isinstance(given, ast.Attribute) or given.attr != sources.attr:
                continue
            if module.source_of(given.value) == owner:
                yield module.replace(given, f"{owner}.{TRAINED[sources.attr]}")


def _applies(call: ast.Call, question: ast.Call) -> bool:
    name = getattr(call.func, "attr", getattr(call.func, "id", None))
    return call is question or name in ("zip", "apply", "apply_gradients", "build")
