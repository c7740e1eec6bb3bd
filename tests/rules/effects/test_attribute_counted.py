"""GD204: must not fire, must fire."""

import pytest
from tests.checking import check, marked

RULE = "GD204"


def program(start: str, *lines: str, decorator: str = "@tf.function", read: str = "t.n") -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return (
        "import tensorflow as tf\nclass T:\n"
        f"  def __init__(self): self.n = {start}\n"
        f"  {decorator}\n  def f(self, x):\n{body}"
        f"t = T()\nprint({read})\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(program("0", "self.n += 1", decorator="@property"), id="not traced"),
        pytest.param(program("tf.Variable(0)", "self.n.assign_add(1)"), id="a Variable"),
        pytest.param(program("tf.Variable(0)", "self.n += 1"), id="a Variable keeps the value"),
        pytest.param(program("tf.zeros([])", "self.n += x"), id="a tensor: another rule"),
        pytest.param(program("[]", "self.n += [x]"), id="a list"),
        pytest.param(program("load()", "self.n += 1"), id="not known"),
        pytest.param(program("0", "self.n += 1", read="t"), id="nobody reads it"),
        pytest.param(program("0", "n = self.n", "n += 1", "return n"), id="a local name"),
        pytest.param(
            program("0", "self.n += 1").replace("self.n", "self.traces").replace("t.n", "t.traces"),
            id="counts traces",
        ),
    ],
)
def test_must_not_fire(text: str) -> None:
    assert check(text, RULE) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (program("0", "self.n += 1"), "self.n += 1"),
        (program("1.0", "if x > 0:", "  self.n *= 0.5", "return x / self.n"), "self.n *= 0.5"),
        (program("len('ab')", "self.n -= 1", "return x"), "self.n -= 1"),
        (
            "import tensorflow as tf\nclass M(tf.keras.Model):\n"
            "  def __init__(self):\n    super().__init__()\n    self.seen = 0\n"
            "  def train_step(self, data):\n    self.seen += 1\n    return {'seen': self.seen}\n",
            "self.seen += 1",
        ),
    ],
)
def test_must_fire(text: str, place: str) -> None:
    assert marked(text, RULE) == [place]


SHARED = """
import tensorflow as tf
class Trainer(tf.Module):
    def __init__(self):
        self.steps = 0

    @tf.function
    def loss(self, x):
        self.steps = self.steps + 1
        return tf.reduce_sum(x)

    def report(self, x):
        self.steps = self.steps + 1
        loss = tf.reduce_sum(x)
        if self.steps % 10 == 0:
            print(self.steps, loss)

trainer = Trainer()
for _ in range(3):
    trainer.loss(tf.ones([2]))
    trainer.report(tf.ones([2]))
"""


def test_one_who_counts_it_himself_reads_his_own_count() -> None:
    assert check(SHARED, RULE) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            SHARED.replace(
                "    def report(self, x):\n        self.steps = self.steps + 1\n",
                "    def report(self, x):\n",
            ),
            id="reads the other's",
        ),
        pytest.param(SHARED + "print(trainer.steps)\n", id="read by a third"),
        pytest.param(
            SHARED.replace("return tf.reduce_sum(x)", "return tf.reduce_sum(x) / self.steps"),
            id="read by the graph",
        ),
    ],
)
def test_what_another_reads_is_reported(text: str) -> None:
    assert marked(text, RULE) == ["self.steps = self.steps + 1"]
