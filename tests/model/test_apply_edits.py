"""Edits: the law that they hold, and what they refuse."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphdoctor.errors import EditError
from graphdoctor.model import Edit, apply_edits


def edit(line: int, column: int, end_line: int, end_column: int, text: str) -> Edit:
    return Edit(path="a.py", line=line, column=column, end_line=end_line, end_column=end_column, text=text)


def test_replaces_and_inserts_and_keeps_the_rest() -> None:
    text = "x = 1  # one\r\ny =\t2\r\n"
    edits = [edit(2, 5, 2, 6, "3"), edit(1, 1, 1, 1, "z = 0\r\n")]
    assert apply_edits(text, edits) == "z = 0\r\nx = 1  # one\r\ny =\t3\r\n"


def test_counts_characters_not_bytes() -> None:
    assert apply_edits("å = 'ø'; b = 1\n", [edit(1, 10, 1, 11, "c")]) == "å = 'ø'; c = 1\n"


def test_refuses_overlaps() -> None:
    with pytest.raises(EditError, match="Edits overlap at offset 4"):
        apply_edits("abc = defg\n", [edit(1, 1, 1, 7, "x = "), edit(1, 5, 1, 11, "y")])


def test_refuses_a_result_that_is_not_python() -> None:
    with pytest.raises(EditError, match="would not be Python any more"):
        apply_edits("x = 1\n", [edit(1, 3, 1, 4, "=== (")])


@pytest.mark.parametrize("place", [(9, 1, 9, 1), (1, 99, 1, 99), (0, 1, 0, 1), (1, 0, 1, 1)])
def test_refuses_places_outside_the_file(place: tuple[int, int, int, int]) -> None:
    with pytest.raises(EditError, match="is not"):
        apply_edits("x = 1\n", [edit(*place, "y")])


@given(
    values=st.lists(st.integers(0, 99), min_size=1, max_size=8),
    replacements=st.lists(st.integers(100, 999), min_size=8, max_size=8),
    ending=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_edits_are_independent_of_each_other(values: list[int], replacements: list[int], ending: str) -> None:
    text = "".join(f"name{i} = {value}  # ü{ending}" for i, value in enumerate(values))
    edits = [
        edit(i + 1, 9, i + 1, 9 + len(str(value)), str(replacements[i])) for i, value in enumerate(values)
    ]
    expected = "".join(f"name{i} = {replacements[i]}  # ü{ending}" for i in range(len(values)))
    assert apply_edits(text, edits) == expected
    assert apply_edits(text, list(reversed(edits))) == expected
    ast.parse(expected)
