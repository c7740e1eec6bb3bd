"""The signature that covers what was seen: as specific as can be, and none where there is none."""

from tests.making import make_trace, tensor, value

from graphdoctor.recording.signatures import covering_signature, covering_spec


def test_only_the_axes_that_vary_are_none() -> None:
    seen = [tensor("x", 8, n, 80) for n in (31, 47)]
    assert covering_spec(seen) == "tf.TensorSpec([8, None, 80], tf.float32)"


def test_another_rank_needs_an_unknown_shape() -> None:
    assert covering_spec([tensor("x", 3), tensor("x", 3, 4)]) == "tf.TensorSpec(None, tf.float32)"


def test_scalars() -> None:
    assert covering_spec([tensor("x", dtype="int32")]) == "tf.TensorSpec([], tf.int32)"


def test_two_dtypes_have_no_spec() -> None:
    assert covering_spec([tensor("x", 3), tensor("x", 3, dtype="int32")]) is None


def test_a_signature_covers_all_arguments_of_all_traces() -> None:
    traces = [make_trace(tensor("x", n, 2), tensor("y", 5, dtype="int64")) for n in (3, 4)]
    assert covering_signature(traces) == (
        "[tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([5], tf.int64)]"
    )


def test_a_python_value_has_no_signature() -> None:
    assert covering_signature([make_trace(tensor("x", 3), value("k", 1))]) is None


def test_an_argument_that_comes_and_goes_has_no_signature() -> None:
    assert (
        covering_signature([make_trace(tensor("x", 3)), make_trace(tensor("x", 3), tensor("y", 3))]) is None
    )
