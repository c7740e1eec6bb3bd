"""GD601: must not fire, must fire."""

import re
from inspect import cleandoc

import pytest
from tests.checking import check

from graphdoctor.config import Config
from graphdoctor.fixing import fix_text
from graphdoctor.rules.shapes.unknown_size_as_number import UnknownSizeAsNumber

RULE = "GD601"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None, 3])])
            def f(x): return tf.zeros([x.shape[1]])
            """,
            id="a known axis",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None, 3])])
            def f(x): return tf.zeros([tf.shape(x)[0]])
            """,
            id="tf.shape",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return tf.zeros([x.shape[0]])
            """,
            id="no signature",
        ),
        pytest.param(
            """
            def load(path):
                image = tf.io.decode_png(tf.io.read_file(path), channels=3)
                small = tf.image.resize(image, [8, 8])
                part = tf.image.random_crop(image, [4, 4, 3])
                image.set_shape([16, 16, 3])
                return tf.zeros([small.shape[0], part.shape[1], image.shape[0], image.shape[2]])
            data = tf.data.Dataset.list_files("*.png").map(load)
            """,
            id="pictures that have a size again",
        ),
        pytest.param(
            """
            image = tf.io.decode_png(tf.io.read_file("a.png"))
            print(tf.zeros([image.shape[0]]))
            """,
            id="a picture that is read eagerly",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None, 6])])
            def f(x):
                left, right = tf.split(x, 2, axis=1)
                rows = tf.reshape(left, [-1, 3])
                return tf.zeros([left.shape[1], rows.shape[1]])
            """,
            id="the sizes that are known of what is split and reshaped",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([12, 6])])
            def f(x):
                rows = tf.reshape(x, [-1, 3])
                return tf.zeros([rows.shape[0], tf.range(1, tf.shape(x)[0]).shape[0]])
            """,
            id="sizes that TensorFlow works out",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x):
                if x.shape[0] is None:
                    return x
                return x
            """,
            id="only looked at",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x):
                x = tf.ones([3])
                return tf.zeros([x.shape[0]])
            """,
            id="another tensor by then",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x):
                size = x.shape[0]
                if size is None:
                    size = tf.shape(x)[0]
                return tf.zeros([size])
            """,
            id="a name, asked whether it is None",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x):
                size = x.shape[0]
                return tf.zeros([size or 3])
            """,
            id="a name with a default",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x):
                size = x.shape[0]
                size = tf.shape(x)[0]
                return tf.zeros([size])
            """,
            id="a name that is something else by then",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x):
                size = x.shape[0]
                return tf.ensure_shape(x, [size]), "%s rows" % size, "%s" % x.shape[0]
            """,
            id="None is allowed there",
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
            @tf.function(input_signature=[tf.TensorSpec([None, 3])])
            def f(x): return tf.zeros([x.shape[0]])
            """,
            id="new shape",
        ),
        pytest.param(
            """
            def load(path):
                image = tf.image.decode_jpeg(tf.io.read_file(path), channels=3)
                return tf.zeros([image.shape[0]])
            data = tf.data.Dataset.list_files("*.jpg").map(load)
            """,
            id="a picture",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None, 6])])
            def f(x):
                left, right = tf.split(x, 2, axis=-1)
                return tf.zeros([left.shape[0]])
            """,
            id="a part of what is split",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None, 6])])
            def f(x):
                rows = tf.reshape(x, [tf.shape(x)[0], -1, 3])
                return tf.zeros([rows.shape[0]])
            """,
            id="what is reshaped to a size of the graph",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec(shape=[None])])
            def f(x):
                for i in range(x.shape[0]):
                    pass
                return x
            """,
            id="range",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def f(x): return x / x.shape[0]
            """,
            id="arithmetic",
        ),
        pytest.param(
            """
            @tf.function(input_signature=[tf.TensorSpec([None, 3])])
            def f(x):
                size = x.shape[0]
                print(size)
                return tf.zeros([size, 3]) + tf.ones([2 * size, 3])
            """,
            id="by a name",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


def test_a_shape_that_is_taken_apart() -> None:
    text = HEAD + cleandoc(
        """
        @tf.function(input_signature=[tf.TensorSpec([None, 3])])
        def f(x):
            rows, columns = x.shape
            return tf.zeros([rows, columns])
        """
    )
    (finding,) = check(text, RULE)
    assert finding.message == "`x.shape[0]` is None: axis 0 of `x` is unknown while tracing"
    fixed, _ = fix_text("example.py", text + "\n", Config(select=(RULE,)), unsafe=True)
    again = "rows, columns = x.shape\n    rows = tf.shape(x)[0]\n"
    assert fixed == text.replace("rows, columns = x.shape\n", again) + "\n"
    assert check(fixed, RULE) == []


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("Failed to convert elements of (-1, None, 2, 8) to Tensor. Consider casting", True),
        ("Failed to convert elements of [None] to Tensor. Consider casting", True),
        ("Failed to convert elements of [None, None, 3] to Tensor. Consider casting", True),
        ("Failed to convert elements of ['a', None] to Tensor. Consider casting", False),
        ("Failed to convert elements of (2, 8) to Tensor. Consider casting", False),
        ("Failed to convert elements of [1.5, None] to Tensor. Consider casting", False),
    ],
)
def test_what_tensorflow_says_of_it(text: str, size: bool) -> None:
    assert any(re.search(each.pattern, text) for each in UnknownSizeAsNumber.failures) is size


def test_the_axis_of_a_part_of_a_shape_is_that_of_the_tensor() -> None:
    text = HEAD + cleandoc(
        """
        @tf.function(input_signature=[tf.TensorSpec([4, 2, None])])
        def f(x):
            height, width = x.shape[1:]
            return tf.zeros([height, width])
        """
    )
    (finding,) = check(text, RULE)
    assert finding.message == "`x.shape[2]` is None: axis 2 of `x` is unknown while tracing"


SIGNED = "import math\nimport numpy as np\n@tf.function(input_signature=[tf.TensorSpec([None, 3])])\n"
OUTSIDE = (
    "np.arange(x.shape[0])",
    "np.zeros((x.shape[0], 3))",
    "np.ones(x.shape[0])",
    "np.linspace(0.0, 1.0, x.shape[0])",
    "np.tile([1.0], [x.shape[0], 1])",
    "np.sqrt(x.shape[0])",
    "math.sqrt(x.shape[0])",
)
TAKEN = (
    "np.arange(x.shape[1])",
    "np.arange(0, x.shape[0])",  # run: it is the default there
    "np.zeros(x.shape[1:])",
    "np.array([x.shape[0], 3])",
    "np.sum([1.0], axis=x.shape[0])",
)


@pytest.mark.parametrize("expression", TAKEN)
def test_none_that_numpy_takes(expression: str) -> None:
    assert check(f"{HEAD}{SIGNED}def f(x): return {expression}", RULE) == []


@pytest.mark.parametrize("expression", OUTSIDE)
def test_sizes_for_numpy_and_python_have_no_edit(expression: str) -> None:
    (found,) = check(f"{HEAD}{SIGNED}def f(x): return {expression}", RULE)
    assert found.fix is not None
    assert found.fix.edits == ()
