"""Layouts and strategies refuse what cannot be, and planning needs no TensorFlow."""

import subprocess
import sys

import pytest

from graphdoctor import batching
from graphdoctor.batching import BatchingError, Buckets, Fixed, Layout, SortedPools


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Fixed((0, 5)), "`shape` must be a whole number of at least 1, got 0"),
        (lambda: Buckets(()), "`bounds` must hold at least one bucket"),
        (lambda: Buckets(((5,), (-1,))), "`bounds` must be a whole number of at least 1, got -1"),
        (lambda: SortedPools(0), "`pool_batches` must be a whole number of at least 1, got 0"),
        (lambda: SortedPools(limit=(0,)), "`limit` must be a whole number of at least 1, got 0"),
        (lambda: Layout(()), "`lengths` must name one or two features, got ()"),
        (
            lambda: Layout(("text",), follows={"energy": "mel"}),
            "`energy` follows 'mel', which is not in `lengths`",
        ),
    ],
)
def test_settings_that_cannot_be_are_errors(make, message):
    with pytest.raises(BatchingError) as caught:
        make()

    assert str(caught.value) == message


def test_planning_loads_neither_tensorflow_nor_numpy_nor_the_rest_of_graphdoctor():
    program = (
        "import sys; from graphdoctor import batching;"
        "batching.plan_buckets([3, 5, 9], buckets=2);"
        "loaded = {name for name in sys.modules if name.split('.')[0] in ('tensorflow', 'numpy')"
        " or name.startswith('graphdoctor.') and not name.startswith('graphdoctor.batching')};"
        "print(sorted(loaded - {'graphdoctor.version'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_every_public_name_is_there():
    for name in set(batching.__all__) - batching._NEED_TENSORFLOW:
        assert getattr(batching, name) is not None


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'plan_bucket'"):
        _ = batching.plan_bucket
