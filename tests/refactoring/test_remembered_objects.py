"""Objects that each call makes again, remembered by their arguments; and where that is not offered."""

import pytest
from tests.checking import changed_lines, check

RULE = "GD109"
PROGRAM = """
import tensorflow as tf

LEVELS = [0.1, 0.2]

class Noise:
    def __init__(self, level):
        self.level = level
        self.levels = list(LEVELS)

    def add(self, x):
        return x + self.level + self.levels[0]

def noise_for(step):
    return Noise(LEVELS[step % 2])

@tf.function
def apply(x, noise):
    return noise.add(x)

for epoch in range(100):
    for _ in range(100):
        apply(tf.constant(1.0), noise_for(epoch))
"""
CACHE = "@functools.lru_cache(maxsize=None)"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("return x +", "self.level += 1.0\n        return x +", id="the object changes"),
        pytest.param("for epoch", "LEVELS.append(3.0)\nfor epoch", id="what it is made of changes"),
        pytest.param("for epoch", "others = noise_for(0).levels\nfor epoch", id="a list with another name"),
        pytest.param("LEVELS[step % 2]", "random.random()", id="chance"),
        pytest.param("LEVELS[step % 2]", "len(open('level').read())", id="a file"),
        pytest.param("LEVELS[step % 2]", "state.level", id="an object's attribute"),
        pytest.param("def noise_for", "@trace\ndef noise_for", id="a decorator"),
        pytest.param("self.level = level", "self.level = tf.Variable(level)", id="a Variable"),
    ],
)
def test_left_alone(old: str, new: str) -> None:
    found = check(PROGRAM.replace(old, new), RULE)
    assert not [fix for finding in found for fix in finding.fixes if fix.edits]


def test_a_pure_function_remembers_what_it_made() -> None:
    assert changed_lines(PROGRAM, RULE) == ["import functools", CACHE]


def test_what_cannot_surely_be_looked_up_is_only_tried() -> None:
    program = PROGRAM.replace("for epoch in range(100):", "for epoch in epochs():")
    (finding,) = check(program, RULE)
    assert finding.fix is not None
    assert (finding.fix.edits, [fix.title for fix in finding.alternatives]) == ((), ["Remember what it made"])


def test_a_class_is_called_once_for_each_set_of_arguments() -> None:
    program = PROGRAM.replace("noise_for(epoch)", "Noise(epoch)")
    assert changed_lines(program, RULE) == [
        "import functools",
        "noise_of = functools.lru_cache(maxsize=None)(Noise)",
        "apply(tf.constant(1.0), noise_of(epoch))",
    ]
