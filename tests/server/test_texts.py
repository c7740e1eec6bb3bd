"""Texts as the server keeps them: after each change they are what the editor has."""

import random

import pytest
from lsprotocol import types
from tests.server.test_random_edits import random_change

from graphdoctor.model import Span
from graphdoctor.server.positions import Places, edited

EXAMPLE = "one\ntwo 🐛 é\r\nthree\x0c\u2028four\rfive"


def change_of(change: dict) -> types.TextDocumentContentChangeEvent:
    if "range" not in change:
        return types.TextDocumentContentChangeWholeDocument(text=change["text"])
    start, end = (types.Position(**change["range"][side]) for side in ("start", "end"))
    return types.TextDocumentContentChangePartial(range=types.Range(start, end), text=change["text"])


@pytest.mark.parametrize("seed", range(20))
def test_random_changes_give_the_text_of_the_editor(seed: int) -> None:
    chance = random.Random(seed)
    ours = theirs = EXAMPLE
    for _ in range(100):
        change, theirs = random_change(chance, theirs)
        ours = edited(ours, change_of(change), "utf-16")
        assert ours == theirs


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 9), ("utf-16", 7), ("utf-32", 6)])
def test_columns_are_counted_as_was_agreed(encoding: str, character: int) -> None:
    places = Places(EXAMPLE, encoding)
    span = Span(path="a.py", line=2, column=7, end_line=2, end_column=8)
    assert places.range(span).start == types.Position(1, character)
    assert places.offset(types.Position(1, character)) == EXAMPLE.index("é")


def test_places_beyond_the_text_are_its_end() -> None:
    places = Places("a\nbc")
    assert places.offset(types.Position(9, 9)) == places.offset(types.Position(1, 9)) == 4
    assert places.position(9, 1) == types.Position(1, 2)
