"""Every exception that leaves a trace, Keras, tf.data or a tape is reported, whoever catches it; others are not."""
# ruff: noqa: E501

import re

import pytest
from tests.running import Ran, TensorFlowServer

from graphdoctor.config import Config
from graphdoctor.judging import judge_recordings
from graphdoctor.model import Level, Severity
from graphdoctor.recording import read_recording

pytestmark = pytest.mark.tensorflow

HEAD = "import tensorflow as tf\n"
FUNCTION = HEAD + "@tf.function\n"
MODEL = HEAD + "model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(3)])\n"

# name: program, line, words
DEADLY = {
    "in a helper of a graph function": (
        HEAD + "def scaled(x, names):\n  return x * names['scale']\n@tf.function\ndef f(x, names):\n"
        "  return scaled(x, names)\nf(tf.ones([2]), {'rate': 2.0})",
        3,
        "the trace of `f` ended with KeyError: 'scale'; here `x` is a tensor float32 [2], `names` is a dict",
    ),
    "in a layer, which is not converted": (
        HEAD + "class L(tf.keras.layers.Layer):\n  def call(self, x):\n    return x + self.nothing\n"
        "model = tf.keras.Sequential([L()])\nmodel.predict(tf.ones([2, 3]), verbose=0)",
        4,
        "in code that AutoGraph does not convert, ended with AttributeError",
    ),
    "in the runtime, at the line that made the operation": (
        HEAD + "@tf.function(input_signature=[tf.TensorSpec([None])])\ndef f(x):\n  y = x + 1.0\n"
        "  return tf.reshape(y, [2, 3])\nf(tf.ones([4]))",
        5,
        "this ended with InvalidArgumentError: Input to reshape is a tensor with 4 values",
    ),
    "in a pipeline": (
        HEAD + "ds = tf.data.Dataset.from_tensor_slices([1.0, 0.0])\n"
        "ds = ds.map(lambda x: tf.debugging.check_numerics(1.0 / x, 'bad'))\nfor x in ds:\n  pass",
        4,
        "this ended with InvalidArgumentError",
    ),
    "in Keras, outside of any trace": (
        MODEL + "model(tf.ones([2, 5]))",
        3,
        "this ended with ValueError: Exception encountered when calling Sequential.call()",
    ),
    "in `fit`, from the program's own generator": (
        MODEL + "model.compile('sgd', 'mse')\ndef batches():\n  yield {}['x']\nmodel.fit(batches(), verbose=0)",
        5,
        "`fit` ended with KeyError",
    ),
    "by an exception of another type than AutoGraph raises": (
        FUNCTION + "def f(x, parts):\n  return x * parts[len(parts)]\nf(tf.ones([2]), [1.0, 2.0])",
        4,
        "the trace of `f` ended with IndexError: list index out of range; here `x` is a tensor float32 [2], `parts`",
    ),
    "by an exception of its own that takes two things": (
        HEAD + "class Broken(Exception):\n  def __init__(self, what, why):\n    super().__init__(f'{what}: {why}')\n"
        "@tf.function\ndef f(x):\n  raise Broken('layer 3', 'no weights')\nf(tf.ones([2]))",
        7,
        "the trace of `f` ended with Broken: layer 3: no weights",
    ),
    "by a text that cannot be read": (
        FUNCTION + "def f(x):\n  return x * len(b'\\xff'.decode('utf-8'))\nf(tf.ones([2]))",
        4,
        "the trace of `f` ended with UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0",
    ),
    "in Keras, by a layer that is not made": (
        HEAD + "tf.keras.layers.Conv2D(-1, 3)",
        2,
        "this ended with ValueError: Invalid value for argument `filters`.",
    ),
    "in Keras, by an optimizer that is not made": (
        HEAD + "def make():\n  return tf.keras.optimizers.Adam(ema_momentum=2.0, use_ema=True)\nmake()",
        3,
        "this ended with ValueError: `ema_momentum` must be in the range [0, 1]. Received: ema_momentum=2.0",
    ),
    "in Keras, by an input that is not made": (
        HEAD + "tf.keras.Input(shape='wide')",
        2,
        "this ended with ValueError: Cannot convert '",  # Keras 3.12 and 3.15 show the shape differently
    ),
    "in a thread": (
        HEAD + "import threading\n@tf.function\ndef f(x):\n  return x.nothing\n"
        "thread = threading.Thread(target=f, args=(tf.ones([2]),))\nthread.start()\nthread.join()",
        5,
        "the trace of `f` ended with AttributeError",
    ),
    "as the cause of another": (
        FUNCTION + "def f(x):\n  return x.nothing\ntry:\n  f(tf.ones([2]))\nexcept AttributeError as error:\n"
        "  raise SystemError('training failed') from error",
        4,
        "the trace of `f` ended with AttributeError",
    ),
}  # fmt: skip

