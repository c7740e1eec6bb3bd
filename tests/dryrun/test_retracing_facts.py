"""What a dry run reports of traces: arguments that differ per iteration, Functions that are made again."""

from typing import TypeVar

import numpy as np
import pytest
from tests.checking import recorded
from tests.running import TensorFlowServer

from graphdoctor.recording.format import CALLER, PROGRAM, Made, Trace

HEAD = """
import functools
import numpy as np
import tensorflow as tf

@tf.function
def f(x, k=0):
    return x

"""
ONES = "tf.ones([2])"


Kind = TypeVar("Kind")


def predicted(program: str, kind: type[Kind]) -> tuple[Kind, ...]:
    """The events of one kind."""
    return recorded(program).of(kind)


def varying(program: str) -> set[tuple[str, str]]:
    """Path and kind of what varies, without what comes from a small set."""
    return {
        (argument.path, variation.what)
        for trace in predicted(HEAD + program, Trace)
        for argument in trace.arguments
        for variation in argument.varies
        if not variation.few
    }


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(f"for i in range(99): f({ONES}, i % 3)", id="a remainder"),
        pytest.param(f"for i in range(99): f({ONES}, i > 5)", id="a flag"),
        pytest.param(f"for i in range(99): f({ONES}, 1 if i < 9 else 2)", id="one of two"),
        pytest.param(f"for i in range(99): k = i\nf({ONES}, k)", id="called after the loop"),
        pytest.param(f"for name in list('abcdefghij'): f({ONES}, name)", id="names that are written down"),
        pytest.param(
            f"for i in range(99):\n  g = tf.function(lambda x, k: x)\n  g({ONES}, i)",
            id="a Function of its own",
        ),
        pytest.param(
            "@tf.function\ndef outer(x, k): return f(x, k)\n"
            "for n in range(99): outer(tf.ones([2]), tf.constant(n))",
            id="a tensor goes through",
        ),
        pytest.param("for x in tf.data.Dataset.range(99).batch(4, drop_remainder=True): f(x)", id="batches"),
        pytest.param(
            "data = tf.data.Dataset.from_generator(g, output_signature=tf.TensorSpec([None]))\n"
            "for x in data.padded_batch(4, padded_shapes=[9], drop_remainder=True): f(x)",
            id="padded to one shape",
        ),
        pytest.param(
            "frames = []\nfor i in range(99):\n  frames.append(one)\n"
            "  if len(frames) > 4: frames.pop(0)\n  f(tf.stack(frames))".replace("one", ONES),
            id="a sliding window",
        ),
        pytest.param(
            "frames = []\nfor i in range(99):\n  frames.append(one)\n"
            "  if len(frames) == 4:\n    f(tf.stack(frames))\n    frames.clear()".replace("one", ONES),
            id="a full buffer",
        ),
        pytest.param(
            "rate = tf.constant(0.1)\nadam = tf.keras.optimizers.Adam()\n"
            "for i in range(99):\n  f(one, float(rate))\n"
            "  f(one, float(adam.learning_rate))".replace("one", ONES),
            id="a rate that nobody changes",
        ),
        pytest.param("obj = object()\nfor i in range(99): f(obj)", id="one object"),
    ],
)
def test_nothing_varies(program: str) -> None:
    assert varying(program) == set()


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (f"for i in range(99): f({ONES}, i)", {("k", "value")}),
        (f"def call(*args, **names): return f(*args, **names)\nfor i in range(99): call({ONES}, k=i)",
         {("k", "value")}),
        (f"g = functools.partial(f, {ONES})\nfor i in range(99): g(i)", {("k", "value")}),
        (f"for t in np.linspace(0.0, 1.0, 11).tolist(): f({ONES}, t)", {("k", "value")}),
        (f"for i in range(99): f({ONES}, {{'step': i}})", {('k["step"]', "value")}),
        ("for n in range(99): f(tf.ones([n, 2]))", {("x", "shape")}),
        ("for s in 'a bc def gh ijkl m no p'.split():\n  f(tf.constant([ord(c) for c in s]))",
         {("x", "shape")}),
        ("for n in range(99):\n  f([float(i) for i in range(n)])", {("x", "length")}),
        ("kept = []\nfor n in range(99):\n  kept.append(tf.ones([2]))\n  f(kept)", {("x", "length")}),
        ("for n in range(99): f(lambda: n)", {("x", "identity")}),
        ("class A:\n  def m(self): return 1\na = A()\nfor n in range(99): f(a.m)", {("x", "identity")}),
        ("data = tf.data.Dataset.from_generator(g, output_signature=tf.TensorSpec([None]))\n"
         "for x in data: f(x)",
         {("x", "shape")}),
    ],
)  # fmt: skip
def test_what_varies(program: str, expected: set[tuple[str, str]]) -> None:
    assert varying(program) == expected


