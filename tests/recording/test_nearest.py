"""The closest earlier trace, and the shortcut that finds it."""

from hypothesis import given
from hypothesis import strategies as st
from tests.making import make_trace, tensor, thing, value

from graphdoctor.recording import Argument, Trace
from graphdoctor.recording.nearest import Nearest, _thorough_distance, closest, distance


def test_the_closest_earlier_trace_is_chosen_and_the_latest_among_equals() -> None:
    far = make_trace(value("k", 1), tensor("x", 3, dtype="int32"))
    near = make_trace(value("k", 2), tensor("x", 3))
    later = make_trace(value("k", 3), tensor("x", 3))
    found, differences = closest(make_trace(value("k", 4), tensor("x", 3)), [far, near, later])
    assert found is later
    assert [(d.argument, d.before, d.now) for d in differences] == [("k", "3", "4")]


def test_an_older_one_that_differs_more_finely_is_closer() -> None:
    older = make_trace(value("k", 1), tensor("x", 3))
    latest = make_trace(value("k", 2), tensor("x", 4))
    found, _ = closest(make_trace(value("k", 1), tensor("x", 4)), [older, latest])
    assert found is older


def test_the_same_function_object_is_preferred() -> None:
    same = make_trace(value("k", 1), object=1)
    other = make_trace(value("k", 2), object=2)
    found, _ = closest(make_trace(value("k", 2), object=1), [same, other])
    assert found is same


def test_only_so_many_are_looked_at() -> None:
    traces = [make_trace(value("k", 9), tensor("x", number)) for number in range(2000)]
    found, _ = closest(make_trace(value("k", 9), tensor("x", 0)), traces)
    assert found is traces[-1]


ARGUMENTS = st.one_of(
    st.builds(lambda path, n: value(path, n), st.sampled_from("ab"), st.integers(0, 2)),
    st.builds(lambda path, n: thing(path, n), st.sampled_from("ab"), st.integers(0, 2)),
    st.builds(
        lambda path, shape, dtype: tensor(path, *shape, dtype=dtype),
        st.sampled_from("ab"),
        st.lists(st.sampled_from([None, 1, 2]), max_size=2),
        st.sampled_from(["float32", "int32"]),
    ),
    st.builds(
        lambda path, n: Argument(path=path, kind="list", length=n), st.sampled_from("ab"), st.integers(0, 1)
    ),
    st.just(Argument(path="a", kind="tensor", type="TensorSpec", dtype="float32", shape=None)),
    st.just(Argument(path="a", kind="tensor", type="RaggedTensorSpec", dtype="float32", shape=(1,))),
    st.just(Argument(path="a[0]", kind="value", type="int", text="1")),
)
TRACES = st.builds(
    lambda arguments, number, device: make_trace(*arguments, object=number, context={"device": device}),
    st.lists(ARGUMENTS, max_size=3, unique_by=lambda argument: argument.path),
    st.integers(0, 2),
    st.sampled_from(["", "GPU"]),
)


@given(TRACES, TRACES)
def test_the_shortcut_counts_what_the_comparison_finds(now: Trace, before: Trace) -> None:
    nearest = Nearest()
    nearest.add(before)
    first, second = nearest._key(now), nearest._all[0]
    assert distance(first, second) == _thorough_distance(first, second)
