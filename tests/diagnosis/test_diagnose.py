"""`graphdoctor diagnose` on real trainers, from the command line."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

from graphdoctor.diagnosis import preflight

ROOT = pathlib.Path(__file__).parents[2]
TRAINERS = """
import tensorflow as tf


class Trainer:
    def __init__(self, config=None):
        lengths = (config or {}).get("lengths", [5, 6, 7, 8])
        self.lengths = lengths
        options = (config or {}).get("options", {})
        self.train_step = tf.function(self.step, **options)

    def batches(self):
        return ({"mel": tf.ones([2, length])} for length in self.lengths)

    def step(self, batch):
        return tf.reduce_sum(batch["mel"])


class Broken(Trainer):
    def step(self, batch):
        raise RuntimeError("no such layer")


class Eager(Trainer):
    def __init__(self, config=None):
        super().__init__(config)
        self.train_step = self.step


class Breaks(Trainer):
    def step(self, batch):
        if batch["mel"].shape[1] > 5:
            raise ValueError("shapes do\\n not match")
        return tf.reduce_sum(batch["mel"])


def needs_config(config):
    raise ValueError("batch_size must be positive, got -1")


def keras_model():
    import keras

    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    rows = tf.data.Dataset.from_tensors((tf.ones([4, 3]), tf.ones([4, 1]))).repeat(4)
    return model, rows, rows


def not_compiled():
    import keras

    return keras.Sequential([keras.layers.Dense(1)]), None


def model_with_input(loss="mse"):
    import keras

    model = keras.Sequential([keras.Input([3]), keras.layers.Dense(2)])
    model.compile("sgd", loss)
    return model


def arrays():
    import numpy as np

    return model_with_input(), np.ones((70, 3), "float32"), np.ones((70, 2), "float32")


def pair_of_arrays():
    model, x, y = arrays()
    return model, (x, y)


def list_of_batches():
    model, x, y = arrays()
    return model, [(x[:8], y[:8]), [x[:6], y[:6]], (x[:8], y[:8])]


def open_input():
    import keras

    model = keras.Sequential([keras.layers.Dense(2)])
    model.compile("sgd", "mse")
    return model


def by_name(lengths, options=None):
    return Trainer({"lengths": lengths, "options": options or {}})


def without_settings():
    return Trainer()


nothing = 3
"""


@pytest.fixture
def run(tmp_path):
    (tmp_path / "trainers.py").write_text(TRAINERS)

    def diagnose(*arguments, config=None):
        extra = []
        if config is not None:
            (tmp_path / "config.json").write_text(json.dumps(config))
            extra = ["--config", "config.json"]
        paths = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
        return subprocess.run(
            [sys.executable, "-m", "graphdoctor", "diagnose", *arguments, *extra],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": paths, "TF_CPP_MIN_LOG_LEVEL": "3"},
            capture_output=True,
            text=True,
        )

    return diagnose


@pytest.fixture
def trainers(tmp_path, monkeypatch):
    """The trainers as a module of this process; where a recording would be."""
    (tmp_path / "trainers.py").write_text(TRAINERS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "trainers", raising=False)
    return tmp_path / "recording.jsonl"


@pytest.mark.tensorflow
def test_changing_lengths_are_found_costed_and_fixed(run, tmp_path):
    sick = run("trainers:Trainer", "--steps", "4", "-o", "report.json", config={})

    assert sick.returncode == 1
    assert (
        '✘ train: batch shapes                 4 shapes in 4 steps: `batch["mel"]` axis 1: 5, 6, 7, 8\n'
        in (sick.stdout)
    )
    assert 'Trainer.step (trainers.py:15) was traced 3 more times: `batch["mel"]` axis 1: 5, 6, 7, 8\n' in (
        sick.stdout
    )
    assert "→ give the step an `input_signature` with `None` on axis 1 (`batching.signature(dataset)`)" in (
        sick.stdout
    )
    assert "  → the same batches, `None` lengths saves at least " in sick.stdout
    assert sick.stdout.endswith(
        "\nNot ready: train: batch shapes, train: traces after the first step, time lost to tracing.\n"
    )
    written = json.loads((tmp_path / "report.json").read_text())
    assert written["healthy"] is False
    assert written["advice"][0]["seconds"] > 0
    assert written["long_run"]["ways"][0]["traces"] == 1

    well = run(
        "trainers:Trainer",
        "--steps",
        "4",
        config={"options": {"reduce_retracing": False}, "lengths": [5] * 4},
    )
    assert well.returncode == 0
    assert well.stdout.splitlines()[-1].startswith("Healthy")  # its steps may be too short to look into


SLEEPING = """
import time

