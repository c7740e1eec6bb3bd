"""What a saved object uses, kept in an attribute of it; and where that is not offered."""

import pytest
from tests.checking import changed_lines, check

RULE = "GD412"
PROGRAM = """
import functools
import tensorflow as tf

scale = tf.Variable(3.0)

@functools.lru_cache(maxsize=None)
def words():
    known = tf.lookup.KeyValueTensorInitializer(tf.constant(["a"]), tf.constant([1]))
    return tf.lookup.StaticHashTable(known, default_value=0)

class Reader(tf.Module):
    def __init__(self):
        super().__init__()
        self.gain = 2

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def read(self, texts):
        return words().lookup(texts)

tf.saved_model.save(Reader(), "folder")
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("def words():", "def words(size=0):", id="one for each set of arguments"),
        pytest.param("    return tf.lookup", "    made = tf.lookup", id="given in another way"),
        pytest.param("self.gain", "self._words = self.gain", id="the name is taken"),
        pytest.param(
            "    def __init__(self):\n        super().__init__()\n        self.gain = 2\n", "", id="no init"
        ),
    ],
)
def test_left_alone(old: str, new: str) -> None:
    program = PROGRAM.replace(old, new)
    if "made =" in program:
        program = program.replace(
            "default_value=0)\n", "default_value=0)\n    kept = [made]\n    return kept[0]\n"
        )
    found = check(program, RULE)
    assert not [fix for finding in found for fix in finding.fixes if fix.edits]


def test_what_a_cached_function_gives() -> None:
    assert changed_lines(PROGRAM, RULE) == ["self._words = words()"]


def test_what_a_ragged_tensor_is_looked_up_in() -> None:
    asked = "tf.ragged.map_flat_values(words().lookup, tf.strings.split(texts)).to_tensor()"
    program = PROGRAM.replace("words().lookup(texts)", asked)
    assert changed_lines(program, RULE) == ["self._words = words()"]


def test_a_global() -> None:
    program = PROGRAM.replace("words().lookup(texts)", "scale * 2.0")
    assert changed_lines(program, RULE) == ["self._scale = scale"]
