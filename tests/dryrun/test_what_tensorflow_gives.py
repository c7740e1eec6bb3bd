"""Dtypes, shapes and gradients as TensorFlow 2.21 gives them: each program ran right, or raised."""

import inspect

import pytest
from tests.checking import check

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.model import Finding, Severity
from graphdoctor.source import parse_module

BRANCHES = """
import numpy as np
import tensorflow as tf
{before}
@tf.function
def f(flag, x):
    if flag: y = {one}
    else: y = {other}
    return y
f(tf.constant(True), {given})
"""
IMAGE = "tf.zeros([8, 8, 3], tf.uint8)"
WORDS, WIDE = "tf.constant(['a'])", "tf.constant([1], tf.int64)"
# what one branch gives, a value of the dtype that it has, a value of another, what x is
SAME_DTYPE = {
    "small whole numbers divided": ("x / 255", "tf.zeros([8, 8, 3])", "tf.zeros([8, 8, 3], tf.uint8)", IMAGE),
    "whole numbers divided": ("x / 2", "tf.zeros([2], tf.float64)", "tf.zeros([2])", "tf.constant([1, 2])"),
    "divided by a function": (
        "tf.divide(x, x)",
        "tf.zeros([2])",
        "tf.zeros([2], tf.float64)",
        "tf.ones([2], tf.int16)",
    ),
    "divided by what is unknown": (
        "x / read()",
        "tf.zeros([8, 8, 3])",
        "tf.zeros([8, 8, 3], tf.uint8)",
        IMAGE,
    ),
    "resized to the nearest": ("tf.image.resize(x, [8, 8], 'nearest')", "x", "tf.zeros([8, 8, 3])", IMAGE),
    "resized": ("tf.image.resize(x, [8, 8])", "tf.zeros([8, 8, 3])", "x", IMAGE),
    "padded to the nearest": (
        "tf.image.resize_with_pad(x, 8, 8, method='nearest')",
        "x",
        "tf.zeros([8, 8, 3])",
        IMAGE,
    ),
    "a column of whole numbers": (
        "tf.io.decode_csv(x, [[0.0], [0]])[1]",
        "tf.constant(1)",
        "tf.constant(1.0)",
        "tf.constant('1,2')",
    ),
    "a column without a default": (
        "tf.io.decode_csv(x, [tf.string, 0])[0]",
        "x",
        "tf.constant(1)",
        "tf.constant('1,2')",
    ),
    "one hot of whole numbers": (
        "tf.one_hot(x, 2, on_value=1, off_value=0)",
        "tf.zeros([2], tf.int32)",
        "tf.zeros([2])",
        "tf.constant(1)",
    ),
    "one hot": ("tf.one_hot(x, 2)", "tf.zeros([2])", "tf.zeros([2], tf.int32)", "tf.constant(1)"),
    "a number of more than 32 bits": ("tf.constant(2 ** 40)", "x", "1", "tf.constant(5, tf.int64)"),
    "a text for each": ("tf.fill([2], 'a')", "tf.constant(['a', 'b'])", "x", "tf.ones([2])"),
    "texts of NumPy": ("tf.constant(texts)", "tf.constant(['a', 'b'])", "x", "tf.ones([2])"),
    "a picture of 16 bits": (
        "tf.io.decode_png(x, 1, dtype=tf.uint16)",
        "tf.zeros([2, 2, 1], tf.uint16)",
        "tf.zeros([2, 2, 1], tf.uint8)",
        "tf.io.encode_png(tf.zeros([2, 2, 1], tf.uint16))",
    ),
    "a product of another dtype": (
        "tf.linalg.matmul(x, x, output_type=tf.int32)",
        "tf.zeros([2, 2], tf.int32)",
        "x",
        "tf.ones([2, 2], tf.int8)",
    ),
    "drawn in another dtype": (
        "tf.random.gamma([3], 1.0, dtype=tf.float64)",
        "tf.zeros([3], tf.float64)",
        "tf.zeros([3])",
        "tf.ones([3])",
    ),
    "Python's own float": (
        "tf.cast(x, float)",
        "tf.zeros([2])",
        "tf.zeros([2], tf.float64)",
        "tf.constant([1, 2])",
    ),
    "NumPy's float": (
        "tf.constant(np.ones([2], float))",
        "tf.zeros([2], tf.float64)",
        "tf.zeros([2])",
        "tf.constant([1, 2])",
    ),
    "a table of Python's numbers": ("numbers.lookup(x)", "tf.constant([1])", WIDE, WORDS),
    "a table of an array": ("counted.lookup(x)", WIDE, "tf.constant([1])", WORDS),
    "a table with a dtype": ("typed.lookup(x)", WIDE, "tf.constant([1])", WORDS),
    "a table of a file": ("filed.lookup(x)", WIDE, "tf.constant([1])", WORDS),
    "a vocabulary": ("vocabulary.lookup(x)", WIDE, "tf.constant([1])", WORDS),
    "a table that changes": ("mutable.lookup(x)", "tf.constant([1.0])", "tf.constant([1])", WORDS),
}
BEFORE = """
from settings import read
texts = np.array(['a', 'b'])
Pairs = tf.lookup.KeyValueTensorInitializer
numbers = tf.lookup.StaticHashTable(Pairs(['a', 'b'], [1, 2]), -1)
counted = tf.lookup.StaticHashTable(Pairs(['a', 'b'], np.arange(2)), default_value=-1)
typed = tf.lookup.StaticHashTable(Pairs(['a', 'b'], [1, 2], value_dtype=tf.int64), -1)
filed = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer('v.txt', tf.string, 0, tf.int64, 1), -1)
vocabulary = tf.lookup.StaticVocabularyTable(Pairs(['a', 'b'], np.arange(2)), 1)
mutable = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, 0.0)
loaded = tf.lookup.StaticHashTable(Pairs(*read()), -1)
given = tf.lookup.StaticHashTable(Pairs(['a', 'b'], [1, 2], value_dtype=read()), -1)
"""


