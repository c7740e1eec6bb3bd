"""Pipelines keep their promises: shapes, masks, order, and nothing lost in silence."""

import numpy
import pytest

from graphdoctor import batching
from graphdoctor.batching import BatchingError, Buckets, Fixed, Layout, OverlongWarning, SortedPools

pytestmark = pytest.mark.tensorflow

LAYOUT = Layout(("text", "mel"), follows={"durations": "text"}, padding={"mel": -4.0})
SHAPES = [(3, 12), (5, 20), (2, 9), (7, 31), (4, 15), (6, 24), (1, 5), (5, 19), (3, 14), (7, 30)]
STRATEGIES = [
    Fixed((7, 31)),
    Buckets(((4, 15), (7, 31))),
    SortedPools(pool_batches=2),
    SortedPools(pool_batches=2, multiple_of=4),
]


def example(number, text, mel):
    return {
        "text": numpy.full(text, number + 1, numpy.int32),
        "durations": numpy.full(text, number + 1, numpy.int32),
        "mel": numpy.full((mel, 2), number + 1, numpy.float32),
        "number": number,
    }


def examples(seed=None):
    rows = [example(number, *shape) for number, shape in enumerate(SHAPES)]
    return batching.Examples(rows, LAYOUT, seed=seed)


def streamed(tensorflow):
    rows = [example(number, *shape) for number, shape in enumerate(SHAPES)]
    spec = {
        "text": tensorflow.TensorSpec([None], tensorflow.int32),
        "durations": tensorflow.TensorSpec([None], tensorflow.int32),
        "mel": tensorflow.TensorSpec([None, 2], tensorflow.float32),
        "number": tensorflow.TensorSpec([], tensorflow.int32),
    }
    return tensorflow.data.Dataset.from_generator(lambda: iter(rows), output_signature=spec)


@pytest.fixture(scope="module")
def tensorflow():
    import tensorflow

    return tensorflow


@pytest.mark.parametrize("strategy", STRATEGIES, ids=str)
def test_every_example_comes_whole_once_an_epoch_with_masks(strategy):
    dataset = batching.make_dataset(examples(seed=1), strategy, batch_size=4, remainder="fill", epochs=2)

    seen = []
    for batch in dataset.as_numpy_iterator():
        rows = batch["row_mask"]
        assert (batch["text_length"][~rows] == 0).all()
        assert (batch["mel_mask"].sum(1) == batch["mel_length"]).all()
        assert (batch["text_mask"].sum(1) == batch["text_length"]).all()
        assert (batch["mel"][~batch["mel_mask"] & rows[:, None]] == -4.0).all()
        assert (batch["text"] == batch["durations"]).all()
        for row in numpy.flatnonzero(rows):
            number = int(batch["number"][row])
            assert (batch["mel"][row][batch["mel_mask"][row]] == number + 1).all()
            assert (batch["text_length"][row], batch["mel_length"][row]) == SHAPES[number]
            seen.append(number)
    assert sorted(seen) == sorted(list(range(len(SHAPES))) * 2)


def test_fixed_is_fully_static():
    dataset = batching.make_dataset(examples(), Fixed((8, 32)), batch_size=4)

    (spec,) = batching.signature(dataset)
    assert {name: tuple(one.shape) for name, one in spec.items()} == {
        "text": (4, 8),
        "durations": (4, 8),
        "mel": (4, 32, 2),
        "number": (4,),
        "text_length": (4,),
        "mel_length": (4,),
        "text_mask": (4, 8),
        "mel_mask": (4, 32),
    }


@pytest.mark.parametrize("strategy", STRATEGIES[1:], ids=str)
def test_other_strategies_have_a_static_batch_and_free_lengths(strategy):
    dataset = batching.make_dataset(examples(), strategy, batch_size=4, remainder="fill")

    (spec,) = batching.signature(dataset)
    assert tuple(spec["mel"].shape) == (4, None, 2)


def test_traces_equal_the_buckets_and_one_with_the_signature(tensorflow):
    strategy = Buckets(((4, 15), (7, 31)))
    dataset = batching.make_dataset(examples(seed=1), strategy, batch_size=2, remainder="fill", epochs=3)
    traced = []

    def step(batch):
        traced.append(batch["mel"].shape[1])
        return tensorflow.reduce_sum(batch["mel"])

    for compiled in (
        tensorflow.function(step),
        tensorflow.function(step, input_signature=batching.signature(dataset)),
    ):
        for batch in dataset:
            compiled(batch)

    assert sorted(traced[:-1]) == [15, 31]
    assert traced[-1] is None


def test_bucket_signatures_trace_ahead(tensorflow):
    strategy = Buckets(((4, 15), (7, 31)))
    dataset = batching.make_dataset(examples(), strategy, batch_size=2, remainder="fill")
    traced = []

    @tensorflow.function
    def step(batch):
        traced.append(tuple(batch["mel_mask"].shape))
        return tensorflow.reduce_sum(batch["mel"])

    for signature in batching.bucket_signatures(dataset, strategy, LAYOUT):
        step.get_concrete_function(*signature)
    for batch in dataset:
        step(batch)

    assert traced == [(2, 15), (2, 31)]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=str)
