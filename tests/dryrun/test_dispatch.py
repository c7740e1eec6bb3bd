"""What is chosen by a name: modules, classes that register themselves, members of an enum, activations."""

import pathlib

import pytest
from tests.checking import check

from graphdoctor.config import Config
from graphdoctor.judging import check_paths

STEP = """
import tensorflow as tf

class Trainer:
    @tf.function
    def step(self, x, number):
        return x * number
"""
BY_NAME = """
import importlib
{module}, name = "{path}".rsplit(".", 1)
trainer = getattr(importlib.import_module({module}), name)()
for number in range(9):
    trainer.step(tf.ones([2]), number)
"""


@pytest.mark.parametrize(
    ("path", "rules"),
    [("library.training.Trainer", ["GD101"]), ("library.missing.Trainer", []), ("os.path", [])],
)
def test_a_module_by_its_name(path: str, rules: list[str], tmp_path: pathlib.Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library/__init__.py").write_text("")
    (tmp_path / "library/training.py").write_text(STEP)
    (tmp_path / "main.py").write_text(
        "import tensorflow as tf\n" + BY_NAME.format(module="module", path=path)
    )
    assert [finding.rule for finding in check_paths([str(tmp_path)], Config()).findings] == rules


REGISTERED = """
import tensorflow as tf

class Schedule:
    known = {{}}
    def __init_subclass__(cls, key="", **kwargs):
        super().__init_subclass__(**kwargs)
        Schedule.known[key or cls.__name__] = cls

class Constant(Schedule):
    def __call__(self, epoch): return 1.0

class Linear(Schedule, key="line"):
    def __call__(self, epoch): return 1.0 - 0.1 * epoch

class Model:
    rate = 1.0
    @tf.function
    def __call__(self, x): return x * self.rate

model, schedule = Model(), Schedule.known["{key}"]()
for epoch in range(5):
    model.rate = schedule(epoch)
    model(tf.ones([2]))
"""


@pytest.mark.parametrize(("key", "rules"), [("Constant", []), ("Linear", []), ("line", ["GD215"])])
def test_classes_that_register_themselves(key: str, rules: list[str]) -> None:
    assert [finding.rule for finding in check(REGISTERED.format(key=key), "GD215")] == rules


MODES = """
import enum
import tensorflow as tf

class Mode(enum.Enum):
    PLAIN = "plain"
    ROUND = "round"

w = tf.Variable([1.0, 2.0])

def apply(x, mode):
    return tf.round(x) if mode is Mode.ROUND else x

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.keras.activations.get({activation})(apply(w, Mode({value}))))
tape.gradient(loss, w)
"""


@pytest.mark.parametrize(
    ("value", "activation", "rules"),
    [
        ('"plain"', '"relu"', []),
        ('"round"', '"relu"', ["GD504"]),
        ('"round"', "None", ["GD504"]),
        ('"round"', "tf.nn.relu", ["GD504"]),
        ('"round"', "unknown", []),
        ("unknown", '"relu"', []),
        ('"none of them"', '"relu"', []),
    ],
)
def test_members_and_activations_by_their_name(value: str, activation: str, rules: list[str]) -> None:
    program = MODES.format(value=value, activation=activation)
    assert [finding.rule for finding in check(program, "GD504")] == rules


COMMAND = """
import sys
import tensorflow as tf

@tf.function
def scale(x, number): return x * number

def main():
    {first}
    for number in range(count):
        scale(tf.ones([2]), number)

main()
"""


@pytest.mark.parametrize(
    ("first", "rules"),
    [
        ("count = int(sys.argv[1]) if len(sys.argv) > 1 else 1", []),
        ("count = int(sys.argv[1]) if len(sys.argv) > 1 else 9", ["GD101"]),
        ("count = 9\n    if len(sys.argv) < 2: sys.exit('usage')", ["GD101"]),
        ("count = 9\n    if len(sys.argv) != 2: raise SystemExit(2)", ["GD101"]),
    ],
)
def test_a_program_that_is_given_nothing(first: str, rules: list[str]) -> None:
    assert [finding.rule for finding in check(COMMAND.format(first=first), "GD101")] == rules
