"""The plan is the best there is for one length, and near it for two."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphdoctor.batching import BatchingError, LengthHistogram, plan_buckets
from graphdoctor.batching.plan import fits

LENGTHS = st.lists(st.integers(1, 40), min_size=1, max_size=30)
PAIRS = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=1, max_size=12)


def padded(lengths, bounds, work=sum):
    return sum(min(work(b) for b in bounds if fits(length, b)) for length in lengths)


def brute_force_line(lengths, buckets):
    distinct = sorted(set(lengths))
    longest = distinct[-1]
    return min(
        sum(min(end for end in (*ends, longest) if end >= length) for length in lengths)
        for ends in combinations(distinct[:-1], buckets - 1)
    )


def brute_force_grid(pairs, buckets):
    texts, mels = ({pair[axis] for pair in pairs} for axis in (0, 1))
    boxes = [(text, mel) for text in texts for mel in mels]
    best = float("inf")
    for count in range(1, buckets + 1):
        for chosen in combinations(boxes, count):
            if all(any(fits(pair, box) for box in chosen) for pair in pairs):
                best = min(best, padded(pairs, chosen))
    return best


@given(LENGTHS, st.integers(1, 5))
def test_one_length_equals_brute_force(lengths, buckets):
    buckets = min(buckets, len(set(lengths)))

    plan = plan_buckets(lengths, buckets=buckets)

    assert plan.padded_work == brute_force_line(lengths, buckets)
    assert plan.padded_work == padded([(length,) for length in lengths], plan.bounds)
    assert len(plan.buckets) == buckets
    assert plan.examples == len(lengths)


@given(LENGTHS, st.integers(1, 50), st.floats(0, 20))
def test_the_number_of_buckets_is_the_cheapest(lengths, epochs, cost_per_trace):
    plan = plan_buckets(lengths, epochs=epochs, cost_per_trace=cost_per_trace, batch_size=4)

    mean_step = 4 * sum(lengths) / len(lengths)
    costs = [
        epochs * brute_force_line(lengths, count) / mean_step + count * cost_per_trace
        for count in range(1, min(16, len(set(lengths))) + 1)
        if count <= 4
    ]
    assert plan.cost <= min(costs) * (1 + 1e-12)


@given(LENGTHS, st.integers(1, 5))
def test_work_that_is_not_linear_still_equals_brute_force(lengths, buckets):
    buckets = min(buckets, len(set(lengths)))
    squares = [length**2 for length in lengths]

    plan = plan_buckets(lengths, buckets=buckets, work=lambda length: length**2)

    assert plan.padded_work == brute_force_line(squares, buckets)


@given(LENGTHS, st.integers(1, 9))
def test_bounds_are_multiples_and_hold_every_example(lengths, multiple):
    plan = plan_buckets(lengths, multiple_of=multiple)

    assert all(bound[0] % multiple == 0 for bound in plan.bounds)
    assert all(plan.bounds[plan.bucket_of(length)][0] >= length for length in lengths)


@settings(max_examples=40, deadline=None)
@given(PAIRS, st.integers(1, 3))
def test_two_lengths_stay_near_brute_force(pairs, buckets):
    buckets = min(buckets, len(set(pairs)))

    plan = plan_buckets(pairs, buckets=buckets)

    best = brute_force_grid(pairs, buckets)
    assert plan.method == "heuristic"
    assert best <= plan.padded_work <= 1.25 * best
    assert plan.padded_work == padded(pairs, plan.bounds)
    assert plan.examples == len(pairs)


def test_few_epochs_want_few_buckets_and_many_want_many():
    lengths = list(range(100, 900))

    assert len(plan_buckets(lengths, epochs=1, cost_per_trace=60).buckets) == 1
    assert len(plan_buckets(lengths, epochs=100, cost_per_trace=60).buckets) == 6


def test_rows_that_fill_the_last_batches_count_against_buckets():
    lengths = [10, 20, 30, 40]

    without = plan_buckets(lengths, batch_size=32, cost_per_trace=0)
    counted = plan_buckets(lengths, batch_size=32, cost_per_trace=0, partial_batches=True)

    assert (len(without.buckets), len(counted.buckets)) == (4, 1)


def test_a_streamed_histogram_gives_the_same_plan_as_the_list():
    lengths = [3, 5, 5, 9, 12, 12, 12, 40]

    streamed = LengthHistogram().update(iter(lengths))

    assert plan_buckets(streamed, buckets=3) == plan_buckets(lengths, buckets=3)


def test_numpy_rows_are_lengths_too():
    import numpy

    pairs = numpy.array([[3, 30], [4, 41], [9, 80]])

    assert plan_buckets(pairs, buckets=2).bounds == ((4, 41), (9, 80))
    assert plan_buckets(pairs[:, 1], buckets=2).bounds == ((41,), (80,))


@pytest.mark.parametrize(
    ("policy", "bounds", "examples"),
    [("drop", ((10,),), 2), ("cut", ((10,),), 3), ("extend", ((25,),), 3)],
)
def test_overlong_examples_meet_the_policy_and_are_reported(policy, bounds, examples):
    plan = plan_buckets([8, 10, 25], limit=10, overlong=policy, buckets=1)

    assert plan.bounds == bounds
    assert plan.examples == examples
    assert plan.overlong.examples == 1
    assert plan.overlong.longest == (25,)


def test_a_limit_also_holds_for_rounded_bounds():
    plan = plan_buckets([8, 10, 25], limit=10, overlong="drop", buckets=1, multiple_of=8)

    assert plan.bounds == ((10,),)


def test_the_overlong_sentence_names_number_share_limit_and_outcome():
    plan = plan_buckets([(3, 8), (3, 10), (2, 25)], limit=(5, 10), overlong="drop", buckets=1)

    assert plan.overlong.sentence(3) == (
        "1 of 3 examples (33.3 %) exceed 5 x 10 (longest 2 x 25) and are dropped"
    )


@pytest.mark.parametrize(
    ("lengths", "options", "message"),
    [
        ([], {}, "There are no lengths: expected at least one example"),
        ([3, 0], {}, "A length must be at least 1, got 0: leave out empty examples"),
        ([3, -2], {}, "A length must be at least 1, got -2: leave out empty examples"),
        ([3, 2.5], {}, "A length must be a whole number, got 2.5"),
        ([(3, 4), (3,)], {}, "Expected 2 lengths per example, got (3,)"),
        ([(1, 2, 3)], {}, "Expected one or two lengths per example, got 3"),
        (
            [3, 3, 4],
            {"buckets": 3},
            "3 buckets were asked for, but there are only 2 distinct lengths",
        ),
        ([3], {"buckets": 0}, "`buckets` must be a whole number of at least 1, got 0"),
        ([3], {"epochs": 0}, "`epochs` must be a whole number of at least 1, got 0"),
        ([3], {"batch_size": -1}, "`batch_size` must be a whole number of at least 1, got -1"),
        ([3], {"cost_per_trace": -1.0}, "`cost_per_trace` must be zero or more, got -1.0"),
        ([3], {"overlong": "hide"}, "`overlong` must be error, drop, cut or extend, got 'hide'"),
        ([3], {"limit": (2, 3)}, "`limit` must have 1 lengths, got (2, 3)"),
        ([3], {"limit": 2, "overlong": "drop"}, "All 1 examples exceed 2"),
        (
            [3, 9],
            {"limit": 4},
            "1 of 2 examples (50.0 %) exceed 4 (longest 9) and are refused:"
            " raise the limit, or choose drop, cut or extend",
        ),
        ([3, 4], {"work": lambda length: -length}, "`work` must not fall when a length grows"),
    ],
)
def test_bad_input_is_reported_in_one_sentence(lengths, options, message):
    with pytest.raises(BatchingError) as caught:
        plan_buckets(lengths, **options)

    assert str(caught.value) == message


def test_one_example_is_one_bucket_without_waste():
    plan = plan_buckets([17])

    assert plan.bounds == ((17,),)
    assert plan.waste == 0


def test_a_length_beyond_every_bucket_is_an_error():
    with pytest.raises(BatchingError, match="No bucket holds 18: the largest is"):
        plan_buckets([17]).bucket_of(18)