@pytest.mark.parametrize(("one", "same", "other", "given"), SAME_DTYPE.values(), ids=SAME_DTYPE)
def test_branches_differ_only_where_the_dtypes_do(one: str, same: str, other: str, given: str) -> None:
    def found(value: str) -> list[Finding]:
        return check(BRANCHES.format(before=BEFORE, one=one, other=value, given=given), "GD304")

    assert not found(same)
    assert found(other)


# What cannot be reported is not taken for what it usually is.
UNTOLD = {
    "a hint": ("tf.convert_to_tensor([1, 2], dtype_hint=tf.float32)", "tf.zeros([2])"),
    "a ragged constant": ("tf.reduce_max(ragged)", "tf.constant(0.0)"),
    "a method that is unknown": ("tf.image.resize(x, [8, 8], read())", "tf.zeros([8, 8, 3], tf.uint8)"),
    "a table of what is unknown": ("loaded.lookup(tf.constant(['a']))", WIDE),
    "a table with a dtype that is unknown": ("given.lookup(tf.constant(['a']))", WIDE),
    "a small number of NumPy's": ("tf.constant(np.sin(np.ones([2], 'int16')))", "tf.zeros([2])"),
}


@pytest.mark.parametrize(("one", "other"), UNTOLD.values(), ids=UNTOLD)
def test_what_is_unknown(one: str, other: str) -> None:
    before = f"{BEFORE}\nragged = tf.ragged.constant([[1.0, 2.0], [3.0]])"
    assert not check(BRANCHES.format(before=before, one=one, other=other, given=IMAGE), "GD304")


