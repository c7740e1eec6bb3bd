"""Lists of tensors that a trace reads and stores: the state of a recurrent cell."""

import pytest
from tests.checking import marked

CELL = """
import keras
import tensorflow as tf
class Cell(tf.Module):
    def __init__(self):
        super().__init__()
        self.cell = keras.layers.LSTMCell(4)
        self.state = {start}
        self.seen = []
    @tf.function
    def act(self, x):
        {act}
        return x
cell = Cell()
for i in range(9): cell.act(tf.ones([1, 3]))
"""
EAGER = "[tf.zeros([1, 4]), tf.zeros([1, 4])]"
VARIABLES = "[tf.Variable(tf.zeros([1, 4])), tf.Variable(tf.zeros([1, 4]))]"
ASSIGNED = """out, new = self.cell(x, [tf.convert_to_tensor(s) for s in self.state])
        for s, n in zip(self.state, new): s.assign(n)"""


@pytest.mark.parametrize(
    ("start", "act"),
    [
        pytest.param(VARIABLES, ASSIGNED, id="kept in Variables"),
        pytest.param(EAGER, "out, state = self.cell(x, self.state)", id="kept nowhere"),
        pytest.param(
            EAGER, f"self.state = {EAGER}\n        out, _ = self.cell(x, self.state)", id="begun again"
        ),
        pytest.param(EAGER, "self.seen = list(self.state)", id="a list of eager tensors"),
    ],
)
def test_silent(start: str, act: str) -> None:
    assert marked(CELL.format(start=start, act=act), "GD212") == []


@pytest.mark.parametrize(
    ("start", "act"),
    [
        (EAGER, "out, self.state = self.cell(x, self.state)"),
        (EAGER, "self.state = [s + 1.0 for s in self.state]"),
        ("[]", "self.state = self.state + [x]"),
    ],
)
def test_a_list_that_is_read_and_stored_leaks(start: str, act: str) -> None:
    assert marked(CELL.format(start=start, act=act), "GD212") == [act]
