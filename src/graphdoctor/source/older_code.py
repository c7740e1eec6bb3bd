"""Code for an older TensorFlow or NumPy: by what the new one refuses or has no more, or by pins."""

import functools
import glob
import os
import re
from collections.abc import Iterable, Iterator

from graphdoctor.source.keras_generation import pins_numpy_before
from graphdoctor.source.project_index import ProjectIndex
from graphdoctor.source.tensorflow_version import newest_tensorflow

# Before, NumPy made an array of objects of a list of symbolic tensors (run on 1.19.5 with 2.5.0).
FIRST_STRICT_NUMPY = 20
# What TensorFlow 2 has under no such name (run on 2.21), in a file that does not take TensorFlow 1's.
GONE = re.compile(
    r"\btf\.(Session|InteractiveSession|placeholder|get_variable|variable_scope|global_variables_initializer|"
    r"get_default_graph|trainable_variables|global_variables|log|to_float|to_int32|to_int64|random_shuffle|"
    r"random_normal|random_uniform|truncated_normal|layers|contrib|app|flags|ConfigProto|sparse_to_dense|"
    r"add_check_numerics_ops|reset_default_graph|set_random_seed|is_nan|assign|train\.\w+Optimizer|"
    r"summary\.FileWriter|summary\.merge_all|get_collection|add_to_collection)\b"
)
# Arguments that it does not take, and modules that it has not.
REFUSED = re.compile(
    r"\btf\.nn\.(?:conv|depthwise_conv)\w+\((?:[^()]|\([^()]*\))*?\b(filter)\s*=|"
    r"\btf\.(?:nn|reduce)\w*[\w.]*\((?:[^()]|\([^()]*\))*?\b(keep_prob|keep_dims|reduction_indices)\s*=|"
    r"\b(tensorflow\.(?:contrib|examples\.tutorials))\b"
)
SWITCHED = re.compile(r"^[^#\n]*\bdisable_(?:v2_behavior|eager_execution)\(", re.MULTILINE)
FIRST = re.compile(r"tensorflow\.compat(?:\.| import )v1 as tf\b")
LEAST_GONE = 2  # one may be left over
SECOND = (2, 0)
OF_SECOND = re.compile(r"\btf\.function\b")
# Until then an optimizer took the variables of another model as well.
FIRST_STRICT_OPTIMIZER = (2, 11)
# The last that came with a NumPy before that, as it requires or as its Python does.
LAST_WITH_OLD_NUMPY = (2, 6)


class OlderCode:
    """Answers for the files of an index which generation of TensorFlow and NumPy they are written for."""

    def __init__(self, index: ProjectIndex) -> None:
        self._index = index
        self._gone = functools.cache(self._find_gone)

    def has_old_numpy(self, path: str) -> bool:
        """Whether the project pins a NumPy that may take a symbolic tensor."""
        newest = newest_tensorflow(path)
        return pins_numpy_before(os.path.dirname(path), FIRST_STRICT_NUMPY) or (
            newest is not None and newest <= LAST_WITH_OLD_NUMPY
        )

    def is_for_first_tensorflow(self, paths: Iterable[str], path: str) -> bool:
        """Whether one of the files on the way is one that TensorFlow 2 could not run, or the project pins 1.

        Files for TensorFlow 1 use what TensorFlow 2 does not have. Else what the project requires tells, or
        what its notebooks have shown.
        """
        way = set(paths)
        if any(len(self._gone(each)) >= LEAST_GONE for each in way):
            return True
        newest = newest_tensorflow(path)
        second = any(OF_SECOND.search(self._index.code(each)) for each in way)
        return newest is not None and newest < SECOND and not second

    def stands_beside_first_tensorflow(self, path: str) -> bool:
        """Whether a file beside it uses what only TensorFlow 1 has, or switches to its behaviour."""
        return any(self._gone(each) or SWITCHED.search(self._index.code(each)) for each in _beside(path))

    def has_lenient_optimizer(self, path: str) -> bool:
        """Whether the project is for a TensorFlow whose optimizers took the variables of another model."""
        newest = newest_tensorflow(path)
        return newest is not None and newest < FIRST_STRICT_OPTIMIZER

    def _find_gone(self, path: str) -> frozenset[str]:
        """What a file uses and TensorFlow 2 does not have."""
        text = self._index.code(path)
        if FIRST.search(text):
            return frozenset()
        refused = {"".join(found) for found in REFUSED.findall(text)}
        return frozenset(GONE.findall(text)) | refused


def _beside(path: str) -> Iterator[str]:
    return glob.iglob(os.path.join(glob.escape(os.path.dirname(path)), "*.py"))
