"""Findings of code that may be for Keras 2 or 3: where only Keras 3 has the problem, a note that says so."""

import os

from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.errors import SourceError
from graphdoctor.judging.modules import examine, open_project
from graphdoctor.model import Finding, Severity
from graphdoctor.source import Module, parse_module, read_notebook_or_source
from graphdoctor.source.keras_generation import generation_of, is_open

COUNTED = (Severity.ERROR, Severity.WRONG)
# What the last versions of Keras 2 refuse as well: an optimizer for other variables, since TensorFlow 2.11.
SINCE_2_11 = ("GD403",)


def lowered_where_only_newer(module: Module, findings: list[Finding], config: Config) -> list[Finding]:
    """The findings of a module, as notes where they hold for Keras 3 alone and only what is installed is 3.

    A program without a project around it is for the Keras that is there.
    """
    counted = [each for each in findings if each.severity in COUNTED and each.rule not in SINCE_2_11]
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
    twin = parse_module(module.path, module.text, generation)
    open_project(chosen, read_notebook_or_source).add(twin)
    try:
        return {(each.rule, each.place) for each in examine(twin, chosen)[0]}
    except (SourceError, RecursionError):
        return set()


def _with_keras_3(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.NOTE, message=f"with Keras 3, {finding.message}")