RIGHT = {
    "an ensured shape keeps what is known": """
        @tf.function
        def f(x):
            x = tf.ensure_shape(x, [None, 4])
            if x.shape[0] != 2: raise ValueError("two rows, please")
            return tf.reshape(x, [x.shape[0] * 4])
        f(tf.ones([2, 4]))
        """,
    "so does one that is set": """
        @tf.function
        def f(x):
            x.set_shape([None, 4])
            if x.shape[0] != 2: raise ValueError("two rows, please")
            return x
        f(tf.ones([2, 4]))
        """,
    "a rank that a graph does not know is None": """
        def load(x):
            y = tf.py_function(lambda a: a * 2.0, [x], tf.float32)
            if y.shape.rank is None: y.set_shape([3])
            return y, tf.ones([1])
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(tf.data.Dataset.from_tensor_slices(tf.ones([8, 3])).map(load).batch(4))
        """,
    "phase and imaginary part have gradients": """
        wave = tf.Variable(tf.random.normal([16]))
        with tf.GradientTape(persistent=True) as tape:
            spectrum = tf.signal.rfft(wave)
            phase = tf.reduce_sum(tf.math.angle(spectrum))
            odd = tf.reduce_sum(tf.math.imag(spectrum) ** 2)
        print(tape.gradient(phase, wave), tape.gradient(odd, wave))
        """,
    "zeta has one for its second argument": """
        q = tf.Variable([1.5, 2.5])
        with tf.GradientTape() as tape: y = tf.math.zeta(2.0, q)
        print(tape.gradient(y, q))
        """,
    "a divided picture can be a source": """
        x = tf.zeros([1, 8, 8, 3], tf.uint8) / 255
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x ** 2)
        print(tape.gradient(y, x))
        """,
    "so can one of NumPy's": """
        x = tf.Variable(np.zeros([1, 8, 8, 3], "uint8") / 255)
        with tf.GradientTape() as tape: y = tf.reduce_sum(x ** 2)
        print(tape.gradient(y, x))
        """,
    "a range of another dtype": """
        def halved(i):
            if i % 2 == 0: i = i // 2
            else: i = tf.constant(0)
            return i
        print(list(tf.data.Dataset.range(5, output_type=tf.int32).map(halved)))
        """,
}


def above_note(program: str) -> list[Finding]:
    text = "import numpy as np\nimport tensorflow as tf\n" + inspect.cleandoc(program) + "\n"
    found = check_module(parse_module("program.py", text), Config())
    return [each for each in found if each.is_shown]


@pytest.mark.parametrize("program", RIGHT.values(), ids=RIGHT)
def test_right_programs_are_left_alone(program: str) -> None:
    assert not above_note(program)


WRONG = {
    "an open size that is ensured to be open": (
        "GD601",
        """
        @tf.function(input_signature=[tf.TensorSpec([None, None])])
        def f(x):
            x = tf.ensure_shape(x, [None, 4])
            return tf.reshape(x, [x.shape[0] * 4])
        f(tf.ones([2, 4]))
        """,
    ),
    "a rank that is not looked at": (
        "GD607",
        """
        def load(x): return tf.py_function(lambda a: a * 2.0, [x], tf.float32), tf.ones([1])
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(tf.data.Dataset.from_tensor_slices(tf.ones([8, 3])).map(load).batch(4))
        """,
    ),
    "whole numbers as a source": (
        "GD505",
        """
        x = tf.Variable(np.zeros([1, 8, 8, 3], "uint8") // 255)
        with tf.GradientTape() as tape: y = tf.reduce_sum(x ** 2)
        print(tape.gradient(y, x))
        """,
    ),
    "rounding has no gradient": (
        "GD504",
        """
        x = tf.Variable([1.5])
        with tf.GradientTape() as tape: y = tf.reduce_sum(tf.floor(x))
        print(tape.gradient(y, x))
        """,
    ),
}


@pytest.mark.parametrize(("rule", "program"), WRONG.values(), ids=WRONG)
def test_wrong_programs_beside_them_are_found(rule: str, program: str) -> None:
    assert rule in {each.rule for each in above_note(program)}


