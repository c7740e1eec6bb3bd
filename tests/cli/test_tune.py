"""`graphdoctor tune` of real programs."""

import json
import pathlib

import pytest
from tests.cli.commands import graphdoctor

LOOP = """\
import tensorflow as tf

weight = tf.Variable(tf.ones([4, 4]))
data = tf.data.Dataset.from_tensors(tf.ones([4, 4])).repeat(200)


def train_step(x):
    with tf.GradientTape() as tape:
        for _ in range(40):
            x = tf.tanh(x @ weight) * 0.5 + x * 0.1
        loss = tf.reduce_sum(x)
    weight.assign_sub(1e-3 * tape.gradient(loss, weight))
    return loss


for x in data:
    train_step(x)
print("the end")
"""
FIT = """\
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", loss="mse", run_eagerly=True)
data = tf.data.Dataset.from_tensor_slices((np.ones([64, 2]), np.ones([64, 1]))).batch(4)
model.fit(data, epochs=4, verbose=0)
"""


def tune(folder: pathlib.Path, *options: str) -> dict[str, object]:
    done = graphdoctor("tune", "--json", "-q", *options, "train.py", cwd=folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.tensorflow
@pytest.mark.long
def test_an_eager_loop_becomes_a_graph_function(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text(LOOP)
    found = tune(tmp_path, "--only", "step as tf.function", "--apply", "--diff", "best.patch")
    assert (found["best"], found["where"]) == ("step as tf.function", "train.py:16: train_step, in the loop")
    assert (tmp_path / "train.py").read_text() == LOOP.replace("def train", "@tf.function\ndef train")
    assert (tmp_path / "best.patch").read_text() == found["diff"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["best.patch", "train.py"]


@pytest.mark.tensorflow
@pytest.mark.long
def test_an_eager_fit_becomes_a_graph_and_a_wrong_precision_is_seen(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text(FIT)
    options = ("--only", "graph", "--only", "precision", "--mixed-precision", "mixed_bfloat16")
    found = tune(tmp_path, *options)
    alternatives = {one["name"]: one for one in found["alternatives"]}  # type: ignore[attr-defined]
    assert found["best"] == "run_eagerly=False"
    assert alternatives["run_eagerly=False"]["same"] is True
    assert alternatives["mixed_bfloat16"]["same"] is False
    assert (found["warm_steps"], found["steps"]) == (16, 16)  # an epoch of 16 steps
    assert (tmp_path / "train.py").read_text() == FIT


@pytest.mark.tensorflow
@pytest.mark.long
def test_a_program_without_training(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text("import tensorflow as tf\nprint(tf.ones([2]) + 1.0)\n")
    done = graphdoctor("tune", "-q", "train.py", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.startswith("note: no training was seen: no `fit`, no gradient tape")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ([], "no program given: try `graphdoctor tune train.py`"),
        (["absent.py"], "absent.py is no Python file; give one, or a module with -m"),
    ],
)
def test_mistakes_are_one_line(tmp_path: pathlib.Path, arguments: list[str], error: str) -> None:
    done = graphdoctor("tune", *arguments, cwd=tmp_path, process=True)
    assert (done.returncode, done.stderr) == (2, f"graphdoctor: {error}\n")
