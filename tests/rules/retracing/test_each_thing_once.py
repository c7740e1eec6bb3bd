"""What was said wrongly, or twice, of real programs: each now once, in the right words, at its place."""

import pytest
from tests.running import TensorFlowServer

from graphdoctor.model import Severity

TWO_SIZES_OF_TWO_LINES = """
import tensorflow as tf


@tf.function
def score(x):
    return tf.reduce_sum(tf.sin(x))


for item in range(6):
    score(tf.ones([32, 4]))
    score(tf.ones([10, 4]))
"""
A_LAST_BATCH = """
import tensorflow as tf


@tf.function
def score(x):
    return tf.reduce_sum(tf.sin(x))


for epoch in range(2):
    for batch in tf.data.Dataset.from_tensor_slices(tf.ones([42, 4])).batch(32):
        score(batch)
"""
EACH_INSTANCE = """
import tensorflow as tf


class Filter:
    def __init__(self, gain):
        self.gain = gain

    @tf.function
    def apply(self, x):
        for _ in range(20):
            x = tf.sin(x) * self.gain
        return x


for number in range(8):
    each = Filter(float(number))
    each.apply(tf.ones([3]))
"""
KEPT_INSTANCES = """
import tensorflow as tf


class Filter:
    def __init__(self, gain):
        self.gain = gain

    @tf.function
    def apply(self, x):
        return tf.sin(x) * self.gain


filters = [Filter(float(number)) for number in range(8)]
for step in range(50):
    for each in filters:
        each.apply(tf.ones([3]))
"""
WRAPPED_IN_A_CALL = """
import tensorflow as tf


def smooth(x):
    for _ in range(20):
        x = tf.sin(x)
    return x


class Runner:
    def run(self, x):
        fast = tf.function(smooth)
        return fast(x)


for number in range(8):
    Runner().run(tf.ones([3]))
"""
TWO_VALUES_OF_THREE_OBJECTS = """
import tensorflow as tf


def make(scale):
    @tf.function
    def step(x, depth):
        for _ in range(depth):
            x = tf.sin(x) * scale
        return x

    return step


steps = [make(tf.Variable(1.0)), make(tf.Variable(2.0)), make(tf.Variable(3.0))]
for item in range(9):
    for step in steps:
        step(tf.ones([3]), 1 + item % 2)
"""
TWO_DTYPES_ALTERNATE = """
import numpy as np
import tensorflow as tf


@tf.function
def mean(x):
    return tf.reduce_mean(tf.sin(x))


batches = [np.ones(4, "float32"), np.ones(4, "float64")] * 20
for batch in batches:
    mean(tf.constant(batch))
"""


def reported(tensorflow: TensorFlowServer, program: str) -> list[tuple[str, int, Severity]]:
    return [(f.rule, f.line, f.severity) for f in tensorflow.run(program).report.findings]


@pytest.mark.tensorflow
def test_two_lines_with_two_sizes_have_no_last_batch(tensorflow: TensorFlowServer) -> None:
    assert reported(tensorflow, TWO_SIZES_OF_TWO_LINES) == []
    assert reported(tensorflow, A_LAST_BATCH) == [("GD115", 12, Severity.NOTE)]


@pytest.mark.tensorflow
def test_objects_that_are_called_once_each(tensorflow: TensorFlowServer) -> None:
    assert reported(tensorflow, KEPT_INSTANCES) == []
    assert reported(tensorflow, EACH_INSTANCE) == [("GD102", 9, Severity.SLOW)]


@pytest.mark.tensorflow
def test_the_mark_is_at_the_call_of_tf_function(tensorflow: TensorFlowServer) -> None:
    assert reported(tensorflow, WRAPPED_IN_A_CALL) == [("GD102", 13, Severity.SLOW)]


@pytest.mark.tensorflow
def test_values_count_and_not_the_traces_of_several_objects(tensorflow: TensorFlowServer) -> None:
    assert reported(tensorflow, TWO_VALUES_OF_THREE_OBJECTS) == []


@pytest.mark.tensorflow
def test_two_dtypes_in_iteration(tensorflow: TensorFlowServer) -> None:
    assert reported(tensorflow, TWO_DTYPES_ALTERNATE) == [("GD111", 13, Severity.SLOW)]


MULTI_LINE = """
import tensorflow as tf


@tf.function
def luminance(image, gain):
    return tf.reduce_mean(image) * gain


@tf.function
def halved(image, gain):
    return image * 0.5


for gain in range(5):
    lumi = (
        luminance(
            tf.ones([4, 4]),
            float(gain),
        )
        + 1.0
    )
    dark = [
        halved(tf.ones([4]), gain + 1),
    ]
"""
IN_A_LAYER = """
import tensorflow as tf


class Decay(tf.keras.layers.Layer):
    def call(self, x):
        for _ in range(200):
            x = x * 0.99 + 0.01
        return x


layer = Decay()


@tf.function
def step(x):
    return layer(x)


step(tf.ones([3]))
"""
OPEN_ENDED = """
import tensorflow as tf


@tf.function
def total(x, **options):
    return tf.reduce_sum(tf.sin(x))


for length in range(1, 9):
    total(tf.ones([length]))
"""
AN_INTEGER = """
import tensorflow as tf

x = tf.constant([1, 2, 3])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_sum(tf.cast(x, tf.float32) ** 2)
print(tape.gradient(y, x))
"""
UNWATCHED_INTEGER = """
import tensorflow as tf

x = tf.constant([1, 2, 3])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.cast(x, tf.float32) ** 2)
print(tape.gradient(y, x))
"""


@pytest.mark.tensorflow
def test_the_mark_is_under_the_argument_in_a_statement_of_many_lines(tensorflow: TensorFlowServer) -> None:
    findings = tensorflow.run(MULTI_LINE).report.findings
    marks = {(f.line, f.column, f.end_column) for f in findings if f.rule == "GD101"}
    assert marks == {(19, 13, 24), (24, 30, 38)}


@pytest.mark.tensorflow
def test_no_fix_that_cannot_work_where_the_code_runs(tensorflow: TensorFlowServer) -> None:
    (loop,) = tensorflow.run(IN_A_LAYER).report.findings
    assert loop.rule == "GD120"
    assert loop.fix is not None
    assert loop.fix.title == "Use `tf.scan` or one operation"
    (shapes,) = tensorflow.run(OPEN_ENDED).report.findings
    assert shapes.rule == "GD103"
    orders = [fix.title for fix in (shapes.fix, *shapes.alternatives) if fix is not None]
    assert "Add `reduce_retracing=True`" in orders
    assert "Add an `input_signature`" not in orders


@pytest.mark.tensorflow
def test_watching_is_not_advised_where_it_would_not_help(tensorflow: TensorFlowServer) -> None:
    for program in (AN_INTEGER, UNWATCHED_INTEGER):
        (finding,) = tensorflow.run(program).report.findings
        assert finding.rule == "GD505"
