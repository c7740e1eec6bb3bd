"""Code for an older TensorFlow, Keras or NumPy: by what the new one refuses or has no more, or by pins."""

import functools
import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from graphdoctor.errors import SourceError
from graphdoctor.model import Evidence, Finding, Severity
from graphdoctor.source import read_notebook_or_source
from graphdoctor.source.keras_generation import pins_numpy_before, stated_generation
from graphdoctor.source.tensorflow_version import newest_tensorflow

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
# Arguments that it does not take, and modules that it has not.
REFUSED = re.compile(
    rb"\btf\.nn\.(?:conv|depthwise_conv)\w+\((?:[^()]|\([^()]*\))*?\b(filter)\s*=|"
    rb"\btf\.(?:nn|reduce)\w*[\w.]*\((?:[^()]|\([^()]*\))*?\b(keep_prob|keep_dims|reduction_indices)\s*=|"
    rb"\b(tensorflow\.(?:contrib|examples\.tutorials))\b"
)
SWITCHED = re.compile(rb"^[^#\n]*\bdisable_(?:v2_behavior|eager_execution)\(", re.MULTILINE)
FIRST = re.compile(rb"tensorflow\.compat(?:\.| import )v1 as tf\b")
LEAST_GONE = 2  # one may be left over
SECOND = (2, 0)
OF_SECOND = re.compile(rb"\btf\.function\b")
# Until then an optimizer took the variables of another model as well.
FIRST_STRICT_OPTIMIZER = (2, 11)
# The last that came with a NumPy before that, as it requires or as its Python does.
LAST_WITH_OLD_NUMPY = (2, 6)
OF_FIRST = ("GD906", "GD912")
COUNTED = (Severity.ERROR, Severity.WRONG, Severity.SLOW)


def lowered_where_numpy_is_older(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, as notes where NumPy is given a tensor and the project pins one that may take it."""
    return [
        replace(finding, severity=Severity.NOTE)
        if finding.rule == "GD802" and _is_foretold(finding) and _has_old_numpy(finding.path)
        else finding
        for finding in findings
    ]


def _has_old_numpy(path: str) -> bool:
    newest = newest_tensorflow(path)
    return pins_numpy_before(os.path.dirname(path), FIRST_STRICT_NUMPY) or (
        newest is not None and newest <= LAST_WITH_OLD_NUMPY
    )


def lowered_where_tensorflow_is_older(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, as notes in files that were written for a TensorFlow in which they do not hold.

    For TensorFlow 1 are files that TensorFlow 2 could not run; of what belongs to TensorFlow 1 itself, files
    beside it tell as well. Else what the project requires tells, or what its notebooks have shown.
    """
    gone = functools.cache(_gone_in)
    return [
        replace(finding, severity=Severity.NOTE)
        if _is_foretold(finding) and (_is_of_first(finding, gone) or _is_of_older_second(finding))
        else finding
        for finding in findings
    ]


def _is_foretold(finding: Finding) -> bool:
    return finding.severity in COUNTED and finding.evidence is Evidence.SOURCE


def _is_of_first(finding: Finding, gone: Callable[[str], frozenset[bytes]]) -> bool:
    way = {place.path for place in (*finding.reached, finding)}
    if any(len(gone(path)) >= LEAST_GONE for path in way):
        return True
    if finding.rule in OF_FIRST and any(gone(path) or _switches(path) for path in _beside(finding.path)):
        return True
    newest = newest_tensorflow(finding.path)
    return newest is not None and newest < SECOND and not any(OF_SECOND.search(_code(path)) for path in way)


def _is_of_older_second(finding: Finding) -> bool:
    if finding.rule != "GD403":
        return False
    newest = newest_tensorflow(finding.path)
    return newest is not None and newest < FIRST_STRICT_OPTIMIZER


def _beside(path: str) -> Iterator[str]:
    return glob.iglob(os.path.join(glob.escape(os.path.dirname(path)), "*.py"))


def _switches(path: str) -> bool:
    return SWITCHED.search(_code(path)) is not None


def _gone_in(path: str) -> frozenset[bytes]:
    """What a file uses and TensorFlow 2 does not have."""
    text = _code(path)
    if FIRST.search(text):
        return frozenset()
    refused = {b"".join(found) for found in REFUSED.findall(text)}
    return frozenset(GONE.findall(text)) | refused


def _code(path: str) -> bytes:
    """The Python in a file, as far as it can be read."""
    try:
        return read_notebook_or_source(path).encode()
    except SourceError:
        return b""


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
