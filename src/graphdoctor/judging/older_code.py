"""Code for an older TensorFlow, Keras or NumPy: by what the new one refuses or has no more, or by pins."""

import functools
import glob
import os
import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from graphdoctor.errors import SourceError
from graphdoctor.model import Evidence, Finding, Severity
from graphdoctor.source.files import read_bytes
from graphdoctor.source.keras_generation import pins_numpy_before, stated_generation

REFUSED_BY_KERAS_3 = ("GD406", "GD701")
MANY_FILES = 2
# Before, NumPy made an array of objects of a list of symbolic tensors (run on 1.19.5 with 2.5.0).
FIRST_STRICT_NUMPY = 20
# What TensorFlow 2 has under no such name (run on 2.21), in a file that does not take TensorFlow 1's.
GONE = re.compile(
    rb"\btf\.(Session|InteractiveSession|placeholder|get_variable|variable_scope|global_variables_initializer|"
    rb"get_default_graph|trainable_variables|global_variables|log|to_float|to_int32|to_int64|random_shuffle|"
    rb"random_normal|random_uniform|truncated_normal|layers|contrib|app|flags|ConfigProto|sparse_to_dense|"
    rb"add_check_numerics_ops|reset_default_graph|set_random_seed|is_nan|assign|train\.\w+Optimizer|"
    rb"summary\.FileWriter|summary\.merge_all|get_collection|add_to_collection)\b"
)
FIRST = re.compile(rb"tensorflow\.compat(?:\.| import )v1 as tf\b")
LEAST_GONE = 2  # one may be left over
OF_FIRST = ("GD906", "GD912")
COUNTED = (Severity.ERROR, Severity.WRONG, Severity.SLOW)


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


def lowered_where_tensorflow_is_older(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, as notes in files that TensorFlow 2 could not run: they were written for TensorFlow 1.

    Of what belongs to TensorFlow 1 itself, files beside it tell as well.
    """
    gone = functools.cache(_gone_in)
    return [
        replace(finding, severity=Severity.NOTE)
        if finding.severity in COUNTED
        and finding.evidence is Evidence.SOURCE
        and (
            any(len(gone(path)) >= LEAST_GONE for path in _way_to(finding))
            or (finding.rule in OF_FIRST and any(map(gone, _beside(finding.path))))
        )
        else finding
        for finding in findings
    ]


def _way_to(finding: Finding) -> set[str]:
    return {place.path for place in (*finding.reached, finding)}


def _beside(path: str) -> Iterator[str]:
    return glob.iglob(os.path.join(glob.escape(os.path.dirname(path)), "*.py"))


def _gone_in(path: str) -> frozenset[bytes]:
    """The names in a file that TensorFlow 2 does not have."""
    try:
        text = read_bytes(path) if path.endswith(".py") else b""
    except SourceError:
        return frozenset()
    return frozenset() if FIRST.search(text) else frozenset(GONE.findall(text))


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
