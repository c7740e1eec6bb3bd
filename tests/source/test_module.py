"""A module is read without a word to who asked for it."""

import warnings

from graphdoctor.source.module import parse_module


def test_strange_escapes_are_not_warned_of() -> None:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert len(parse_module("old.py", "x = '\\ '\n").tree.body) == 1
    assert heard == []
