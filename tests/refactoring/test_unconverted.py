"""A count in code that Keras calls as it is: no Variable where Python needs the number."""

import pytest
from tests.checking import changed_lines, check

RULE = "GD204"
PROGRAM = """
import math
import keras
import numpy as np

class Schedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak):
        self.peak = peak
        self.tick = 0

    def __call__(self, step):
        self.tick += 1
        {}

    def get_config(self):
        return {{"peak": self.peak, "tick": self.tick}}

model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(keras.optimizers.SGD(Schedule(0.1)), "mse")
model.fit(np.ones((64, 2)), np.ones((64, 1)), batch_size=8, epochs=3)
"""


@pytest.mark.parametrize(
    "rest",
    [
        "if self.tick < 9:\n            return 0.1\n        return self.peak",
        "t = self.tick\n        u = t / 9\n        return self.peak * math.cos(u)",
        "return self.peak * min(1.0, self.tick / 9)",
        "return 0.1 if self.tick < 9 else self.peak",
    ],
)
def test_left_to_the_author_where_python_needs_the_number(rest: str) -> None:
    found = check(PROGRAM.format(rest), RULE)
    titles = [fix.title for finding in found for fix in finding.fixes if fix.edits]
    assert found
    assert "Keep it in a `tf.Variable`" not in titles


def test_kept_in_a_variable_where_a_tensor_will_do() -> None:
    lines = changed_lines(PROGRAM.format("return self.peak / (self.tick + 1.0)"), RULE)
    assert "self.tick.assign_add(1)" in lines or "self.tick.assign_add(1.0)" in lines
