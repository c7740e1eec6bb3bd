"""GD900 says whether eager execution fails as well, where the line could be tried; no user code runs."""

import pytest
from tests.running import TensorFlowServer

from graphdoctor.recording.format import Failure

HEAD = """import keras
import numpy as np
import tensorflow as tf


def helper(x):
    print("helped")
    return x.nope


@tf.function
def f(x, y):
    d = {"a": x}
"""
CALL = "\n\n\nf(tf.ones([3, 2]), tf.ones([3, 2]))\n"


def outcome(tensorflow: TensorFlowServer, line: str) -> tuple[str, int]:
    """What the line did in eager execution, and how often the program's own function ran."""
    ran = tensorflow.run(f"{HEAD}    {line}{CALL}")
    failed = max(one.eagerly for one in ran.recording.of(Failure) if not one.trace)
    return failed, ran.printed.count("helped")


@pytest.mark.tensorflow
@pytest.mark.parametrize(
    ("line", "eagerly"),
    [
        ("a = tf.matmul(x, y)", "InvalidArgumentError"),
        ("return tf.concat([x, y[:, :1]], axis=0)", "InvalidArgumentError"),
        ("return d['b'] + 1", "KeyError"),
        ("return x.nope() + 1", "AttributeError"),
        ("return np.asarray(x)", "works"),
        ("return np.asarray(x).sum()", ""),
        ("return x.numpy()", "works"),
        ("return helper(x)", "AttributeError"),  # in `helper`, which is not run again
        ("return [helper(one) for one in (x, y)]", "AttributeError"),
        ("return [one.nope for one in (x, y)]", ""),
        ("return tf.reshape(x, [4, tf.shape(x)[0]]) + tf.py_function(print, [x.nope], tf.float32)", ""),
    ],
)
def test_what_the_line_does_in_eager_execution(tensorflow: TensorFlowServer, line: str, eagerly: str) -> None:
    assert outcome(tensorflow, line) == (eagerly, int("helper" in line))


@pytest.mark.tensorflow
def test_the_finding_says_so_and_offers_eager_execution_only_where_it_helps(
    tensorflow: TensorFlowServer,
) -> None:
    ran = tensorflow.run(f"{HEAD}    a = tf.matmul(x, y){CALL}")
    (finding,) = (one for one in ran.report.findings if one.rule == "GD900")
    assert finding.message.endswith(
        "`x` is a tensor float32 [3, 2], `y` is a tensor float32 [3, 2]; the last operations were "
        "Placeholder, Placeholder; eagerly, on tensors of these shapes, the line raises "
        "InvalidArgumentError as well"
    )
    assert finding.fix is None
