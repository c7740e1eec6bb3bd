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