def test_what_varies_in_a_traced_function_is_no_matter_of_the_loop_around_it() -> None:
    program = "@tf.function\ndef outer(x): return f(x)\nfor n in range(99): outer(tf.ones([n]))"
    traces = predicted(HEAD + program, Trace)
    reported = {trace.function.name for trace in traces if any(a.varies for a in trace.arguments)}
    assert reported == {"outer"}


def test_a_wrapper_hands_on_the_place_of_the_argument() -> None:
    program = f"def call(*args): return f(*args)\nfor i in range(99):\n  call({ONES}, i)"
    last = predicted(HEAD + program, Trace)[-1]
    assert [(a.place.line, a.place.column) for a in last.arguments if a.place] == [(11, 8), (11, 22)]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("g = tf.function(lambda x: x)\nfor i in range(9): g(1.0)", (False, False)),
        ("for i in range(9): tf.function(lambda x: x)(1.0)", (True, False)),
        ("for i in range(9):\n  w = tf.Variable(1.0)\n  tf.function(lambda x: x * w)(1.0)", (True, True)),
        ("for m in models:\n  tf.function(lambda x: m(x))(1.0)", (False, False)),
        ("for r in rates:\n  tf.function(lambda x: x * r)(1.0)", (True, False)),
        ("for i in range(9): tf.data.Dataset.range(3).map(lambda x: x)", (True, False)),
        ("for i in range(9): tf.data.Dataset.range(i).map(lambda x: x)", (True, True)),
        ("for p in paths: tf.data.TFRecordDataset(p).map(lambda x: x)", (True, True)),
        ("for e in range(9): tf.data.TFRecordDataset(paths).map(lambda x: x)", (True, False)),
    ],
)
def test_what_is_made_again(program: str, expected: tuple[bool, bool]) -> None:
    last = [trace for trace in predicted(HEAD + program, Trace) if trace.function.name != "f"][-1]
    assert (last.anew is not None, last.tied) == expected


def test_a_graph_function_says_with_which_options_it_was_made_and_what_is_wrong_with_them() -> None:
    program = (
        "make = functools.partial(tf.function, input_signature=[tf.TensorSpec([2])])\n"
        "@make\ndef g(x, y): return x"
    )
    made = [event for event in predicted(HEAD + program, Made) if event.conflict is not None]
    assert [event.conflict.kind for event in made if event.conflict] == ["short signature"]
    assert [(a.path, a.place.line) for a in made[0].arguments[:1] if a.place] == [("input_signature", 9)]


@pytest.mark.parametrize(
    ("loop", "varies"),
    [
        ("for line in open('f'):\n    f(np.array([ord(c) for c in line]))", True),
        ("for line in open('f').readlines():\n    f(np.array([ord(c) for c in line]))", True),
        ("with open('f') as g:\n    for row in g:\n        f(np.array([len(w) for w in row.split()]))", True),
        ("for line in open('f'):\n    f(np.array([int(c) for c in line.split(',')]))", False),
        ("for line in open('f', 'rb'):\n    f(np.array([int(c) for c in line]))", False),
        ("for line in open('f'):\n    f(np.array([0 for c in 'abc']))", False),
    ],
)  # fmt: skip
def test_lines_of_a_text_differ_in_length_and_rows_of_a_table_do_not(loop: str, varies: bool) -> None:
    program = "import numpy as np\nimport tensorflow as tf\nf = tf.function(lambda x: tf.reduce_sum(x))\n"
    traces = [event for event in recorded(program + loop + "\n").events if isinstance(event, Trace)]
    assert any(v.what == "shape" for t in traces for a in t.arguments for v in a.varies) is varies