import numpy as np
import tensorflow as tf


def batches():
    for _ in range(20):
        time.sleep(0.05)
        yield np.ones((4, 3), np.float32), np.ones((4, 1), np.float32)


spec = (tf.TensorSpec((4, 3)), tf.TensorSpec((4, 1)))
data = tf.data.Dataset.from_generator(batches, output_signature=spec)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((8, 3)), np.ones((8, 1)), verbose=0)
pair = (model, data)


class Loop:
    def __init__(self):
        self.train_step = tf.function(lambda batch: tf.reduce_sum(batch[0]))

    def batches(self):
        return data
"""


@pytest.mark.tensorflow
@pytest.mark.parametrize("target", ["sleeping:pair", "sleeping:Loop"])
def test_a_trainer_that_waits_for_a_sleeping_generator_is_not_healthy(run, tmp_path, target):
    (tmp_path / "sleeping.py").write_text(SLEEPING)

    done = run(target, "--steps", "6")

    assert done.stdout.splitlines()[-1] == "Not ready: train: waiting for input."
    assert done.returncode == 1
    assert "  train waited for its input\n" in done.stdout


@pytest.mark.tensorflow
def test_a_model_that_was_fitted_at_import_runs_as_a_graph(run, tmp_path):
    (tmp_path / "sleeping.py").write_text(SLEEPING)

    done = run("sleeping:model", "--steps", "4")

    assert "✔ train: traces after the first step  none in 4 steps\n" in done.stdout
    # Its steps are too short for what they are made of.
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        0,
        "Healthy in what was seen; not seen: train: graph execution.",
    )


@pytest.mark.tensorflow
def test_an_eager_trainer_is_not_healthy(run):
    done = run("trainers:Eager", "--steps", "4", config={"lengths": [5] * 4})

    assert done.stdout.splitlines()[-1] == "Not ready: train: graph execution."


@pytest.mark.tensorflow
def test_xla_compilations_behind_one_trace_are_found(run):
    options = {"jit_compile": True, "reduce_retracing": True}

    done = run("trainers:Trainer", "--steps", "5", config={"options": options, "lengths": [5, 6, 7, 8, 9]})

    assert done.returncode == 1
    assert "✘ XLA compilations" in done.stdout
    assert "✘ time lost to tracing and compiling" in done.stdout
    # Which way is the cheapest follows from measured times, which a busy machine changes.
    assert re.search(r"^  → (pad to|buckets|the same batches,) .* saves at least ", done.stdout, re.MULTILINE)
    assert "XLA compiles every new shape behind one trace: pad to few planned lengths" in done.stdout


@pytest.mark.tensorflow
def test_a_compiled_keras_model_works_as_it_is(run):
    done = run("trainers:keras_model", "--steps", "4")

    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        0,
        "Healthy in what was seen; not seen: train: graph execution.",
    )
    assert "✔ validation: traces after the first step  none in 4 steps" in done.stdout


@pytest.mark.tensorflow
@pytest.mark.parametrize(
    ("target", "config", "message"),
    [
        ("trainers:Broken", None, "step 1 of train raised RuntimeError: no such layer (/"),
        ("trainers:Breaks", None, "step 2 of train raised ValueError: shapes do not match (/"),
        (
            "trainers:needs_config",
            {"batch_size": -1},
            "building trainers:needs_config raised ValueError: batch_size must be positive, got -1",
        ),
        (
            "trainers:nothing",
            None,
            "trainers:nothing is a int without batches and train_step: expected a trainer,"
            " a factory of one, or a compiled Keras model, alone, as (model, dataset) or as (model, x, y)",
        ),
        ("trainers:not_compiled", None, "the Keras model of trainers:not_compiled is not compiled"),
        ("trainers:absent", None, "trainers has no absent"),
        ("nowhere.py:absent", None, "cannot import nowhere.py: no such file"),
        ("trainers:by_name", None, "trainers:by_name needs lengths: give it by --config FILE"),
        ("trainers:open_input", None, "the Keras model of trainers:open_input does not tell what it takes"),
        ("trainers:Trainer", {"lengths": []}, "the train batches are empty: expected at least one batch"),
    ],
)
def test_trainers_that_cannot_run_are_reported_in_one_line(trainers, target, config, message):
    found = preflight.run({"target": target, "config": config, "steps": 2, "recording": str(trainers)})

    assert found["error"][: len(message)] == message
    assert [len(phase["steps"]) for phase in found["phases"]] == [1] * ("step 2" in message)


@pytest.mark.tensorflow
@pytest.mark.parametrize(
    ("target", "config", "rows"),
    [
        ("trainers:model_with_input", None, [32, 32, 32]),
        ("trainers:model_with_input", {"loss": "sparse_categorical_crossentropy"}, [32, 32, 32]),
        ("trainers:arrays", None, [32, 32, 6]),
        ("trainers:pair_of_arrays", None, [32, 32, 6]),
        ("trainers:list_of_batches", None, [8, 6, 8]),
        ("trainers:by_name", {"lengths": [5], "other": 1}, [2, 2, 2]),
        ("trainers:without_settings", {"lengths": [5]}, [2, 2, 2]),
        ("FILE:without_settings", None, [2, 2, 2]),
        ("FILE:Trainer", {"lengths": [4]}, [2, 2, 2]),
    ],
)
def test_models_data_and_factories_of_many_kinds_are_taken(trainers, target, config, rows):
    target = target.replace("FILE", str(trainers.with_name("trainers.py")))
    found = preflight.run({"target": target, "config": config, "steps": 3, "recording": str(trainers)})

    assert found["error"] is None
    (phase,) = found["phases"]
    assert [step["leaves"][0]["shape"][0] for step in phase["steps"]] == rows


@pytest.mark.tensorflow
def test_a_script_that_ends_in_an_error_keeps_the_trainer_that_it_defined(trainers):
    script = trainers.with_name("script.py")
    script.write_text(TRAINERS + "\nraise SystemExit(3)\n")
    request = {"target": f"{script}:Trainer", "config": None, "steps": 2, "recording": str(trainers)}

    assert preflight.run(request)["error"] is None


@pytest.mark.tensorflow
def test_short_epochs_are_repeated_and_steps_that_are_no_graph_are_said(trainers):
    request = {"target": "trainers:Eager", "config": {"lengths": [5, 6]}, "steps": 5}

    found = preflight.run({**request, "recording": str(trainers)})

    (phase,) = found["phases"]
    assert [step["leaves"][0]["shape"][1] for step in phase["steps"]] == [5, 6, 5, 6, 5]
    assert (phase["function"], "repeated" in phase) == (False, False)


@pytest.mark.tensorflow
def test_the_last_batch_is_given_again_where_every_shape_was_new(trainers):
    request = {"target": "trainers:Eager", "config": None, "steps": 3, "recording": str(trainers)}

    (phase,) = preflight.run(request)["phases"]

    assert (len(phase["steps"]), len(phase["repeated"])) == (3, 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no_such_module_here:x"], "The trainer could not be run: cannot import no_such_module_here"),
        (["trainers"], "graphdoctor: trainers names no trainer: expected MODULE:TRAINER"),
        (
            ["a:b", "--config", "none.yaml"],
            "graphdoctor: none.yaml cannot be read: No such file or directory",
        ),
        (["a:b", "--config", "config.ini"], "graphdoctor: config.ini: expected a configuration in .yaml"),
    ],
)
def test_bad_arguments_are_reported_in_one_line(run, arguments, message):
    done = run(*arguments)

    assert message in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 2
