"""The format: what is written is what is read, whatever it says."""

import collections.abc
import dataclasses
import json
import types
import typing
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphdoctor.recording.format import KINDS, Header, encode_event
from graphdoctor.recording.reader import Decoder

SIMPLE: dict[Any, st.SearchStrategy[Any]] = {
    bool: st.booleans(),
    int: st.integers(min_value=-(2**40), max_value=2**40),
    float: st.floats(min_value=0.0, max_value=1e6),
    str: st.text(alphabet="ab/.[]'\"ü☃\x1b", max_size=5),
    type(None): st.none(),
}


def of(annotation: Any) -> st.SearchStrategy[Any]:
    """Values of a field's type."""
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in SIMPLE:
        return SIMPLE[annotation]
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*map(of, parts))
    if origin is tuple:
        return st.lists(of(parts[0]), max_size=2).map(tuple)
    if origin is collections.abc.Mapping:
        return st.dictionaries(of(parts[0]), of(parts[1]), max_size=2)
    fields = {field.name: of(field.type) for field in dataclasses.fields(annotation)}
    return st.builds(annotation, **fields)


@pytest.mark.parametrize("kind", KINDS.values())
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_what_is_written_is_what_is_read(kind: Any, data: st.DataObject) -> None:
    event = data.draw(of(kind))
    if isinstance(event, Header):
        event = dataclasses.replace(event, format="graphdoctor-recording", version=2)
    assert Decoder().decode(json.dumps(encode_event(event)).encode()) == [event]


@pytest.mark.parametrize("kind", KINDS.values())
def test_what_has_its_default_is_not_written(kind: Any) -> None:
    given = {f.name: None for f in dataclasses.fields(kind) if f.default is f.default_factory}
    said = {"format", "version"} if kind is Header else set()
    assert encode_event(kind(**given)).keys() == {"event", *given} | said
