"""An edit after which the same check finds something new, or the same again, is not offered."""

import inspect
import pathlib

import pytest

from graphdoctor.config import Config
from graphdoctor.fixing import fix_paths
from graphdoctor.judging import check_paths, check_text
from graphdoctor.model import Finding, Safety, apply_edits
from graphdoctor.model.edit import edits_between

EAGER = """
import keras
import tensorflow as tf

class Counted(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)
        self.steps = 0

    def train_step(self, data):
        x, y = data
        self.steps += 1
        if self.steps % 10 == 0:
            print("step", self.steps)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.dense(x) - y))
        if float(loss) > 9.0:
            print("large", loss.numpy())
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"loss": loss}

model = Counted()
model.compile(optimizer="adam", run_eagerly=True)
model.fit(tf.ones([64, 3]), tf.ones([64, 1]), batch_size=8, epochs=2, verbose=0)
"""

PLAIN = EAGER.replace(
    EAGER[EAGER.index("        self.steps += 1") : EAGER.index("        with tf")], ""
).replace(EAGER[EAGER.index("        if float(loss)") : EAGER.index("        grads =")], "")

CLIPPED = """
import tensorflow as tf

@tf.function
def clipped(x):
    return tf.minimum(x, max(0.5, x.numpy()))

print(clipped(tf.constant(2.0)))
"""

TWO_LOOPS = """
import tensorflow as tf

@tf.function
def scaled(x, factor):
    return x * factor

for rate in range(9):
    scaled(tf.ones([3]), rate)
    scaled(tf.ones([3]), rate / 2)
"""


def checked(program: str, *rules: str) -> tuple[str, list[Finding]]:
    text = inspect.cleandoc(program) + "\n"
    return text, list(check_text("program.py", text, Config(keras=3, select=rules)).findings)


@pytest.mark.parametrize("rules", [(), ("GD905",)])
def test_an_option_that_hides_mistakes_stays(rules: tuple[str, ...]) -> None:
    """Without `run_eagerly=True` the step is traced: what it reads and prints is wrong then."""
    _, found = checked(EAGER, *rules)
    orders = [
        one.fix
        for one in found
        if "run_eagerly" in one.message or (one.fix and "run_eagerly" in one.fix.title)
    ]
    assert orders
    assert {(fix.safety, fix.edits) for fix in orders if fix} == {(Safety.MANUAL, ())}


def test_the_same_option_goes_where_it_hides_nothing() -> None:
    _, found = checked(PLAIN)
    assert [bool(one.fix and one.fix.edits) for one in found] == [True]


def test_a_fix_brings_what_its_edit_needs() -> None:
    """`x.numpy()` becomes `x`, and `max`, which then sees a tensor, becomes `tf.maximum`: one fix."""
    text, found = checked(CLIPPED, "GD801")
    (fix,) = (one.fix for one in found if one.fix)
    fixed = apply_edits(text, fix.edits)
    assert "    return tf.minimum(x, tf.maximum(0.5, x))\n" in fixed
    assert not [one for one in check_text("program.py", fixed, Config()).findings if one.is_shown]


def test_the_next_place_of_the_same_mistake_is_no_reason() -> None:
    _, found = checked(TWO_LOOPS, "GD101")
    assert found
    assert all(one.fix and one.fix.edits for one in found)


def test_fix_leaves_what_check_does_not_offer(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = inspect.cleandoc(EAGER) + "\n"
    pathlib.Path("program.py").write_text(text)
    fix_paths(["program.py"], Config(keras=3), unsafe=True, write=True)
    assert "run_eagerly=True" in pathlib.Path("program.py").read_text()
    before = {one.rule for one in check_text("program.py", text, Config(keras=3)).findings if one.is_shown}
    after = {one.rule for one in check_paths(["program.py"], Config(keras=3)).findings if one.is_shown}
    assert after <= before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a = 1\nb = 2\n", "a = 1\nc = 3\nb = 2\n"),
        ("a = 1\nb = 2", "a = 1\nb = 3"),
        ("a = 1\r\nb = 2\r\n", "b = 2\r\n"),
        ("a = 1", "a = 1\nb = 2\n"),
        ("", "a = 1\n"),
        ("a = 1\n", ""),
        ("a = 1\n", "b = 0\na = 1\nc = 2"),
    ],
)
def test_edits_between_texts(before: str, after: str) -> None:
    assert apply_edits(before, edits_between("p.py", before, after)) == after