def test_the_order_is_a_function_of_the_seed_and_changes_each_epoch(strategy):
    def order(seed):
        dataset = batching.make_dataset(examples(seed), strategy, batch_size=4, remainder="fill", epochs=2)
        return [batch["number"].tolist() for batch in dataset.as_numpy_iterator()]

    once = order(5)
    assert once == order(5)
    assert once != order(6)
    assert once[: len(once) // 2] != once[len(once) // 2 :]


def test_sorted_pools_lose_whoever_came_last_not_the_longest():
    dataset = batching.make_dataset(examples(), SortedPools(pool_batches=8), batch_size=4)

    kept = [number for batch in dataset.as_numpy_iterator() for number in batch["number"]]

    assert sorted(kept) == list(range(8))


def test_a_stream_is_scanned_shuffled_and_batched(tensorflow):
    source = streamed(tensorflow)
    counted = batching.scan_lengths(source, LAYOUT)

    dataset = batching.make_dataset(
        source,
        Fixed((7, 31)),
        LAYOUT,
        batch_size=5,
        epochs=2,
        shuffle_buffer=10,
        seed=3,
        lengths=counted,
    )

    orders = [batch["number"].tolist() for batch in dataset.as_numpy_iterator()]
    assert counted.total == len(SHAPES)
    assert sorted(orders[0] + orders[1]) == list(range(10))
    assert orders[:2] != orders[2:]


@pytest.mark.parametrize(("policy", "rows"), [("drop", 8), ("cut", 10)])
def test_overlong_examples_are_reported(policy, rows):
    with pytest.warns(OverlongWarning) as caught:
        dataset = batching.make_dataset(examples(), Fixed((7, 24)), batch_size=2, overlong=policy, epochs=1)

    fate = {"drop": "dropped", "cut": "cut"}[policy]
    assert str(caught[0].message) == (
        f"2 of 10 examples (20.0 %) exceed 7 x 24 (longest 7 x 31) and are {fate}"
    )
    lengths = [n for batch in dataset.as_numpy_iterator() for n in batch["mel_length"]]
    assert len(lengths) == rows
    assert max(lengths) == 24


def test_an_example_that_fits_one_of_two_long_boxes_is_not_cut():
    strategy = Buckets(((7, 15), (6, 31)))

    with pytest.warns(OverlongWarning, match="2 of 10 examples"):
        dataset = batching.make_dataset(examples(), strategy, batch_size=1, overlong="cut")

    shapes = {
        int(batch["number"][0]): (int(batch["text_length"][0]), int(batch["mel_length"][0]))
        for batch in dataset.as_numpy_iterator()
    }
    assert shapes == dict(enumerate(SHAPES)) | {3: (6, 31), 9: (6, 30)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch_size": 0}, "`batch_size` must be a whole number of at least 1, got 0"),
        (
            {"batch_size": 11},
            "A batch of 11 is larger than the 10 examples: nothing would be left;"
            " lower `batch_size` or use remainder='fill'",
        ),
        ({"remainder": "keep"}, "`remainder` must be drop or fill, got 'keep'"),
        (
            {"strategy": Fixed((7, 20))},
            "3 of 10 examples (30.0 %) exceed 7 x 20 (longest 7 x 31) and are refused:"
            " plan a longer bucket, or choose drop or cut",
        ),
        (
            {"strategy": Fixed((7, 12)), "overlong": "drop"},
            "7 of 10 examples (70.0 %) exceed 7 x 12 (longest 7 x 31) and are dropped,"
            " which leaves 3 for a batch of 4",
        ),
        ({"strategy": Fixed((40,))}, "The strategy has 1 lengths, the examples 2"),
    ],
)
def test_bad_input_is_reported_before_any_batch(options, message):
    settings = {"strategy": Fixed((7, 31)), "batch_size": 4} | options

    with pytest.raises(BatchingError) as caught:
        batching.make_dataset(examples(), **settings)

    assert str(caught.value) == message


def test_no_examples_are_an_error(tensorflow):
    with pytest.raises(BatchingError, match="There are no examples"):
        batching.Examples([], LAYOUT)
    with pytest.raises(BatchingError, match="The dataset is empty"):
        batching.make_dataset(streamed(tensorflow).take(0), Fixed((7, 31)), LAYOUT, batch_size=2)


def test_an_empty_example_is_an_error():
    with pytest.raises(BatchingError, match="A length must be at least 1, got 0"):
        batching.Examples([example(0, 0, 5)], LAYOUT)


def test_a_stream_needs_a_layout_that_it_has(tensorflow):
    source = streamed(tensorflow)
    with pytest.raises(BatchingError, match="needs a `layout`"):
        batching.make_dataset(source, Fixed((7, 31)), batch_size=2)
    with pytest.raises(BatchingError, match="must be dicts with 'audio'"):
        batching.make_dataset(source, Fixed((7,)), Layout(("audio",)), batch_size=2)
