"""The account of real programs: what each gets as its finding, or none."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[3]
GENERATOR = """
import time
import numpy as np
import tensorflow as tf


def batches():
    for number in range(30):
        time.sleep(0.08)
        yield np.ones((4, 8), np.float32), np.ones((4, 1), np.float32)


spec = (tf.TensorSpec((4, 8)), tf.TensorSpec((4, 1)))
data = tf.data.Dataset.from_generator(batches, output_signature=spec)
model = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse", steps_per_execution=EACH)
model.fit(data, verbose=0)
"""
GRAPH = """
import tensorflow as tf

weights = tf.Variable(tf.random.normal((400, 400)))


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        for _ in range(4):
            x = tf.tanh(x @ weights)
        loss = tf.reduce_mean(x**2)
    weights.assign_sub(0.01 * tape.gradient(loss, weights))


for x in tf.data.Dataset.from_tensors(tf.ones((400, 400))).repeat(120):
    step(x)
"""
NEVER_STEPS = "import tensorflow as tf\n\nprint(tf.add(1, 2))\n"
CRASHES = """
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((8, 7)), np.ones((8, 1)), verbose=0)
"""
SLOW = {"GD108", "GD112", "GD132", "GD133"}


@pytest.fixture
def run(tmp_path):
    def run(text):
        (tmp_path / "train.py").write_text(text)
        subprocess.run(
            [sys.executable, "-m", "graphdoctor", "run", "-q", "-o", "report.json", "train.py"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *filter(None, sys.path)])},
            capture_output=True,
        )
        return json.loads((tmp_path / "report.json").read_text())

    return run


def found(report):
    return [(one["rule"], one["line"]) for one in report["findings"] if one["rule"] in SLOW]


@pytest.mark.tensorflow
@pytest.mark.parametrize("each", [1, 5])
def test_a_generator_that_sleeps_is_what_fit_waits_for(run, each) -> None:
    report = run(GENERATOR.replace("EACH", str(each)))
    assert found(report) == [("GD112", 9)]
    shares = {one["phase"]: one["share"] for one in report["time"]["steady"]}
    assert shares["input"] > 0.7


@pytest.mark.tensorflow
def test_a_loop_that_is_bound_by_its_graph_gets_no_finding(run) -> None:
    report = run(GRAPH)
    assert found(report) == []
    assert report["time"]["steady"][0]["phase"] == "graph execution"


@pytest.mark.tensorflow
@pytest.mark.parametrize("text", [NEVER_STEPS, CRASHES], ids=["never steps", "crashes in its first step"])
def test_programs_without_steps_have_an_account_and_no_finding_about_time(run, text) -> None:
    report = run(text)
    assert found(report) == []
    assert (report["time"]["steps"], report["time"]["steady"]) == ([], [])
    total = sum(one["seconds"] for one in report["time"]["phases"])
    assert total == pytest.approx(report["time"]["seconds"], abs=0.01)
