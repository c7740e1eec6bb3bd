"""GD901: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check
from tests.rules.xla.operations_of_xla import CALLS, NOT_CALLED, OBJECT_CALLS, OPERANDS
from tests.running import TensorFlowServer

from graphdoctor.rules.xla.xla_unsupported_operation import UNSUPPORTED

RULE = "GD901"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                tf.print(x)
                return x
            """,
            id="not compiled",
        ),
        pytest.param(
            """
            def g(x):
                tf.print(x)
            @tf.function(jit_compile=True)
            def f(x):
                return x
            @tf.function
            def h(x):
                g(x)
                return x
            """,
            id="also reached without XLA",
        ),
        pytest.param(
            """
            table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), -1)
            words = tf.keras.layers.StringLookup(vocabulary=["a"])
            @tf.function(jit_compile=True)
            def f(x):
                return x * 2
            f(table.lookup(tf.constant(["a"])))
            f(words(tf.constant(["a"])))
            """,
            id="looked up before",
        ),
        pytest.param(
            """
            @tf.function(jit_compile=False)
            def f(x):
                tf.print(x)
                return x
            """,
            id="jit_compile=False",
        ),
        pytest.param(
            """
            @tf.function(jit_compile=True)
            def f(x): return x
            tf.print(f(1))
            """,
            id="outside",
        ),
        pytest.param(
            """
            @tf.function(jit_compile=True)
            def f(x, k):
                w, v = tf.linalg.eigh(x)
                y, _ = tf.unique(k)
                picked = tf.boolean_mask(x, x > 0.5)
                return tf.math.unsorted_segment_sum(w, k, 3), tf.random.normal([3]), y, picked
            f(tf.eye(3), tf.constant([0, 1, 1]))
            """,
            id="operations that XLA has",
        ),
        pytest.param(
            """
            @tf.function(jit_compile=True)
            def f(x): return x * 2.0
            @tf.function
            def g(x): return tf.strings.as_string(f(x)), tf.linalg.slogdet(x)
            g(tf.eye(3))
            """,
            id="in the function that calls the compiled one",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + cleandoc(program), RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function(jit_compile=True)
            def f(x):
                tf.print(x)
                return x
            """,
            id="print",
        ),
        pytest.param(
            """
            def g(x):
                tf.print(x)
            @tf.function(jit_compile=True)
            def f(x):
                g(x)
                return x
            """,
            id="in a helper",
        ),
        pytest.param(
            """
            @tf.function(jit_compile=True)
            def f(x): return tf.py_function(abs, [x], tf.float32)
            """,
            id="py_function",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


@pytest.mark.parametrize("call", [*CALLS, *OBJECT_CALLS.values()])
def test_each_operation_of_the_table(call: str) -> None:
    program = f"@tf.function(jit_compile=True)\ndef f():\n    return {call}\nf()\n"
    assert {finding.rule for finding in check(HEAD + OPERANDS + program, RULE)} == {RULE}


def test_table_has_a_call_for_each() -> None:
    named = {"tensorflow." + call.removeprefix("tf.").partition("(")[0] for call in CALLS}
    assert named | set(NOT_CALLED) | set(OBJECT_CALLS) == UNSUPPORTED | {"tensorflow.as_string"}


@pytest.mark.tensorflow
def test_each_raises_under_xla(tensorflow: TensorFlowServer) -> None:
    trials = "".join(f"attempt(lambda: {call})\n" for call in (*CALLS, *OBJECT_CALLS.values()))
    program = cleandoc(
        """
        def attempt(call):
            try:
                tf.function(call, jit_compile=True, autograph=False)()
                print("runs")
            except tf.errors.InvalidArgumentError as error:
                assert "unsupported operations" in str(error), error
        """
    )
    ran = tensorflow.run(f"{HEAD}{OPERANDS}{program}\n{trials}", observe=False)
    assert (ran.output, ran.error) == ("", None)
