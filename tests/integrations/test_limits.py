"""`no_retrace()` and `max_traces()` say why, and stay silent where nothing is wrong."""

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

STEP = """
import graphdoctor
import tensorflow as tf
from graphdoctor.observer.instrumentation import hooks


@tf.function
def step(x, k=1):
    return x * k


def attempt(action):
    try:
        action()
        print("fine")
    except graphdoctor.RetraceError as error:
        print(error)
        return error


x = tf.ones([2])
"""


def output(tensorflow: TensorFlowServer, program: str) -> list[str]:
    ran = tensorflow.run(STEP + program, observe=False)
    assert ran.error is None, ran.output
    return ran.output.splitlines()


def test_no_retrace_lets_pass_what_is_not_a_retrace(tensorflow: TensorFlowServer) -> None:
    lines = output(
        tensorflow,
        """
import keras
import threading


class Layer(tf.Module):
    def __init__(self):
        self.weight = None

    @tf.function
    def __call__(self, x):
        if self.weight is None:
            self.weight = tf.Variable(2.0)
        return x * self.weight


@tf.function
def outer(x):
    return step(x, 2) + 1.0


@tf.function(reduce_retracing=True)
def general(x):
    return x + 1.0


@graphdoctor.no_retrace()
def all_of_it():
    step(x, 1)
    step(x, 1)
    for layer in (Layer(), Layer()):
        layer(x)
        layer(x)
    general(tf.ones([3]))
    general(tf.ones([4]))
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(tf.ones([10, 2]), tf.ones([10, 1]), batch_size=4, verbose=0)
    other = threading.Thread(target=step, args=(tf.ones([7]), 5))
    other.start()
    other.join()


attempt(all_of_it)
print(len(hooks._listeners))
""",
    )
    assert lines == ["fine", "0"]


def test_no_retrace_names_the_argument_also_for_traces_from_before(tensorflow: TensorFlowServer) -> None:
    lines = output(
        tensorflow,
        """
step(x, 1)
step(tf.ones([5]), 2)
with graphdoctor.no_retrace():
    error = attempt(lambda: step(x, 3))
    print(error.function.name, error.function.line, [(d.argument, d.change.value) for d in error.differences])
    attempt(lambda: step(x, 3))
    attempt(lambda: step(tf.ones([2], tf.int32), 1))
step(x, 3)
print(len(hooks._listeners))
""",
    )
    why = "`step` of program.py:7 was traced again: "
    assert lines == [
        why + "`k` is a Python value: now 3, before 1 (called at program.py:26)",
        "step 7 [('k', 'PYTHON_VALUE')]",
        why + "`k` is a Python value: now 3, before 1 (called at program.py:28)",
        why + "`x` has another dtype: now int32, before float32 (called at program.py:29)",
        "0",
    ]


def test_functions_made_again_are_retraces_too(tensorflow: TensorFlowServer) -> None:
    lines = output(
        tensorflow,
        """
def make(k):
    return tf.function(lambda x: x * k)


with graphdoctor.no_retrace():
    make(1)(x)
    attempt(lambda: make(2)(x))
""",
    )
    (line,) = lines
    assert line == (
        "`make.<lambda>` of program.py:24 was traced again: "
        "another Function object of the same definition was called (called at program.py:29)"
    )


def test_max_traces_of_one_function_keeps_it_a_graph_function(tensorflow: TensorFlowServer) -> None:
    lines = output(
        tensorflow,
        """
limited = graphdoctor.max_traces(2)(step)
print(limited is step)
step(x, 1)
step(x, 2)
step(x, 2)
attempt(lambda: step(x, 3))
attempt(lambda: step(x, 1))


@tf.function
@graphdoctor.max_traces(1)
def inside(x):
    if tf.reduce_sum(x) > 0.0:
        x = x + 1.0
    return x


inside(x)
attempt(lambda: inside(tf.ones([3])))
""",
    )
    assert lines == [
        "True",
        "`step` of program.py:7 was traced more than 2 times: "
        "`k` is a Python value: now 3, before 2 (called at program.py:28)",
        "fine",
        "`inside` of program.py:32 was traced more than 1 time: "
        "`x` has another shape on axis 0: now 3, before 2 (called at program.py:41)",
    ]


def test_max_traces_of_what_is_called_inside(tensorflow: TensorFlowServer) -> None:
    lines = output(
        tensorflow,
        """
@graphdoctor.max_traces(2)
def train(*values):
    for k in values:
        step(x, k)


attempt(lambda: train(1, 2))
attempt(lambda: train(3, 4, 3, 4))
attempt(lambda: train(5, 6, 7))
with graphdoctor.max_traces(0):
    attempt(lambda: step(x, 8))
try:
    graphdoctor.max_traces(-1)
except ValueError as error:
    print(error)
""",
    )
    assert lines == [
        "fine",
        "fine",
        "`step` of program.py:7 was traced more than 2 times: "
        "`k` is a Python value: now 7, before 6 (called at program.py:26)",
        "`step` of program.py:7 was traced more than 0 times: "
        "`k` is a Python value: now 8, before 6 (called at program.py:33)",
        "max_traces() takes 0 or more, not -1",
    ]


def test_it_stays_our_error_through_autograph(tensorflow: TensorFlowServer) -> None:
    lines = output(
        tensorflow,
        """
@tf.function
def outer(x):
    return step(x, 1) + step(x, 2)


with graphdoctor.no_retrace():
    try:
        outer(x)
    except graphdoctor.RetraceError as error:
        print(str(error).strip().splitlines()[-1].strip())
outer(x)
""",
    )
    assert lines == [
        "RetraceError: `step` of program.py:7 was traced again: "
        "`k` is a Python value: now 2, before 1 (called at program.py:25)"
    ]
