"""`graphdoctor.explain` on whatever can be called, and the cache of a function that has been called."""

import pytest
from tests.autograph.explained import PROGRAMS, run_explain
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

DRIVER = """
import functools, sys

sys.path.insert(0, {programs!r})
import tensorflow as tf
import marks, reasons
import graphdoctor

x = tf.TensorSpec([3], tf.float32)


class Scale:
    def __init__(self):
        self.factor = 2.0

    def __call__(self, x):
        return x * self.factor


def tell(name, function, *examples):
    try:
        page = graphdoctor.explain(function, *examples)
        print(name, "|", page.function.name, "|", page.outcome.value, "|", page.operations, page.passes)
    except graphdoctor.errors.GraphdoctorError as error:
        print(name, "|", error)


def lazy():
    made = []

    @tf.function
    def build(x):
        if not made:
            made.append(tf.Variable(1.0))
        return x + made[0]

    return build


trainer = marks.Trainer()
tell("object", Scale(), x)
tell("layer", reasons.layer, x)
tell("bound method", trainer.train_step)
tell("temporary", marks.Trainer().train_step)
tell("lambda", lambda x: x + 1.0, x)
tell("makes variables", lazy(), x)
tell("tensor", marks.helper, tf.ones([3]))
tell("partial", functools.partial(marks.helper), x)
tell("built-in", len, x)
tell("no function", 3)
"""


def test_explain_takes_what_can_be_called(tensorflow: TensorFlowServer) -> None:
    text = DRIVER.format(programs=str(PROGRAMS))
    ran = tensorflow.run(text, name="driver.py")
    assert ran.error is None, ran.output
    lines = [line for line in ran.output.splitlines() if " | " in line]
    assert lines[0] == "object | Scale.__call__ | converted | 2 1"
    assert lines[1] == "layer | Layer.call | run as is | 4 1"
    assert lines[2].startswith("bound method | Trainer.train_step | converted | ")
    assert lines[3] == "temporary | the object of `train_step` is gone: keep it in a variable"
    assert lines[4:7] == [
        "lambda | <lambda> | converted | 2 1",
        "makes variables | lazy.build | converted | 2 2",
        "tensor | helper | converted | 11 1",
    ]
    assert lines[7] == "partial | helper | converted | 11 1"
    assert lines[8] == "built-in | expected a function written in Python, got <built-in function len>"
    assert lines[9] == "no function | expected a function written in Python, got 3"


def test_signature_is_looked_up_in_the_cache_of_the_function(tensorflow: TensorFlowServer) -> None:
    target = ["called.py:step", "--arg", "x=float32[3]", "--signature", "--arg"]
    hit, miss = run_explain(tensorflow, [*target, "rate=1.0"], [*target, "rate=2.0"])
    head = [
        "The cache key of step with these arguments",
        "  x     float32[3]  dtype and shape count, its values do not",
    ]
    assert hit.output.splitlines() == [
        *head,
        "  rate  1.0         a Python value: compared by ==",
        "It would hit: the function holds a trace for this key (1 in all).",
    ]
    assert miss.output.splitlines() == [
        *head,
        "  rate  2.0         a Python value: compared by ==",
        "It would not hit: of 1 trace the closest differs in",
        "  rate: now 2.0, before 1.0",
    ]
