"""What a dry run looked at, function by function, and why not where it did not."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from graphdoctor.dryrun.core.definitions import is_generator_function
from graphdoctor.dryrun.libraries.keras.entry_methods import is_called_by_keras
from graphdoctor.recording.format import (
    BUDGET,
    DEPTH,
    IRRELEVANT,
    NO_IMPORT,
    NO_ROUND,
    NOT_REACHED,
    UNKNOWN_DECORATOR,
    UNUSED,
    Definition,
    Looked,
    Trace,
)
from graphdoctor.source.nodes import walk
from graphdoctor.source.remembering import remembered

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.context import SourceModule
    from graphdoctor.dryrun.core.event_log import Log
    from graphdoctor.source.survey import Survey

MAPPING = ("map", "filter", "flat_map", "interleave")
DATA = re.compile(r"data|\bds\b|_ds\b", re.IGNORECASE)

__all__ = ["BUDGET", "DEPTH", "NO_IMPORT", "UNUSED", "look_back"]


def look_back(log: Log, module: SourceModule) -> None:
    """Write down what became of each function of a module, and which others ran in a graph."""
    origins = {event.function: event.origin for event in log.events if isinstance(event, Trace)}
    survey = module.syntax.survey
    given = _given_to_datasets(module.syntax.tree) if ast.Lambda in map(type, survey.names) else ()
    seen = (*log.readers.traced, *log.stopped, *given)
    lambdas = {node: None for node in seen if isinstance(node, ast.Lambda) and node in survey.names}
    for node in sorted((*survey.mentions, *lambdas), key=lambda node: (node.lineno, node.col_offset)):  # type: ignore[attr-defined]
        _note(log, node, module, _why_not(log, node, survey), origins)
    for ran, function in log.ran.items():
        has_run = ran in log.readers.traced or is_generator_function(function)  # who goes through it, ran it
        if function.module is not module and has_run:
            _note(log, ran, function.module, "", origins)


@remembered(64)
def _given_to_datasets(tree: ast.AST) -> tuple[ast.AST, ...]:
    """What is given to `map` and its like of something that is called data."""
    return tuple(
        argument
        for node in walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MAPPING
        for argument in node.args[:1]
        if isinstance(argument, ast.Lambda) and DATA.search(ast.unparse(node.func.value))
    )


def _note(
    log: Log, node: ast.AST, module: SourceModule, skipped: str, origins: dict[Definition, str]
) -> None:
    definition = log.definition_at(node, module)
    traced = node in log.readers.traced
    role = _role(log, node, origins.get(definition, "")) if traced else ""
    known = log.looked.get(definition)
    if known is None or (traced and not known.traced):
        log.looked[definition] = Looked(function=definition, traced=traced, role=role, skipped=skipped)


def _role(log: Log, node: ast.AST, origin: str) -> str:
    function = log.ran.get(node)
    owner = function.owner if function is not None else None
    if function is not None and owner is not None and is_called_by_keras(owner, function.name):
        return "keras"
    return origin


def _why_not(log: Log, node: ast.AST, survey: Survey) -> str:
    """Why not all that happens in a function is known; empty when it was followed."""
    if node in log.stopped and (node not in log.ran or log.stopped[node] != UNUSED):
        return log.stopped[node]
    if node in log.ran:
        unclear = node in log.unknown_decorators and node in log.relevant
        return UNKNOWN_DECORATOR if unclear and node not in log.readers.traced else ""
    if isinstance(node, ast.Lambda):
        return NOT_REACHED
    if node not in log.relevant:
        return IRRELEVANT
    if node in log.machine.called:
        return NO_ROUND if node in survey.generators else DEPTH
    return NOT_REACHED
