"""Lines → batches: splits, measures, and what batching does to the lines."""

import numpy as np
import pytest
import tensorflow as tf

from workloads.handwriting import data
from workloads.handwriting.alphabet import decode
from workloads.handwriting.hershey import STYLES

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]


@pytest.fixture(scope="module")
def lines():
    return data.make_lines(30, seed=1, longest=8)


def test_lines_are_the_same_for_the_same_seed(lines):
    again = data.make_lines(30, seed=1, longest=8)
    assert [line.text for line in again] == [line.text for line in lines]
    np.testing.assert_array_equal(again[7].points, lines[7].points)
    assert {line.style for line in lines} == set(STYLES)


def test_excluded_texts_do_not_occur(lines):
    texts = frozenset(line.text for line in lines)
    others = data.make_lines(30, seed=1, longest=8, without=texts)
    assert not texts & {line.text for line in others}


def test_no_text_is_on_both_sides_of_a_split(lines):
    doubled = [*lines, *lines]
    training, held_out = data.split(doubled, 5, seed=0)
    assert len(training) + len(held_out) == 60
    assert not {line.text for line in training} & {line.text for line in held_out}
    assert len({line.text for line in held_out}) == 5


def test_split_needs_something_on_both_sides(lines):
    with pytest.raises(data.DataError, match=r"^expected to hold out 1 to 2 of the texts, got 9$"):
        data.split(lines[:3], 9, seed=0)


def test_measures_are_those_of_the_lines(lines):
    measured = data.measure([*lines, lines[0]._replace(style="a form of IAM-OnDB")])
    assert measured.styles == tuple(STYLES)
    measured = data.measure(lines)
    offsets = np.concatenate([line.points[:, :2] for line in lines])
    assert measured.scale == pytest.approx(offsets.std())
    characters = sum(len(line.text) + 1 for line in lines)
    assert measured.points_per_character == pytest.approx(len(offsets) / characters)


@pytest.mark.parametrize("seed", [None, 3])
def test_batches_hold_every_line_once_and_unchanged(lines, seed):
    scale = data.measure(lines).scale
    seen = {}
    shapes = set()
    for batch in data.make_batches(lines, scale, batch_size=4, buckets=3, seed=seed):
        shapes.add(batch["points"].shape[1])
        for row in range(4):
            length = int(tf.math.count_nonzero(batch["points_mask"][row]))
            if length:
                text = decode(batch["text"][row].numpy())
                seen[text] = (batch["points"][row, :length], batch["characters"][row, :length])
                assert not batch["points"][row, length:].numpy().any()
                assert (batch["characters"][row, length:].numpy() == -1).all()
    assert len(shapes) <= 3
    assert seen.keys() == {line.text for line in lines}
    line = lines[4]
    points, characters = seen[line.text]
    np.testing.assert_allclose(points * [scale, scale, 1], line.points, atol=1e-4)
    np.testing.assert_array_equal(characters, line.characters)


def test_targets_are_the_next_points(lines):
    batch = next(iter(data.make_batches(lines, 5.0, batch_size=4, buckets=1)))
    inputs, targets, mask = data.inputs_and_targets(batch)
    np.testing.assert_array_equal(inputs["points"][:, 1:], targets[:, :-1])
    assert mask.numpy().sum() == batch["points_mask"].numpy()[:, 1:].sum()


def test_lines_without_alignment_have_no_known_characters(lines):
    unknown = [line._replace(characters=None) for line in lines]
    batch = next(iter(data.make_batches(unknown, 5.0, batch_size=4, buckets=1)))
    assert (batch["characters"].numpy() == -1).all()
