"""Rows that are put into one array have one length; those of an array for each iteration have not."""

import pytest
from tests.checking import marked

ROWS = """
import tensorflow as tf
@tf.function
def step(a): return tf.reduce_sum(a)
rows = [[int(word) for word in line.split()] for line in open("rows.txt")]
data = tf.data.Dataset.from_tensor_slices
def short(limit):
    kept = []
    for row in rows:
        if len(row) < limit: kept.append(row)
    return kept
"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            "whole = tf.keras.preprocessing.sequence.pad_sequences(short(9), maxlen=9)\n"
            "for a in tf.data.Dataset.from_tensor_slices(whole).batch(4): step(a)",
            id="padded to a number",
        ),
        pytest.param(
            "whole = tf.keras.utils.pad_sequences(short(9))\n"
            "for i, (a, b) in enumerate(data((whole, whole)).batch(4)): step(a)",
            id="padded to the longest",
        ),
        pytest.param(
            "whole = tf.keras.utils.pad_sequences(short(9))\n"
            "for i in range(9): step(whole[i * 4 : i * 4 + 4])",
            id="parts of what was padded",
        ),
        pytest.param(
            "for i, a in enumerate(tf.data.Dataset.from_tensor_slices(short(9)).batch(4)): step(a)",
            id="rows that one tensor holds",
        ),
        pytest.param(
            "def part(k, n):\n  start = k * n\n  end = start + n\n"
            "  return tf.stack([tf.ones([3]) * i for i in range(start, end)])\n"
            "for k in range(9): step(part(k, 4))",
            id="as many rows from wherever one begins",
        ),
    ],
)
def test_rows_of_one_array_have_one_length(program: str) -> None:
    assert marked(ROWS + program, "GD103") == []


def test_rows_that_are_padded_at_each_iteration_have_another_length() -> None:
    program = (
        "for i in range(0, 99, 4):\n"
        "  part = [[1] * (i + k) for k in range(4)]\n"
        "  step(tf.constant(tf.keras.utils.pad_sequences(part)))"
    )
    assert marked(ROWS + program, "GD103") != []


def test_rows_from_one_place_to_another_that_moves() -> None:
    program = "for k in range(9): step(tf.stack([tf.ones([3]) * i for i in range(3, k + 4)]))"
    assert marked(ROWS + program, "GD103") != []


def test_a_tensor_with_other_values_at_some_places_keeps_its_shape() -> None:
    program = (
        "@tf.function(input_signature=[tf.TensorSpec([None, 16, 1])])\n"
        "def fill(x):\n"
        "  mask = tf.zeros((16, tf.shape(x)[0], 1))\n"
        "  body = lambda i, m: (i + 1, tf.tensor_scatter_nd_update(m, [[0, 0]], [[1.0]]))\n"
        "  return tf.while_loop(lambda i, m: i < 16, body, (0, mask))\n"
        "fill(tf.ones((2, 16, 1)))"
    )
    assert marked("import tensorflow as tf\n" + program, "GD3") == []
