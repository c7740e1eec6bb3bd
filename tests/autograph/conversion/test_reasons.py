"""Every reason for which AutoGraph leaves a function as it is, shown by a program."""

import json
from typing import Any

import pytest
from tests.autograph.explained import PROGRAMS
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

DRIVER = """
import json, sys

sys.path.insert(0, {programs!r})
import tensorflow as tf
import indentation, reasons
from graphdoctor import explain

x = tf.TensorSpec([3], tf.float32)
special = {{
    "match": lambda: explain(reasons.match, x, 1),
    "Mangled.method": lambda: explain(reasons.Mangled().method, x),
    "Layer.call": lambda: explain(reasons.layer.call, x),
    "Net.train_step": lambda: explain(reasons.Net().train_step, x),
    "mixed": lambda: explain(indentation.mixed, x),
    "lambda": lambda: explain(reasons.one, x),
    "dynamic": lambda: explain(reasons.namespace["dynamic"], x),
}}
for name in {names!r}:
    for again in (False, True):
        page = special[name]() if name in special else explain(getattr(reasons, name), x)
        facts = {{
            "name": name,
            "again": again,
            "own": [page.outcome.value, page.reason.key if page.reason else None],
            "called": [
                [callee.function.name, callee.outcome.value, callee.reason.key if callee.reason else None]
                for callee in page.called
            ],
            "error": page.failure.type if page.failure else None,
        }}
        print("@" + json.dumps(facts))
"""

FAILED, AS_IS, CONVERTED = "could not be converted", "run as is", "converted"
NO_BOOL = "OperatorNotAllowedInGraphError"

# The function itself is not converted: outcome, reason, and the error that follows, if any.
OWN = {
    "for_else": (FAILED, "for-else", NO_BOOL),
    "while_else": (FAILED, "while-else", NO_BOOL),
    "Mangled.method": (FAILED, "mangled-name", NO_BOOL),
    "generator": (FAILED, "generator", "TypeError"),
    "walrus": (FAILED, "walrus", NO_BOOL),
    "match": (FAILED, "match", NO_BOOL),
    "coroutine": (FAILED, "async", None),
    "lambda": (FAILED, "lambdas-on-a-line", NO_BOOL),
    "dynamic": (AS_IS, "dynamic-code", NO_BOOL),
    "mixed": (FAILED, "tabs-and-spaces", NO_BOOL),
    "left_alone": (AS_IS, "do-not-convert", None),
    "without_autograph": (AS_IS, "autograph-off", NO_BOOL),
    "Layer.call": (AS_IS, "keras-call", NO_BOOL),
    "Net.train_step": (AS_IS, "keras-step", NO_BOOL),
}
# The function is converted; what it calls is not, or is.
CALLED = {
    "uses_generator": ([["parts", AS_IS, "generator"]], None),
    "uses_lambda": ([["<lambda>", FAILED, "lambdas-on-a-line"]], NO_BOOL),
    "uses_exec": ([["dynamic", AS_IS, "dynamic-code"]], NO_BOOL),
    "uses_prompt": ([["prompt", FAILED, "no-source"]], NO_BOOL),
    "uses_do_not_convert": ([["left_alone", AS_IS, "do-not-convert"]], None),
    "uses_vectorized_map": ([["branch", AS_IS, "vectorized-map"]], NO_BOOL),
    "uses_custom_gradient": ([["own_gradient", AS_IS, "custom-gradient"]], NO_BOOL),
    "uses_recompute": ([["branch", AS_IS, "recompute-gradient"]], NO_BOOL),
    "uses_layer": ([["Layer.call", AS_IS, "keras-call"]], NO_BOOL),
    "uses_loss": ([["Loss.call", AS_IS, "keras-other"], ["branch", AS_IS, "keras-helper"]], NO_BOOL),
    "uses_lambda_layer": ([["<lambda>", AS_IS, "keras-other"], ["branch", AS_IS, "keras-helper"]], NO_BOOL),
    "uses_metric": ([["Metric.update_state", AS_IS, "keras-other"]], NO_BOOL),
    "uses_metric_directly": ([["Metric.update_state", CONVERTED, None]], None),
    "uses_wrapt": (
        [
            ["passed_on", AS_IS, "wrapt"],
            ["wrapped", AS_IS, "wrapt"],
            ["branch", AS_IS, "unconverted-caller"],
        ],
        NO_BOOL,
    ),
    "uses_unconverted": (
        [["around", AS_IS, "do-not-convert"], ["branch", AS_IS, "unconverted-caller"]],
        NO_BOOL,
    ),
    "uses_without_autograph": (
        [["without_autograph", AS_IS, "switched-off"], ["branch", AS_IS, "unconverted-caller"]],
        NO_BOOL,
    ),
    "uses_py_function": ([["branch", AS_IS, "py-function"]], None),
    "uses_numpy_function": ([["<lambda>", AS_IS, "py-function"]], None),
    "uses_cache": ([["cached", AS_IS, "lru-cache"]], None),
    "uses_constructor": ([["Thing.__init__", AS_IS, "constructor"]], None),
    "uses_test_case": (
        [["Case.helper", AS_IS, "test-case"], ["branch", AS_IS, "unconverted-caller"]],
        NO_BOOL,
    ),
    "uses_map": ([["branch", CONVERTED, None]], None),
    "uses_closure": ([], None),
    "uses_partial": ([["branch", CONVERTED, None]], None),
    "uses_graph_function": (
        [
            ["graph_function", "a tf.function of its own, converted", None],
            ["branch", CONVERTED, None],
        ],
        None,
    ),
}


# A second time in one process AutoGraph and TensorFlow remember some answers, and run less.
AGAIN: dict[str, Any] = {
    "generator": (AS_IS, "generator", "TypeError"),
    "uses_graph_function": ([["graph_function", "a tf.function of its own, traced before", None]], None),
}


@pytest.fixture(scope="module")
def pages(tensorflow: TensorFlowServer) -> dict[tuple[str, bool], Any]:
    """The facts of every program, by name and by whether it was explained before in the same process."""
    text = DRIVER.format(programs=str(PROGRAMS), names=[*OWN, *CALLED])
    ran = tensorflow.run(text, name="driver.py")
    assert ran.error is None, ran.output
    facts = [json.loads(line[1:]) for line in ran.output.splitlines() if line.startswith("@")]
    return {(fact["name"], fact["again"]): fact for fact in facts}


@pytest.mark.parametrize("again", [False, True], ids=["first", "again"])
@pytest.mark.parametrize("name", OWN)
def test_function_is_not_converted_and_why(
    pages: dict[tuple[str, bool], Any], name: str, again: bool
) -> None:
    outcome, reason, error = AGAIN.get(name, OWN[name]) if again else OWN[name]
    assert pages[(name, again)]["own"] == [outcome, reason]
    assert pages[(name, again)]["error"] == error


@pytest.mark.parametrize("again", [False, True], ids=["first", "again"])
@pytest.mark.parametrize("name", CALLED)
def test_what_a_function_calls_is_judged(pages: dict[tuple[str, bool], Any], name: str, again: bool) -> None:
    called, error = AGAIN.get(name, CALLED[name]) if again else CALLED[name]
    assert pages[(name, again)]["own"] == [CONVERTED, None]
    assert sorted(pages[(name, again)]["called"]) == sorted(called)
    assert pages[(name, again)]["error"] == error
