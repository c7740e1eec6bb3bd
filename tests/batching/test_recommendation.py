"""The recommendation follows the measured costs."""

import pytest

from graphdoctor.batching import (
    BatchingError,
    Buckets,
    Costs,
    Fixed,
    SortedPools,
    measure_costs,
    recommend,
)
from graphdoctor.batching.recommendation import estimate_unplanned

LENGTHS = [100 + (index * 37) % 700 for index in range(2000)]
CHEAP_TRACE = Costs(per_trace=1.0, per_unit=1e-4, per_step=0.01, per_compilation=2.0)


def test_without_xla_sorted_pools_win():
    found = recommend(LENGTHS, CHEAP_TRACE, batch_size=16, epochs=20)

    assert isinstance(found.strategy, SortedPools)
    assert [estimate.name for estimate in found.estimates] == ["sorted_pools", "buckets", "fixed"]


def test_with_xla_buckets_win_because_every_shape_is_compiled():
    found = recommend(LENGTHS, CHEAP_TRACE, batch_size=16, epochs=20, xla=True)

    assert isinstance(found.strategy, Buckets)
    pools = next(estimate for estimate in found.estimates if estimate.name == "sorted_pools")
    assert pools.compilations > 100


def test_with_dear_traces_and_one_epoch_one_fixed_shape_wins():
    dear = Costs(per_trace=300.0, per_unit=1e-4, per_compilation=300.0)

    found = recommend(LENGTHS, dear, batch_size=16, epochs=1, xla=True)

    assert found.strategy == Fixed((799,))


def test_static_shapes_rule_out_sorted_pools():
    found = recommend(LENGTHS, CHEAP_TRACE, batch_size=16, epochs=20, static=True)

    assert isinstance(found.strategy, Buckets)
    assert len(found.estimates) == 2


def test_slow_static_steps_count_against_buckets():
    slow = Costs(per_trace=1.0, per_unit=1e-4, static_slowdown=50.0)

    found = recommend(LENGTHS, slow, batch_size=16, epochs=20)

    assert found.estimates[1].seconds > 20 * found.estimates[0].seconds


def test_the_reason_holds_every_figure():
    found = recommend([10, 20], Costs(per_trace=1.0, per_unit=0.5), batch_size=1, epochs=1)

    assert found.reason == (
        "sorted_pools: 16 s, 1 trace, 0.0 % padding: one trace with `None` lengths serves every"
        " shape, and neighbours in length need little padding."
        " Instead buckets: 17 s, 2 traces, 0.0 % padding; fixed: 21 s, 1 trace, 25.0 % padding."
    )


def test_two_lengths_can_be_weighed_too():
    pairs = [(length // 5, length) for length in LENGTHS]

    found = recommend(pairs, CHEAP_TRACE, batch_size=16, epochs=5, max_buckets=3)

    assert isinstance(found.strategy, SortedPools)


def test_xla_without_a_measured_compilation_is_an_error():
    with pytest.raises(BatchingError, match="With `xla` the costs need `per_compilation`"):
        recommend([1, 2], Costs(per_trace=1.0, per_unit=1.0), batch_size=1, epochs=1, xla=True)


@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf")])
def test_costs_that_cannot_be_are_errors(value):
    with pytest.raises(BatchingError, match="`per_trace` must be zero or more seconds"):
        Costs(per_trace=value, per_unit=1.0)


def test_costs_are_measured_from_first_and_later_calls():
    now = 0.0
    seen = set()

    def step(length):
        nonlocal now
        now += 0.5 + 0.25 * length + (0 if length in seen else 3.0)
        seen.add(length)

    costs = measure_costs(step, int, short=2, long=10, batch_size=1, clock=lambda: now)

    assert costs == Costs(per_trace=3.0, per_unit=0.25, per_step=0.5)


def test_measuring_needs_two_lengths():
    with pytest.raises(BatchingError, match="`short` must be below `long`, got 5 and 5"):
        measure_costs(print, int, short=5, long=5, batch_size=1)


def test_batches_as_they_come_pay_a_trace_for_every_shape():
    found = estimate_unplanned(LENGTHS, CHEAP_TRACE, batch_size=16)

    assert 20 < found.traces <= 125
    assert found.seconds > found.traces * CHEAP_TRACE.per_trace
    assert found.compilations == 0


def test_behind_one_trace_they_still_pay_a_compilation_for_every_shape():
    found = estimate_unplanned(LENGTHS, CHEAP_TRACE, batch_size=16, xla=True, traced=False)

    assert found.traces == 1
    assert found.compilations > 20
