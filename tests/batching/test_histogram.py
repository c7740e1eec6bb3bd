"""Lengths are counted in bounded memory, and never understated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphdoctor.batching import BatchingError, LengthHistogram, plan_buckets

LENGTHS = st.lists(st.integers(1, 5000), min_size=1, max_size=200)


@given(LENGTHS, st.integers(1, 20))
def test_memory_is_bounded_and_counts_are_kept(lengths, max_bins):
    histogram = LengthHistogram(max_bins=max_bins).update(lengths)

    assert len(histogram) <= max_bins
    assert histogram.total == len(lengths) == sum(count for _, count in histogram)
    assert histogram.maxima == (max(lengths),)
    assert histogram.sums == (sum(lengths),)


@given(LENGTHS, st.integers(1, 20))
def test_a_coarse_bin_never_understates_a_length(lengths, max_bins):
    histogram = LengthHistogram(max_bins=max_bins).update(lengths)

    ends = sorted(end for (end,), count in histogram for _ in range(count))
    assert all(end >= length for end, length in zip(ends, sorted(lengths), strict=True))
    assert all(end < length + histogram.quantum for end, length in zip(ends, sorted(lengths), strict=True))


@given(LENGTHS, LENGTHS)
def test_merged_halves_equal_the_whole(left, right):
    halves = LengthHistogram(max_bins=8).update(left)
    halves.merge(LengthHistogram(max_bins=8).update(right))
    whole = LengthHistogram(max_bins=8).update(left + right)

    assert halves.total == whole.total
    assert halves.maxima == whole.maxima
    assert halves.sums == whole.sums


def test_half_a_million_streamed_lengths_fit_into_1024_bins():
    lengths = (1 + (index * 7919) % 300_000 for index in range(500_000))

    histogram = LengthHistogram(max_bins=1024).update(lengths)

    assert len(histogram) <= 1024
    assert plan_buckets(histogram, buckets=4).quantum == histogram.quantum == 512


def test_pairs_keep_both_lengths():
    histogram = LengthHistogram(axes=2).update([(3, 30), (3, 30), (5, 20)])

    assert histogram.items() == [((3, 30), 2), ((5, 20), 1)]
    assert histogram.maxima == (5, 30)


def test_histograms_of_other_axes_do_not_merge():
    with pytest.raises(BatchingError, match="Cannot merge 2 axes into 1"):
        LengthHistogram().merge(LengthHistogram(axes=2))
