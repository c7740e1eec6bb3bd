"""Whatever goes wrong on our side, the program does not notice."""

import json
import pathlib

import pytest
from tests.running import TensorFlowServer

from graphdoctor.errors import RecordingError
from graphdoctor.observer.process.writer import Writer
from graphdoctor.observer.recorder import MOST_PROBLEMS
from graphdoctor.recording import read_recording

PROGRAM = """
import tensorflow as tf


@tf.function
def scale(x, step):
    return x * step


for step in range(30):
    scale(tf.ones([2]), step)
print(scale(tf.ones([2]), 7).numpy())
"""

BUGS = {
    "in our own hook": "from graphdoctor.observer import recorder\n"
    "def describe(*_): raise ZeroDivisionError('ours')\n"
    "recorder.describe_arguments = describe\n",
    "in a probe": "from graphdoctor.observer.probe import GraphProbe\n"
    "def ended(*_): raise ZeroDivisionError('ours')\n"
    "GraphProbe.ended = ended\n",
    "in an error that cannot be shown": "from graphdoctor.observer.probe import GraphProbe\n"
    "class Mute(Exception):\n"
    "    def __str__(self): return 1 / 0\n"
    "def ended(*_): raise Mute\n"
    "GraphProbe.ended = ended\n",
}


@pytest.mark.tensorflow
@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS)
def test_a_bug_of_ours_is_noted_and_the_program_goes_on(tensorflow: TensorFlowServer, bug: str) -> None:
    ran = tensorflow.run(bug + PROGRAM)
    assert (ran.error, ran.output) == (None, "[7. 7.]\n")
    assert len(ran.recording.problems) == MOST_PROBLEMS
    assert ran.recording.complete is False
    assert "ZeroDivisionError: ours" in ran.recording.problems[0] or "Mute: ?" in ran.recording.problems[0]


@pytest.mark.parametrize("path", ["/dev/full", "/proc/none/recording.jsonl", __file__ + "/recording.jsonl"])
def test_a_file_that_cannot_be_written_is_one_warning(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    writer = Writer(path)
    for number in range(3):
        writer.write({"event": "problem", "message": str(number)})
    reasons = {
        "/dev/full": "No space left on device",
        "/proc/none/recording.jsonl": "No such file or directory",
    }
    reason = reasons.get(path, "Not a directory")
    assert capsys.readouterr().err == f"graphdoctor: cannot write {path}: {reason}; recording stops\n"


def test_no_standard_error_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    Writer("/dev/full").write({})


def test_a_disk_that_fills_up_leaves_a_recording_that_opens(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "r.jsonl"
    header = {
        "event": "header", "format": "graphdoctor-recording", "version": 1, "graphdoctor": "0",
        "tensorflow": "2", "python": "3", "program": [], "directory": "/", "process": 1, "time": 0.0,
    }  # fmt: skip
    path.write_text(json.dumps(header) + '\n{"event": "trace", "number": 1, "func')
    assert read_recording(str(path)).complete is False


def test_a_device_is_not_read_for_ever() -> None:
    with pytest.raises(RecordingError, match=r"^/dev/full: cannot be read: it is not a regular file$"):
        read_recording("/dev/full")


def test_half_characters_do_not_spoil_the_recording(tmp_path: pathlib.Path) -> None:
    writer = Writer(str(tmp_path / "r.jsonl"))
    writer.write({"event": "header", "path": "b\udcffd.py"})
    assert json.loads((tmp_path / "r.jsonl").read_bytes())["path"] == "b?d.py"


def test_an_exclusive_writer_overwrites_nothing(tmp_path: pathlib.Path) -> None:
    for _ in range(3):
        Writer(str(tmp_path / "7.jsonl"), exclusive=True).write({})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["7-2.jsonl", "7-3.jsonl", "7.jsonl"]


TRAINING = """
import keras
import tensorflow as tf

keras.utils.set_random_seed(7)
dropout = keras.layers.Dropout(0.5)
model = keras.Sequential([keras.layers.Dense(4, activation="relu"), dropout, keras.layers.Dense(1)])
model.compile("adam", "mse")
data = tf.data.Dataset.from_tensor_slices((tf.random.normal([20, 3]), tf.random.normal([20, 1])))
history = model.fit(data.shuffle(20).batch(8), epochs=2, verbose=0)
print(history.history["loss"], [weight.numpy().tobytes().hex() for weight in model.weights])
"""


@pytest.mark.tensorflow
def test_a_seeded_training_run_gives_the_same_bits(tensorflow: TensorFlowServer) -> None:
    plain = tensorflow.run(TRAINING, observe=False)
    observed = tensorflow.run(TRAINING)
    assert plain.error is None
    assert "[" in plain.output
    assert observed.output == plain.output
    assert len(observed.recording.traces) > 2


MEMORY = """
import gc
import tensorflow as tf
from graphdoctor.observer.instrumentation import hooks
from graphdoctor.observer.recorder import Recorder

seen = []


class Listener(Recorder):
    def begin(self, function_type, options):
        seen.append((function_type, options))


detach = hooks.attach(Listener(lambda event: None))
step = tf.function(lambda x, k, d: x + k)
step(tf.ones([2]), 1, {"a": [1, 2]})
graph = step.get_concrete_function(tf.ones([2]), 1, {"a": [1, 2]}).graph
detach()
recorder = Recorder(lambda event: None)


def trace(times):
    for _ in range(times):
        recorder.asked_for(seen[0][0])
        recorder.end(recorder.begin(*seen[0]), graph, None)
    gc.collect()
    return len(gc.get_objects())


trace(300)
before = trace(300)
print(trace(1500) - before < 50)
"""


@pytest.mark.tensorflow
def test_memory_does_not_grow_with_the_number_of_traces(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(MEMORY)
    assert (ran.error, ran.output) == (None, "True\n")
