"""A TensorFlow whose insides we do not know: what can be seen is seen, and what cannot is said."""

import importlib.metadata

import pytest
from tests.running import TensorFlowServer

from graphdoctor.model import Change
from graphdoctor.observer.session import header

pytestmark = pytest.mark.tensorflow

CHANGED = """
import graphdoctor
import tensorflow as tf
from tensorflow.python.eager.polymorphic_function import tracing_compilation as tracing

original = tracing._create_concrete_function


def _create_concrete_function(kind, context, graph, options):
    return original(kind, context, graph, options)


tracing._create_concrete_function = _create_concrete_function
"""

PROGRAM = """

@tf.function
def scale(x, step):
    return x * step


with graphdoctor.observe(recording="recording.jsonl") as observation:
    for step in range(3):
        scale(tf.ones([2]), step)
observation.report()
"""


def test_other_arguments_fall_back_to_the_list_of_callbacks(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(CHANGED + PROGRAM, observe=False)
    assert ran.error is None
    (problem,) = ran.recording.problems
    version = ran.recording.header.tensorflow
    assert problem == (
        "the seconds of a trace, failed traces, contexts, new Function objects and where a function is "
        f"defined cannot be seen on TensorFlow {version} "
        "(TypeError: _create_concrete_function takes other arguments)"
    )
    (function,) = ran.report.functions
    assert (function.name, function.path, function.traces) == ("scale", "program.py", 3)
    (cause,) = function.causes
    assert (cause.argument, cause.change, cause.now) == ("step", Change.PYTHON_VALUE, "2")
    assert ran.report.complete is False


MISSING = """
import graphdoctor
import tensorflow as tf
from tensorflow.core.function.polymorphism import function_cache
from tensorflow.python.eager.polymorphic_function import polymorphic_function

del function_cache.FunctionCache.generalize
del polymorphic_function._FrequentTracingDetectorManager
"""


def test_a_missing_name_costs_only_what_rests_on_it(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(MISSING + PROGRAM, observe=False)
    assert ran.error is None
    assert [problem.partition(" cannot")[0] for problem in ran.recording.problems] == [
        "the shapes asked for under reduce_retracing",
        "the number of calls",
    ]
    (function,) = ran.report.functions
    assert (function.name, function.line, function.traces) == ("scale", 11, 3)
    assert function.seconds > 0


def test_the_hooks_leave_no_trace_of_themselves(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(
        """
import graphdoctor
from tensorflow.core.function.polymorphism import function_cache
from tensorflow.python.eager.polymorphic_function import polymorphic_function, tracing_compilation, transform


def names():
    manager = polymorphic_function._FrequentTracingDetectorManager
    return (
        tracing_compilation._create_concrete_function,
        function_cache.FunctionCache.generalize,
        manager.called_with_tracing,
        list(transform.CONCRETE_FUNCTION_CALLBACKS),
    )


before = names()
first, second = graphdoctor.observe().start(), graphdoctor.observe().start()
during = names()
first.stop()
between = names()
second.stop()
print(before != during, during == between, names() == before)
""",
        observe=False,
    )
    assert (ran.error, ran.output) == (None, "True True True\n")


@pytest.mark.parametrize("installed", ["keras", "keras-nightly"])
def test_the_version_of_a_keras_that_is_published_under_another_name(
    monkeypatch: pytest.MonkeyPatch, installed: str
) -> None:
    """Release candidates of TensorFlow need `keras-nightly`."""

    def version(name: str) -> str:
        if name != installed:
            raise importlib.metadata.PackageNotFoundError(name)
        return "3.16.0"

    monkeypatch.delenv("TF_USE_LEGACY_KERAS", raising=False)
    monkeypatch.setattr(importlib.metadata, "version", version)
    assert header("2.22.0").keras == "3.16.0"
