"""Findings of code that may be for Keras 2 or 3: evidence on those that only Keras 3 has."""

import os

from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.errors import SourceError
from graphdoctor.judging.modules import examine, open_project
from graphdoctor.model import Finding, Severity, Since
from graphdoctor.source import Module, parse_module, read_notebook_or_source
from graphdoctor.source.keras_generation import generation_of, is_open

COUNTED = (Severity.ERROR, Severity.WRONG)


def with_generation(module: Module, findings: list[Finding], config: Config) -> list[Finding]:
    """The findings of a module; those that hold for Keras 3 alone say so where only what is installed is 3.

    A program without a project around it is for the Keras that is there.
    """
    counted = [
        each
        for each in findings
        if each.severity in COUNTED and each.is_shown and not _holds_in_keras_2(each)
    ]
    if not counted or not _is_open(module, config):
        return findings
    older = _found_for(2, module, config)
    alone = {id(each) for each in counted if (each.rule, each.place) not in older}
    return [_with_keras_3(each) if id(each) in alone else each for each in findings]


def _is_open(module: Module, config: Config) -> bool:
    """Whether nothing but the Keras that is installed tells that the code of a project is for Keras 3."""
    if config.keras is not None or module.keras_generation != 3 or generation_of(module.text, None) == 3:
        return False
    folder = os.path.dirname(os.path.abspath(module.path))
    return is_open(folder)


def _found_for(generation: int, module: Module, config: Config) -> set[object]:
    chosen = replace(config, keras=generation)
    twin = parse_module(module.path, module.text, generation, module.cells)
    project = open_project(chosen, read_notebook_or_source)
    project.go_on = module.project.go_on
    project.add(twin)
    try:
        return {(each.rule, each.place) for each in examine(twin, chosen)[0]}
    except (SourceError, RecursionError):
        return set()


def _holds_in_keras_2(finding: Finding) -> bool:
    """Whether the last versions of Keras 2 refuse it as well, which came with TensorFlow 2.11 to 2.15."""
    grounds = finding.known_grounds
    return grounds is not None and grounds.since is Since.TENSORFLOW_2_11


def _with_keras_3(finding: Finding) -> Finding:
    grounds = finding.known_grounds
    return finding.on(replace(grounds, only_in="Keras 3")) if grounds is not None else finding
