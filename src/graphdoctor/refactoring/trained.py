"""`model.variables` → `model.trainable_variables`, where gradients are asked for and applied."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Edit
from graphdoctor.refactoring.tapes import Question
from graphdoctor.source.module import Module

TRAINED = {"variables": "trainable_variables", "weights": "trainable_weights"}


def trained_only(module: Module, question: Question) -> tuple[str, tuple[Edit, ...]] | None:
    """The name of those that are trained, and the edits that ask for these; None for other sources."""
    sources = question.sources
    named = _given_a_name(question) if isinstance(sources, ast.Name) else None
    if named is not None:
        trained = TRAINED[named.attr]
        return trained, (module.replace(named, f"{module.source_of(named.value)}.{trained}"),)
    if not isinstance(sources, ast.Attribute) or sources.attr not in TRAINED:
        return None
    return TRAINED[sources.attr], tuple(_renamed(module, question, sources))


def _given_a_name(question: Question) -> ast.Attribute | None:
    """`model.variables`, where the function itself gives it the name that the question is asked with."""
    assert isinstance(question.sources, ast.Name)
    bindings = question.scope.bindings.get(question.sources.id, [])
    value = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "value" else None
    alone = isinstance(value, ast.Attribute) and bindings[0].index is None
    return value if alone and isinstance(value, ast.Attribute) and value.attr in TRAINED else None


def _renamed(module: Module, question: Question, sources: ast.Attribute) -> Iterator[Edit]:
    """The name here, and wherever the same function gives the same variables to an optimizer."""
    owner = module.source_of(sources.value)
    yield module.replace(sources, f"{owner}.{TRAINED[sources.attr]}")
    for node in ast.walk(question.scope.node):
        if not isinstance(node, ast.Call) or not _applies(node, question.node):
            continue
        for given in node.args:
            if not isinstance(given, ast.Attribute) or given is sources or given.attr != sources.attr:
                continue
            if module.source_of(given.value) == owner:
                yield module.replace(given, f"{owner}.{TRAINED[sources.attr]}")


def _applies(call: ast.Call, question: ast.Call) -> bool:
    name = getattr(call.func, "attr", getattr(call.func, "id", None))
    return call is question or name in ("zip", "apply", "apply_gradients", "build")
