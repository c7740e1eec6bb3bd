"""A run tells what kept functions and models out of graphs, XLA and AutoGraph, and where and why."""
# ruff: noqa: E501

import pytest
from tests.running import TensorFlowServer

from graphdoctor.model import Evidence, Severity

pytestmark = pytest.mark.tensorflow

HEAD = "import functools\nimport tensorflow as tf\n"
FUNCTION = "@tf.function\ndef f(x):\n  return x * 2.0\nfor _ in range(5):\n  f(tf.ones([2]))\n"
MODEL = "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
FIT = "model.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0)\n"

EAGER = {
    "the switch": ("tf.config.run_functions_eagerly(True)\n" + FUNCTION, 3),
    "the switch, through a setting": (
        "def configure(settings):\n  for name, value in settings.items():\n    getattr(tf.config, name)(value)\n"
        "configure({'run_functions_eagerly': True})\n" + FUNCTION,
        5,
    ),
    "the switch, which TensorFlow sets back for a moment": (
        "tf.config.run_functions_eagerly(True)\ntf.vectorized_map(lambda x: x * x, tf.ones([3]))\n" + FUNCTION,
        3,
    ),
    "a compiled model": (MODEL + "model.compile('sgd', 'mse', run_eagerly=True)\n" + FIT, 4),
    "a compiled model, through options": (
        MODEL + "options = dict(optimizer='sgd', loss='mse')\noptions['run_' + 'eagerly'] = True\n"
        "model.compile(**options)\n" + FIT,
        6,
    ),
}  # fmt: skip

GRAPH = {
    "switched off again": "tf.config.run_functions_eagerly(True)\ntf.config.run_functions_eagerly(False)\n" + FUNCTION,
    "switched off again, before a map": "tf.config.run_functions_eagerly(True)\n"
    "tf.config.run_functions_eagerly(False)\ntf.vectorized_map(lambda x: x * x, tf.ones([3]))\n" + FUNCTION,
    "a model that is not eager": MODEL + "model.compile('sgd', 'mse', run_eagerly=False)\n" + FIT,
    "nothing at all": FUNCTION + MODEL + "model.compile('sgd', 'mse')\n" + FIT,
}  # fmt: skip


@pytest.mark.parametrize("name", EAGER)
def test_the_switch_is_reported_where_it_stands(name: str, tensorflow: TensorFlowServer) -> None:
    program, line = EAGER[name]
    found = [f for f in tensorflow.run(HEAD + program).report.findings if f.rule == "GD905"]
    assert [finding.line for finding in found] == [line]
    assert found[0].evidence is not Evidence.SOURCE


@pytest.mark.parametrize("name", GRAPH)
def test_what_ran_as_a_graph_is_left_alone(name: str, tensorflow: TensorFlowServer) -> None:
    found = tensorflow.run(HEAD + GRAPH[name]).report.findings
    assert [finding for finding in found if finding.rule == "GD905"] == []


