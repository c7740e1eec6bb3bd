"""Lists whose elements differ in size: each program was run on 2.21, and its traces were counted."""

import inspect

import pytest
from tests.checking import check

HEAD = """
import numpy as np
import tensorflow as tf
rng = np.random.default_rng(0)
@tf.function
def f(x): return tf.reduce_sum(x)
def wave(label):
    count = int(400 * rng.uniform(0.5, 1.5))
    return np.ones(count, "float32")
waves = [wave(label) for label in range(48)]
pairs = [(wave(label), label) for label in range(48)]
sentences = [[rng.random() for _ in range(int(rng.integers(3, 30)))] for _ in range(400)]
"""
EIGHT = """
for start in range(0, 400, 8):
    batch = sentences[start : start + 8]
    longest = max(len(each) for each in batch)
    f({given})
"""
FIXED = (
    "tf.constant(tf.keras.utils.pad_sequences(batch, maxlen=20))",
    "tf.constant([each + [0.0] * (30 - len(each)) for each in batch])",
    "tf.constant([(each + [0.0] * 20)[:20] for each in batch])",
    "tf.constant([len(each) for each in batch])",
    "tf.zeros([8, (longest + 31) // 32 * 32])",
    "tf.zeros([8, next(width for width in (8, 16, 32) if width >= longest)])",
)
PADDED = (
    "tf.constant(tf.keras.utils.pad_sequences(batch))",
    "tf.zeros([8, longest])",
    "tf.zeros([8, max(map(len, batch))])",
)
ONE_SIZE = {
    "all are alike": """
        rows = [np.ones(400, "float32") for _ in range(48)]
        for i in range(48): f(tf.constant(rows[i]))
        """,
    "the same one each time": """
        for i in range(48): f(tf.constant(waves[3]))
        """,
    "one of a few": """
        for i in range(48): f(tf.constant(waves[i % 2]))
        """,
    "as long as the longest of all": """
        longest = max(len(each) for each in waves)
        for i in range(48): f(tf.zeros([4, longest]) + tf.reduce_sum(waves[i]))
        """,
    "the longest of all, asked for each time": """
        for i in range(48): f(tf.zeros([4, max(len(each) for each in waves)]))
        """,
    "so many of each": """
        for i in range(48): f(tf.constant(waves[i][:100]))
        """,
    "alike in the list, whatever lists there were before": """
        for count in range(100, 148):
            rows = [np.ones(count, "float32") for _ in range(48)]
        for i in range(48): f(tf.constant(rows[i]))
        """,
    "the first ones of the list": """
        for i in range(48):
            batch = waves[:4]
            f(tf.zeros([4, max(len(each) for each in batch)]))
        """,
    "a signature that says so": """
        g = tf.function(lambda x: x, input_signature=[tf.TensorSpec([None])])
        for i in range(48): g(tf.constant(waves[i]))
        """,
}
OTHER_SIZES = {
    "by its number": """
        for i in range(48): f(tf.constant(waves[i]))
        """,
    "in any order": """
        for i in rng.permutation(48): f(tf.constant(waves[i]))
        """,
    "a part of a pair": """
        for i in range(48):
            given, label = pairs[i]
            f(tf.constant(given))
        """,
    "tensors": """
        tensors = [tf.constant(each) for each in waves]
        for i in range(48): f(tensors[i])
        """,
    "as long as the longest of some": """
        for start in range(0, 48, 4):
            batch = waves[start : start + 4]
            f(tf.zeros([4, max(each.shape[0] for each in batch)]))
        """,
    "as long as the longest of some, in any order": """
        order = rng.permutation(48)
        for start in range(0, 48, 4):
            batch = [pairs[i] for i in order[start : start + 4]]
            longest = max(len(each) for each, _ in batch)
            f(tf.constant(np.zeros((4, longest), "float32")))
        """,
}


@pytest.mark.parametrize("program", ONE_SIZE.values(), ids=ONE_SIZE)
def test_elements_of_one_size(program: str) -> None:
    assert not check(HEAD + inspect.cleandoc(program), "GD103")


@pytest.mark.parametrize("program", OTHER_SIZES.values(), ids=OTHER_SIZES)
def test_elements_of_other_sizes(program: str) -> None:
    assert [found.rule for found in check(HEAD + inspect.cleandoc(program), "GD103")] == ["GD103"]


@pytest.mark.parametrize("given", FIXED)
def test_lists_that_are_brought_to_one_length(given: str) -> None:
    assert not check(HEAD + EIGHT.format(given=given), "GD103")


@pytest.mark.parametrize("given", PADDED)
def test_lists_that_are_as_long_as_the_longest_of_some(given: str) -> None:
    assert [found.rule for found in check(HEAD + EIGHT.format(given=given), "GD103")] == ["GD103"]