OPEN = (
    "tf.boolean_mask(x, x > 0)",
    "x[:n]",
    "tf.zeros([n])",
    "tf.tile(x, [n])",
    "tf.reshape(x, [n, -1])",
    "tf.image.resize(tf.ones([4, 4, 3]), [n, n])",
    "tf.keras.ops.nonzero(x)[0]",
)
ASKED = """
import tensorflow as tf
@tf.function
def f(x, n):
    y = {made}
    if y.shape[0] is None: return tf.constant(1)
    return y.numpy()
f(tf.ones([4]), tf.constant(2))
"""


@pytest.mark.parametrize("made", OPEN)
def test_a_size_that_a_graph_does_not_know_may_be_none(made: str) -> None:
    assert not any(each.is_shown for each in check(ASKED.format(made=made), "GD801"))


@pytest.mark.parametrize("made", ["x + 1", "tf.zeros([3])", "tf.image.resize(tf.ones([4, 4, 3]), [2, 2])"])
def test_a_size_that_a_graph_knows_is_not_none(made: str) -> None:
    (finding,) = check(ASKED.format(made=made), "GD801")
    assert finding.severity is Severity.ERROR


SIZES = """
import numpy as np
import tensorflow as tf
@tf.function
def f(x): return tf.reduce_sum(tf.cast(x, tf.float32))
for k in range(1, 9):
    image = tf.ones([k, 2 * k, 3])
    f({given})
"""
FIXED = (
    "tf.constant(sum(np.ones([k, 4])))",
    "tf.constant(max(np.arange(k)))",
    "tf.constant(sum(np.ones(4) * j for j in range(k)))",
    "tf.image.resize(image, [4, 4])",
    "tf.image.resize(image, size=(4, 4), method='nearest')",
    "tf.image.resize_with_pad(image, 4, 4)",
    "tf.image.resize_with_crop_or_pad(image, 4, 4)",
    "tf.image.pad_to_bounding_box(image, 0, 0, 16, 16)",
    "tf.image.crop_to_bounding_box(image, 0, 0, 1, 1)",
    "tf.math.top_k(tf.ones([k + 4]), 3)[0]",
    "tf.random.categorical(tf.ones([1, k]), 4)",
    "tf.math.segment_sum(tf.ones([k]), tf.zeros([k], tf.int32))",
    "tf.keras.utils.to_categorical([k], num_classes=16)",
    "tf.reduce_mean(tf.abs(tf.signal.stft(tf.ones([400 * k]), 256, 128)), axis=0)",
    "tf.reduce_mean(tf.signal.frame(tf.ones([400 * k]), 256, 128), axis=0)",
    "tf.image.crop_and_resize(image[None], [[0.0, 0.0, 1.0, 1.0]], [0], [4, 4])",
)
VARYING = (
    "tf.constant(sum(np.ones(k) * j for j in (1, 2, 3)))",
    "tf.constant(sum([np.ones(k), np.ones(1)]))",
    "tf.ones([int(max(np.full(3, k)))])",
    "tf.abs(tf.signal.stft(tf.ones([400 * k]), 256, 128))",
    "tf.signal.frame(tf.ones([800]), 64 * k, 128, pad_end=True)",
    "tf.image.resize(image, [k, 4])",
    "tf.image.resize_with_pad(image, 4, k)",
    "tf.image.resize(tf.ones([k, 8, 8, 3]), [4, 4])",
    "tf.math.top_k(tf.ones([9]), k)[0]",
    "tf.random.categorical(tf.ones([k, 3]), 4)",
)


@pytest.mark.parametrize("given", FIXED)
def test_pictures_brought_to_one_size_have_it(given: str) -> None:
    assert not check(SIZES.format(given=given), "GD103")


@pytest.mark.parametrize("given", VARYING)
def test_pictures_brought_to_many_sizes_vary(given: str) -> None:
    assert check(SIZES.format(given=given), "GD103")