HASHED = "layers = tf.keras.layers\nmodel = tf.keras.Sequential([layers.Hashing(num_bins=3), layers.Embedding(3, 2)])\n"
UNCOMPILED = {
    "a layer that XLA cannot compile": (
        HASHED + "model.compile('sgd', 'mse', jit_compile=True)\n", 5,
        "Keras runs this model without XLA because it contains `Hashing`",
    ),
    "through options": (
        HASHED + "options = {'jit_' + 'compile': True}\nmodel.compile('sgd', 'mse', **options)\n", 6,
        "Keras runs this model without XLA because it contains `Hashing`",
    ),
    "deterministic operations": (
        "tf.config.experimental.enable_op_determinism()\n" + MODEL + "model.compile('sgd', 'mse', jit_compile=True)\n", 5,
        "Keras runs this model without XLA because op determinism is enabled",
    ),
    "XLA's own choice of parts": (
        "tf.config.optimizer.set_jit(True)\n" + FUNCTION, 3,
        "this makes XLA compile only for GPUs, and the run had none",
    ),
}  # fmt: skip
COMPILED = {
    "a model that is compiled": MODEL + "model.compile('sgd', 'mse', jit_compile=True)\n" + FIT,
    "left to Keras": HASHED + "model.compile('sgd', 'mse')\n",
    "switched off": HASHED + "model.compile('sgd', 'mse', jit_compile=False)\n" + FUNCTION,
    "switched on and off": "tf.config.optimizer.set_jit(True)\ntf.config.optimizer.set_jit(False)\n" + FUNCTION,
    "where it is meant for processors": (
        "import os\nos.environ['TF_XLA_FLAGS'] = '--tf_xla_cpu_global_jit'\ntf.config.optimizer.set_jit(True)\n" + FUNCTION
    ),
    "a function": FUNCTION.replace("@tf.function", "@tf.function(jit_compile=True)"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNCOMPILED)
def test_xla_that_was_asked_for_in_vain_is_reported(name: str, tensorflow: TensorFlowServer) -> None:
    program, line, message = UNCOMPILED[name]
    ran = tensorflow.run(HEAD + program)
    assert (ran.error, ran.recording.problems) == (None, ()), ran.output
    found = [(f.line, f.message) for f in ran.report.findings if f.rule == "GD911"]
    assert found == [(line, message)]


@pytest.mark.parametrize("name", COMPILED)
def test_xla_that_compiles_or_nobody_asked_for_is_not_reported(
    name: str, tensorflow: TensorFlowServer
) -> None:
    ran = tensorflow.run(HEAD + COMPILED[name])
    assert (ran.error, ran.recording.problems) == (None, ()), ran.output
    assert [finding for finding in ran.report.findings if finding.rule == "GD911"] == []


TWICE = "\nfor _ in range(2):\n  f(tf.ones([2]))\n"
LEFT_AS_IT_STANDS = {
    "an assignment expression": (
        "@tf.function\ndef f(x):\n  if (n := x.shape[0]) > 1:\n    x = x * n\n  return x" + TWICE, 3, "f",
    ),
    "`for … else` in a helper": (
        "def add(x):\n  for n in range(3):\n    x = x + n\n  else:\n    x = x + 1\n  return x\n"
        "@tf.function\ndef f(x):\n  return add(x)" + TWICE, 3, "add",
    ),
    "a private name of a class": (
        "class Model:\n  def __init__(self):\n    self.__rate = 2.0\n  @tf.function\n  def __call__(self, x):\n"
        "    return x * self.__rate\nf = Model()" + TWICE, 6, "Model.__call__",
    ),
    "two lambdas on a line, given to a pipeline": (
        "one, two = (lambda x: x + 1), (lambda x: x + 2)\nlist(tf.data.Dataset.range(3).map(one))\n", 3, "<lambda>",
    ),
}  # fmt: skip
# Converted, or nobody's to convert; or the program fails for it, which another rule tells.
CONVERTED_OR_REPORTED = {
    "a plain function": "@tf.function\ndef f(x):\n  n = x.shape[0]\n  return x * n if n > 1 else x" + TWICE,
    "a function that is not to be converted": (
        "@tf.function\n@tf.autograph.experimental.do_not_convert\ndef f(x):\n  return x * (n := 2.0)" + TWICE
    ),
    "no AutoGraph": "@tf.function(autograph=False)\ndef f(x):\n  return x * (n := 2.0)" + TWICE,
    "code that is not traced": "def f(x):\n  return x * (n := 2.0)" + TWICE,
    "a condition that raises": (
        "@tf.function\ndef f(x):\n  if (n := tf.reduce_sum(x)) > 1:\n    x = x * n\n  return x" + TWICE
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LEFT_AS_IT_STANDS)
def test_what_autograph_could_not_convert_is_a_note(name: str, tensorflow: TensorFlowServer) -> None:
    program, line, function = LEFT_AS_IT_STANDS[name]
    ran = tensorflow.run(HEAD + program)
    assert (ran.error, ran.recording.problems) == (None, ()), ran.output
    (found,) = [finding for finding in ran.report.findings if finding.rule == "GD341"]
    assert (found.line, found.severity) == (line, Severity.NOTE)
    assert found.message.startswith(f"AutoGraph could not convert `{function}`: it")


@pytest.mark.parametrize("name", CONVERTED_OR_REPORTED)
def test_what_is_converted_or_reported_otherwise_is_no_note(name: str, tensorflow: TensorFlowServer) -> None:
    found = tensorflow.run(HEAD + CONVERTED_OR_REPORTED[name]).report.findings
    assert [finding for finding in found if finding.rule == "GD341"] == []
