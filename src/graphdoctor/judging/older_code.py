"""Code for an older Keras or NumPy: by what Keras 3 would refuse in file after file, or by what it pins."""

import os
from collections.abc import Iterable

from msgspec.structs import replace

from graphdoctor.model import Evidence, Finding, Severity
from graphdoctor.source.keras_generation import pins_numpy_before, stated_generation

REFUSED_BY_KERAS_3 = ("GD406", "GD701")
MANY_FILES = 2
# Before, NumPy made an array of objects of a list of symbolic tensors (run on 1.19.5 with 2.5.0).
FIRST_STRICT_NUMPY = 20


def lowered_where_numpy_is_older(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, as notes where NumPy is given a tensor and the project pins one that may take it."""
    return [
        replace(finding, severity=Severity.NOTE)
        if finding.rule == "GD802"
        and finding.evidence is Evidence.SOURCE
        and pins_numpy_before(os.path.dirname(finding.path), FIRST_STRICT_NUMPY)
        else finding
        for finding in findings
    ]


def lowered_where_older(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, as notes where the code is right for Keras 2 and only what is installed is another.

    One file that Keras 3 refuses may be wrong; a project whose files it refuses one after the other was
    never run with it.
    """
    told = list(findings)
    files = {
        finding.path
        for finding in told
        if finding.rule in REFUSED_BY_KERAS_3 and finding.severity is Severity.ERROR
    }
    older = {path for path in files if stated_generation(os.path.dirname(path)) is None}
    if len(older) < MANY_FILES:
        return told
    return [
        replace(finding, severity=Severity.NOTE)
        if finding.rule in REFUSED_BY_KERAS_3 and stated_generation(os.path.dirname(finding.path)) is None
        else finding
        for finding in told
    ]
