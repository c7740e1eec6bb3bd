"""The callback under the real Keras: what it says, when it stops, what it leaves alone."""

import pathlib

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

START = """import keras
import numpy as np
import tensorflow as tf
import graphdoctor

Doctor = graphdoctor.keras.Doctor


def model(**options):
    layers = [keras.Input([None, 2]), keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(1)]
    made = keras.Sequential(layers)
    made.compile("sgd", "mse", **options)
    return made


said = []
doctor = Doctor(say=said.append)
"""


def lines(tensorflow: TensorFlowServer, text: str) -> list[str]:
    done = tensorflow.run(START + text + "\nprint('SAID')\nprint(*said, sep='\\n')\n")
    assert done.error is None, done.error
    return done.output.rpartition("SAID\n")[2].splitlines()


def retraces(said: list[str]) -> list[str]:
    return [line for line in said if " trace " in line and line.startswith("graphdoctor: program.py:")]


QUIET = {
    "a steady fit, evaluate and predict": """
x, y = np.ones([8, 3, 2], "float32"), np.ones([8, 1], "float32")
m = model()
m.fit(x, y, batch_size=4, epochs=2, validation_data=(x, y), verbose=0, callbacks=[doctor])
m.evaluate(x, y, verbose=0, callbacks=[doctor])
m.predict(x, verbose=0, callbacks=[doctor])
""",
    "a smaller last batch": """
x, y = np.ones([10, 3, 2], "float32"), np.ones([10, 1], "float32")
model().fit(x, y, batch_size=4, epochs=2, verbose=0, callbacks=[doctor])
""",
    "batches of ever new lengths, which Keras makes general": """
m = model()
with doctor:
    for length in (3, 4, 5):
        m.train_on_batch(np.ones([4, length, 2], "float32"), np.ones([4, 1], "float32"))
""",
    "several steps per execution": """
x, y = np.ones([16, 3, 2], "float32"), np.ones([16, 1], "float32")
model(steps_per_execution=2).fit(x, y, batch_size=4, epochs=2, verbose=0, callbacks=[doctor])
""",
    "a distribution over two devices": """
x, y = np.ones([8, 3, 2], "float32"), np.ones([8, 1], "float32")
(cpu,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
with tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"]).scope():
    m = model()
m.fit(x, y, batch_size=4, epochs=2, verbose=0, callbacks=[doctor])
""",
}


@pytest.mark.parametrize("text", QUIET.values(), ids=QUIET)
def test_says_nothing_of_what_is_well(tensorflow: TensorFlowServer, text: str) -> None:
    said = lines(tensorflow, text)
    assert retraces(said) == []
    assert all(line.startswith("graphdoctor: TensorFlow ") for line in said)
    assert doctor_reported(said)


def doctor_reported(said: list[str]) -> bool:
    return any(" traces took " in line for line in said)


def test_train_on_batch_with_weights_now_and_then(tensorflow: TensorFlowServer) -> None:
    text = """
m = model()
x, y = np.ones([4, 3, 2], "float32"), np.ones([4, 1], "float32")
with doctor:
    for weight in (None, np.ones([4], "float32"), None):
        m.train_on_batch(x, y, sample_weight=weight)
assert doctor.retraces == 1, doctor.retraces
"""
    (found,) = retraces(lines(tensorflow, text))
    number = (START + text).split("\n").index("        m.train_on_batch(x, y, sample_weight=weight)") + 1
    assert found.startswith(f"graphdoctor: program.py:{number}: `train_on_batch:one_step_on_data` trace 2 (")
    assert found.endswith("`data[2]` has another structure: now float32[4], before None")


def test_stops_after_as_many_retraces_as_asked(tensorflow: TensorFlowServer, tmp_path: pathlib.Path) -> None:
    said = lines(
        tensorflow,
        f"""
@tf.function
def noisy(x, step):
    return x * step


class Fickle(keras.callbacks.Callback):
    def on_train_batch_begin(self, batch, logs=None):
        noisy(tf.ones([2]), batch)


x, y = np.ones([80, 3, 2], "float32"), np.ones([80, 1], "float32")
doctor = Doctor(stop_after=3, report={str(tmp_path / "fit.html")!r}, say=said.append)
history = model().fit(x, y, batch_size=4, epochs=9, verbose=0, callbacks=[Fickle(), doctor])
said.append(f"epochs {{len(history.epoch)}}")
""",
    )
    found = retraces(said)
    assert len(found) >= 3
    assert found[0].endswith("`step` is a Python value: now 1, before 0")
    assert "graphdoctor: training stops after 3 retraces" in said
    assert said[-1] == "epochs 1"
    assert (tmp_path / "fit.html").exists()
    assert any("GD101" in line for line in said)


def test_what_cannot_be_meant_is_refused(tensorflow: TensorFlowServer) -> None:
    done = tensorflow.run(START + "Doctor(stop_after=0)\n")
    assert done.error == "ValueError"
    assert "stop_after must be 1 or more, not 0" in done.output
