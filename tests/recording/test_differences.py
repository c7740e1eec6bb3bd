"""Two traces: everything in which they differ."""

from tests.making import make_trace, tensor, thing, value

from graphdoctor.model import Change, Difference
from graphdoctor.recording import Argument
from graphdoctor.recording.differences import compare


def changes(now: tuple[Argument, ...], before: tuple[Argument, ...]) -> list[tuple]:
    found = compare(make_trace(*now), make_trace(*before))
    return [(d.argument, d.change.value, d.before, d.now, d.axis) for d in found]


def test_equal_arguments_do_not_differ() -> None:
    same = (tensor("x", 3, None), value("k", 1), thing("c", 4))
    assert changes(same, same) == []


def test_python_value() -> None:
    assert changes((value("k", 2),), (value("k", 1),)) == [("k", "PYTHON_VALUE", "1", "2", None)]


def test_shape_names_each_axis() -> None:
    assert changes((tensor("x", 3, 9, 4),), (tensor("x", 2, 9, 5),)) == [
        ("x", "SHAPE", "2", "3", 0),
        ("x", "SHAPE", "5", "4", 2),
    ]


def test_rank_is_not_a_shape() -> None:
    assert changes((tensor("x", 3, 9),), (tensor("x", 3),)) == [
        ("x", "RANK", "float32[3]", "float32[3, 9]", None)
    ]


def test_dtype_and_shape_are_both_named() -> None:
    found = changes((tensor("x", 3, dtype="int32"),), (tensor("x", 2),))
    assert found == [("x", "DTYPE", "float32", "int32", None), ("x", "SHAPE", "2", "3", 0)]


def test_another_object() -> None:
    assert changes((thing("c", 2),), (thing("c", 1),)) == [
        ("c", "OBJECT_IDENTITY", "Config #1", "Config #2", None)
    ]


def test_none_or_tensor_is_structure() -> None:
    assert changes((tensor("mask", 3),), (value("mask", None),)) == [
        ("mask", "STRUCTURE", "None", "float32[3]", None)
    ]


def test_a_new_key_is_one_difference_of_the_container() -> None:
    before = (Argument(path="batch", kind="dict", keys=("'mel'",)), tensor('batch["mel"]', 3))
    now = (
        Argument(path="batch", kind="dict", keys=("'mel'", "'text'")),
        tensor('batch["mel"]', 4),
        tensor('batch["text"]', 4),
    )
    assert changes(now, before) == [
        ("batch", "STRUCTURE", "dict with 'mel'", "dict with 'mel', 'text'", None)
    ]


def test_a_longer_list_is_one_difference() -> None:
    before = (Argument(path="xs", kind="list", length=1), tensor("xs[0]", 3))
    now = (Argument(path="xs", kind="list", length=2), tensor("xs[0]", 3), tensor("xs[1]", 3))
    assert changes(now, before) == [("xs", "STRUCTURE", "list of 1", "list of 2", None)]


def test_context_names_the_field() -> None:
    now, before = make_trace(context={"device": "GPU:0"}), make_trace()
    assert compare(now, before) == (
        Difference(argument=None, change=Change.CONTEXT, before="device: none", now="device: GPU:0"),
    )