CAUGHT = {
    "a trace": (FUNCTION + "def f(x):\n  return x.nothing\ntry:\n  f(tf.ones([2]))\nexcept AttributeError:\n  pass", 4),
    "a model": (MODEL + "try:\n  model(tf.ones([2, 5]))\nexcept ValueError:\n  pass", 4),
    "a gradient": (
        HEAD + "x = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n  y = x * x\ntry:\n"
        "  tape.jacobian(y, x, unconnected_gradients='no')\nexcept ValueError:\n  pass",
        6,
    ),
    "a trace, before a death by something else": (
        FUNCTION + "def f(x):\n  return x.nothing\ntry:\n  f(tf.ones([2]))\nexcept AttributeError:\n  pass\n"
        "open('/no/such/file')",
        4,
    ),
}  # fmt: skip

NOT_OURS = {
    "an eager operation": HEAD + "try:\n  tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))\nexcept Exception:\n  pass",
    "a callback of the program's own": (
        MODEL + "class C(tf.keras.callbacks.Callback):\n  def on_epoch_end(self, epoch, logs=None):\n    raise SystemExit(0)\n"
        "model.compile('sgd', 'mse')\nmodel.fit(tf.ones([2, 4]), tf.ones([2, 3]), verbose=0, callbacks=[C()])"
    ),
    "an eager operation that ends it": HEAD + "tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))",
    "the program's own": HEAD + "@tf.function\ndef f(x):\n  return x\nf(tf.ones([2]))\n{}['x']",
    "a file that is not there": MODEL + "try:\n  model.load_weights('no.weights.h5')\nexcept OSError:\n  pass",
    "the end of a dataset": (
        HEAD + "it = iter(tf.data.Dataset.range(2))\nwhile True:\n  try:\n    next(it)\n  except StopIteration:\n"
        "    break\nit = iter(tf.data.Dataset.range(1))\nit.get_next()\ntry:\n  it.get_next()\n"
        "except tf.errors.OutOfRangeError:\n  pass"
    ),
    "a raise inside the function, caught inside": (
        FUNCTION + "def f(x):\n  try:\n    return x.nothing\n  except AttributeError:\n    return x\n"
        "for _ in range(2):\n  f(tf.ones([2]))"
    ),
    "an exit": HEAD + "@tf.function\ndef f(x):\n  return x\nf(tf.ones([2]))\nraise SystemExit(3)",
    "what a library catches": (
        HEAD + "class L(tf.keras.layers.Layer):\n  def call(self, x):\n    return x * 2.0\n"
        "model = tf.keras.Sequential([L(), tf.keras.layers.Dense(1)])\nmodel.compile('sgd', 'mse')\n"
        "model.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0)"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DEADLY)
def test_a_death_is_reported(name: str, tensorflow: TensorFlowServer) -> None:
    program, line, words = DEADLY[name]
    report = tensorflow.run(program).report
    reported = [f for f in report.findings if f.rule == "GD900" and f.severity is Severity.ERROR]
    assert [f.line for f in reported] == [line], report.findings
    assert words in reported[0].message


@pytest.mark.parametrize("name", CAUGHT)
def test_what_the_program_catches_has_low_confidence(name: str, tensorflow: TensorFlowServer) -> None:
    program, line = CAUGHT[name]
    found = tensorflow.run(program).report.findings
    assert [(f.rule, f.line, f.confidence.level) for f in found] == [("GD900", line, Level.LOW)]


@pytest.mark.parametrize("name", NOT_OURS)
def test_what_is_none_of_our_matter_is_not_reported(name: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(NOT_OURS[name])
    assert [f for f in ran.report.findings if f.rule == "GD900"] == []


def test_a_worker_that_dies_tells_why(tensorflow: TensorFlowServer) -> None:
    program = (
        HEAD + "import multiprocessing\n@tf.function\ndef f(x):\n  return x.nothing\n"
        "def work():\n  f(tf.ones([2]))\n"
        "worker = multiprocessing.get_context('fork').Process(target=work)\nworker.start()\nworker.join()"
    )  # fmt: skip
    ran = tensorflow.run(program, subprocesses=True)
    recordings = tuple(read_recording(str(path)) for path in sorted(ran.folder.glob("*.jsonl")))
    found = judge_recordings(recordings, Config()).findings
    assert [(f.rule, f.line, f.severity) for f in found] == [("GD900", 5, Severity.ERROR)]


@pytest.mark.parametrize("name", DEADLY)
def test_the_exception_is_the_same_as_without_us(name: str, tensorflow: TensorFlowServer) -> None:
    program = DEADLY[name][0]
    with_us, without = tensorflow.run(program), tensorflow.run(program, observe=False)
    assert with_us.error == without.error
    assert _without_names(with_us) == _without_names(without)


def _without_names(ran: Ran) -> str:
    """What was printed, without the names of files that no two runs share."""
    names = re.escape(str(ran.folder)) + r"|__autograph_generated_file\w+|Thread-\d+"
    return re.sub(names, "", ran.output)