DENSE = "keras.layers.Dense(1)"
TABLE = [
    # How many traces TensorFlow 2.21 makes of `g`.
    ("def g(x): return x", "g(1)\ng(2)\ng(1)", 2),
    ("def g(x): return x", "g(tf.ones([1]))\ng(np.ones(1, 'float32'))\ng(tf.ones([2]))", 2),
    ("model = keras.Sequential([keras.Input((2,)), dense])\ndef g(x): return model(x)",
     "g(tf.ones([1, 2]))", 1),
    ("model = keras.Sequential([dense])\ndef g(x): return model(x)", "g(tf.ones([1, 2]))", 2),
    ("model = keras.Sequential()\nmodel.add(keras.Input((2,)))\nmodel.add(dense)\ndef g(x): return model(x)",
     "g(tf.ones([1, 2]))", 1),
    ("model = keras.Sequential([keras.layers.Flatten(), dense])\ndef g(x): return model(x)",
     "g(tf.ones([1, 2]))", 2),
]  # fmt: skip
RELAXED = [
    ("for n in (1, 2, 3, 4, 5): g(tf.ones([n]))", 2),
    ("for n in (1, 2, 3): g(tf.ones([n, 2]))\nfor n in (1, 2, 3): g(tf.ones([1, n]))", 3),
    ("g(tf.ones([1]))\ng(tf.ones([2, 2]))\ng(tf.ones([3, 3, 3]))", 2),
    ("g(tf.ones([1]))\ng(tf.ones([2], 'int32'))\ng(tf.ones([3], 'int32'))", 3),
    ("g(1)\ng(2)\ng(3)", 3),
    ("g([tf.ones([1])])\ng([tf.ones([2])])\ng([tf.ones([3])])", 2),
]


def counted() -> list[tuple[str, int]]:
    """Programs, and how often TensorFlow traces `g` in them."""
    head = "import keras\nimport numpy as np\nimport tensorflow as tf\n"
    plain = [
        (head + f"{made.replace('dense', DENSE)}\ng = tf.function(g)\n{calls}\n", n)
        for made, calls, n in TABLE
    ]
    relaxed = "@tf.function(reduce_retracing=True)\ndef g(x): return x\n"
    return plain + [(f"{head}{relaxed}{calls}\n", n) for calls, n in RELAXED]


@pytest.mark.parametrize(("program", "traces"), counted())
def test_the_cache_of_a_graph_function(program: str, traces: int) -> None:
    assert len(predicted(program, Trace)) == traces


@pytest.mark.tensorflow
@pytest.mark.parametrize(("program", "traces"), counted())
def test_tensorflow_has_the_same_cache(program: str, traces: int, oracle: TensorFlowServer) -> None:
    assert oracle.run(program).traces == traces


def test_a_chain_says_whether_the_program_itself_comes_here() -> None:
    for program, expected in ((HEAD + "f(1)\n", PROGRAM), (HEAD, CALLER)):
        assert [trace.chain[0].function for trace in predicted(program, Trace)] == [expected]


@pytest.mark.parametrize(
    "draw",
    [
        "default_rng(0).random((5, 3), dtype=np.float32)",
        "default_rng(0).random((5, 3), np.float32)",
        "default_rng(0).standard_normal(size=(5, 3), dtype='float32')",
        "default_rng(0).normal(size=(5, 3))",
        "default_rng(0).integers(0, 9, size=(5, 3), dtype=np.int32)",
        "default_rng(0).chisquare(2, (5, 3))",
        "default_rng(0).gamma(2.0, 1.0, (5, 3))",
        "default_rng(0).triangular(0.0, 1.0, 2.0, (5, 3))",
        "RandomState(0).randint(0, 9, (5, 3))",
        "RandomState(0).rand(5, 3)",
        "exponential(1.0, (5, 3))",
    ],
)
def test_arrays_that_are_drawn_have_the_dtype_and_shape_that_numpy_gives_them(draw: str) -> None:
    array = eval(f"np.random.{draw}", {"np": np})
    (trace,) = predicted(f"{HEAD}f(np.random.{draw})", Trace)[:1]
    assert (trace.arguments[0].dtype, trace.arguments[0].shape) == (str(array.dtype), array.shape)


@pytest.mark.parametrize(
    "draw",
    ["multivariate_normal([0.0, 1.0], np.eye(2), 5)", "dirichlet([1.0, 2.0], 5)", "normal(np.ones(3), 0.1)"],
)
def test_of_arrays_that_bring_their_own_axes_the_shape_is_not_known(draw: str) -> None:
    (trace,) = predicted(f"{HEAD}f(np.random.{draw})", Trace)[:1]
    assert (trace.arguments[0].kind, trace.arguments[0].shape) == ("array", None)
