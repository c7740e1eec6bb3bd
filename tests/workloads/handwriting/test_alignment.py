"""The measure of alignment, on attention written by hand."""

import numpy as np
import pytest

from workloads.handwriting.alignment import aligned_points, looked_at

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]
TEXT = np.array([[5, 6, 7, 1, 0, 0]], np.int32)


def attention(*places):
    return np.eye(6, dtype=np.float32)[np.array([places])]


def test_the_most_read_character_counts_and_padding_does_not():
    weight = attention(0, 2, 5)
    weight[0, 2, 1] = 0.5
    assert looked_at(weight, TEXT).numpy().tolist() == [[0, 2, 1]]


@pytest.mark.parametrize(("tolerance", "aligned"), [(0, 1), (1, 2), (2, 3)])
def test_points_within_the_tolerance_are_aligned(tolerance, aligned):
    truth = np.array([[0, 1, 3, -1]], np.int32)
    counts = aligned_points(attention(0, 0, 1, 2), TEXT, truth, tolerance)
    assert [float(count) for count in counts] == [aligned, 3]
