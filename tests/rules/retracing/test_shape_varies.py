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
        pytest.param(
            TRACED
            + "x = tf.ones([n])\nfor i in range(8): f(x[i::8])".replace("n]", "len(open('a').read())]"),
            id="dealt out like cards",
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
        "`step` was traced 2 more times (1.0 s) because the size of `mel` changed along axis 1; "
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


FIXED = [
    "tf.ones([100 + k])[:100]", "np.ones([100 + k, 2])[:100]", "np.ones([100 + k, 2])[-100:]",
    "np.ones([100 + k])[-100:-50]", "tf.concat([tf.ones([k]), tf.zeros([16])], 0)[:16]",
    "tf.range(k, k + 4)", "np.arange(k, k + 4)", "tf.range(k, k + 8, 2)", "tf.sequence_mask([k], 16)",
    "tf.keras.utils.to_categorical([k], num_classes=16)", "tf.math.top_k(tf.ones([k + 4]), 3)[0]",
    "tf.signal.rfft(tf.ones([k]), [16])", "np.abs(np.fft.rfft(np.ones([k]), 16))",
    "np.bincount(np.arange(k), minlength=16)", "tf.random.categorical(tf.ones([1, k]), 4)",
    "tf.math.segment_sum(tf.ones([k]), tf.zeros([k], tf.int32))",
    "tf.linalg.matmul(tf.ones([k, 3]), tf.ones([k, 3]), adjoint_a=True)",
    "tf.pad(tf.ones([k]), [[0, 16 - tf.shape(tf.ones([k]))[0]]])",
    "tf.constant((list(range(k)) + [0] * 16)[:16])", "tf.constant([int(b) for b in f'{k:08b}'])",
]  # fmt: skip
FOLLOWING = [
    "tf.ones([100 + k])[100:]", "np.ones([100 + k, 2])[:-100]", "tf.range(k, 40)", "np.arange(k)",
    "tf.sequence_mask([k])", "tf.math.top_k(tf.ones([9]), k)[0]", "tf.math.top_k(tf.ones([k, 9]), 3)[0]",
    "tf.random.categorical(tf.ones([k, 3]), 4)", "tf.keras.utils.to_categorical(range(k), num_classes=16)",
    "tf.linalg.matmul(tf.ones([k, 3]), tf.ones([3, k]))", "tf.constant((list(range(k)) + [0] * 16)[2:])",
    "tf.pad(tf.ones([k]), [[0, 16]])", "np.bincount(np.arange(k))", "tf.ones([64])[:k]",
]  # fmt: skip
LISTS = [
    "d = d + [0] * (8 - len(d))\n  f(tf.constant(d))",
    "f(np.array((d + [0] * 8)[:8]))",
    "i = len(d)\n  f(np.array(whole[i : i + 8]))",
    "while len(d) < 8: d.append(0)\n  f(tf.constant(d))",
    "seen.append(np.ones([2]))\n  if len(seen) >= 4: f(np.stack(seen[-4:]))",
    "seen.append(np.ones([2]))\n  f(np.stack((seen * 4)[:4]))",
]
GROWING = [
    "f(tf.constant(d))",
    "d = d + [0] * 8\n  f(tf.constant(d))",
    "seen.append(np.ones([2]))\n  f(np.stack(seen[1:]))",
]


def test_a_slice_from_each_place_on_has_another_length() -> None:
    assert len(check(TRACED + "x = tf.ones([99])\nfor i in range(8): f(x[i:])", RULE)) == 1
    assert len(check(TRACED + "x = tf.ones([99])\nfor i in range(8): f(x[i::1])", RULE)) == 1


@pytest.mark.parametrize("made", FIXED)
def test_a_size_that_an_operation_fixes_is_silent(made: str) -> None:
    assert check(f"{TRACED}import numpy as np\nfor k in range(1, 9): f({made})", RULE) == []


@pytest.mark.parametrize("made", FOLLOWING)
def test_a_size_that_an_operation_hands_on_is_reported(made: str) -> None:
    assert check(f"{TRACED}import numpy as np\nfor k in range(1, 9): f({made})", RULE)


def _with_lists(iteration: str) -> str:
    lists = "data = [list(range(k + 1)) for k in range(12)]\nwhole, seen = list(range(99)), []"
    return f"{TRACED}import numpy as np\n{lists}\nfor d in data:\n  {iteration}"


@pytest.mark.parametrize("iteration", LISTS)
def test_a_list_that_is_filled_or_cut_to_one_length_is_silent(iteration: str) -> None:
    assert check(_with_lists(iteration), RULE) == []


@pytest.mark.parametrize("iteration", GROWING)
def test_a_list_that_has_another_length_each_time_is_reported(iteration: str) -> None:
    assert check(_with_lists(iteration), RULE)


GROWING = """
import sys
import tensorflow as tf
@tf.function
def step(x): return tf.reduce_sum(x)
def write(size):
    tokens = tf.zeros([1, size])
    for _ in range(60):
        step(tokens)
        tokens = tf.concat([tokens, {more}], axis={axis})
write(int(sys.argv[1]))
"""


@pytest.mark.parametrize(
    ("more", "axis", "reported"),
    [
        pytest.param("tf.ones([1, 1])", 1, 1, id="by one at each iteration"),
        pytest.param("tf.ones([1, 0])", 1, 0, id="by nothing"),
        pytest.param("tf.ones([1, 1])[:, :0]", 1, 0, id="by an empty part"),
        pytest.param("read()", 1, 0, id="an unknown cause"),
    ],
)
def test_what_grows_from_an_unknown_size(more: str, axis: int, reported: int) -> None:
    assert len(check(GROWING.format(more=more, axis=axis), RULE)) == reported
