"""GD103: must not fire, must fire."""

import pytest
from tests.checking import check, fixed, marked
from tests.making import judged, make_trace, tensor

from graphdoctor.model import Safety

RULE = "GD103"
TRACED = "import tensorflow as tf\n@tf.function\ndef f(x): return x\n"
PADDED = (
    TRACED + "import numpy as np\nrng = np.random.default_rng(0)\nfor _ in range(30):\n"
    "  n = int(rng.integers(2, 30))\n  s = rng.normal(size=n)\n  w = next(b for b in (9, 30) if n <= b)\n  "
)
OPTIONS = "import tensorflow as tf\n@tf.function({})\ndef f(x): return x\nfor n in range(9): f(tf.ones([n]))"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(TRACED + "for n in range(9): f(tf.ones([3]))", id="one shape"),
        pytest.param(TRACED + "for n in range(3): f(tf.ones([n]))", id="few shapes"),
        pytest.param(
            TRACED + "for a, b in [(4, 8), (2, 8), (4, 16), (2, 16), (4, 32), (2, 32)]: f(tf.ones([a, b]))",
            id="three lengths, each with a smaller last batch",
        ),
        *(
            pytest.param(PADDED + f"f({padded})", id=padded)
            for padded in (
                "np.pad(s, (0, 40 - n))",
                "np.pad(s, (0, 40 - len(s)))[None]",
                "np.concatenate([s, np.zeros(40 - len(s))])",
                "np.concatenate([s, np.zeros((40 - n,))])",
                "tf.concat([s, tf.zeros([40 - n])], 0)",
                "tf.pad(s, [[0, 40 - n]])",
                "np.pad(s, (0, w - n))",
                "np.zeros((w, 4))",
            )
        ),
        *(
            pytest.param(TRACED + f"import math\nfor n in range(2, 40): f(tf.ones([{rounded}]))", id=rounded)
            for rounded in (
                "-(-n // 8) * 8",
                "(n // 8 + 1) * 8",
                "math.ceil(n / 8) * 8",
                "8 * int(n / 8 + 1)",
                "n - n % 8 + 8",
                "n + (8 - n % 8)",
            )
        ),
        pytest.param(TRACED + "for x in data: f(x)", id="who knows the shapes"),
        pytest.param(TRACED + "for n in range(9): f(tf.fill([3], n))", id="the value varies, not the shape"),
        pytest.param(TRACED + "for n in range(9): f(data[:n])", id="who knows what data is"),
        pytest.param(OPTIONS.format("reduce_retracing=True"), id="relaxed"),
        pytest.param(OPTIONS.format("experimental_relax_shapes=True"), id="relaxed, old name"),
        pytest.param(OPTIONS.format("input_signature=[tf.TensorSpec([None])]"), id="a signature"),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(program, RULE) == []


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (TRACED + "for n in range(9): f(tf.ones([n, 8]))", "tf.ones([n, 8])"),
        (TRACED + "for n in range(1, 9): f(tf.zeros((n,)))", "tf.zeros((n,))"),
        (TRACED + "data = tf.ones([99])\nfor n in range(9): f(data[:n])", "data[:n]"),
        (TRACED + "n = 1\nwhile True:\n  f(tf.random.normal([4, n * 2]))\n  n += 1",
         "tf.random.normal([4, n * 2])"),
        (TRACED + "for a, b in [(2, 4), (1, 4), (3, 5), (1, 9), (1, 1)]: f(tf.ones([a, b]))",
         "tf.ones([a, b])"),
        (PADDED + "f(np.concatenate([s, np.zeros(3)]))", "np.concatenate([s, np.zeros(3)])"),
        (PADDED + "f(np.concatenate([s, s]))", "np.concatenate([s, s])"),
        (PADDED + "f(np.pad(s, (0, 2)))", "np.pad(s, (0, 2))"),
    ],
)  # fmt: skip
def test_must_fire(program: str, expected: str) -> None:
    assert marked(program, RULE) == [expected]


def test_fix_adds_to_the_options_that_are_there() -> None:
    program = OPTIONS.format("autograph=False")
    assert "@tf.function(autograph=False, reduce_retracing=True)\n" in fixed(program, RULE)


def test_no_fix_under_xla_where_each_shape_is_compiled_all_the_same() -> None:
    (finding,) = check(OPTIONS.format("jit_compile=True"), RULE)
    assert finding.fix is not None
    assert finding.fix.safety is Safety.MANUAL


def test_a_run_names_axis_and_sizes() -> None:
    (finding,) = judged(RULE, *(make_trace(tensor("mel", 8, n, 80)) for n in (31, 47, 52)))
    assert finding.message == (
        "`step` was traced 2 more times (1.0 s) because `mel` changed its size along axis 1; "
        "`tf.TensorSpec([8, None, 80], tf.float32)` covers all of them"
    )
    assert finding.observed is not None
    assert [(d.axis, d.now, d.before) for d in finding.observed.differences] == [(1, "52", "47, 31")]


def test_a_run_with_one_odd_shape_is_the_last_batch() -> None:
    assert judged(RULE, make_trace(tensor("x", 32, 8)), make_trace(tensor("x", 7, 8))) == []


SENTENCES = """
import keras
words = keras.layers.TextVectorization({options})
words.adapt(["a b", "c"])
@tf.function
def score(ids): return tf.reduce_sum({ids})
def lines():
    with open("reviews.txt") as f:
        for line in f: yield line.strip()
for line in lines():
    score(words([{line}]))
"""


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ("output_sequence_length=8", "line"),
        ("output_mode='multi_hot'", "line"),
        ("split=None", "line"),
        ("", "'the same words'"),
    ],
)
def test_texts_that_have_one_length_are_silent(options: str, line: str) -> None:
    assert (
        check("import tensorflow as tf\n" + SENTENCES.format(options=options, line=line, ids="ids"), RULE)
        == []
    )


def test_the_words_of_each_line_have_another_length() -> None:
    program = SENTENCES.format(options="", line="line", ids="ids + tf.constant(1, tf.int64)")
    assert [each.line for each in check("import tensorflow as tf\n" + program, RULE)] == [12]
