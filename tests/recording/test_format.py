"""The format: what is written is what is read, whatever it says."""

import collections.abc
import copy
import dataclasses
import json
import pickle
import types
import typing
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphdoctor.recording.format import KINDS, Argument, Header, Made, Place, Problem, encode_event
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


def test_nouns_are_frozen_dataclasses() -> None:
    place = Place(path="a.py", line=1)
    assert repr(place) == "Place(path='a.py', line=1, column=0, end_line=0, end_column=0, cell=None)"
    with pytest.raises(dataclasses.FrozenInstanceError):
        place.line = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del place.line
    with pytest.raises(TypeError):
        vars(place)
    assert dataclasses.replace(place, line=2) == Place(path="a.py", line=2)


@pytest.mark.parametrize("fields", [{}, {"path": "a.py"}, {"path": "a.py", "line": 1, "nothing": 2}])
def test_nouns_take_their_fields_and_no_others(fields: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        Place(**fields)


def test_nouns_are_compared_by_kind_and_value() -> None:
    place, problem = Place(path="a.py", line=1), Problem(message="a.py")
    assert len({place, Place(path="a.py", line=1), Place(path="a.py", line=2), problem}) == 3
    assert problem == Problem(message="a.py") != Problem(message="b.py")
    assert Argument(kind="value", path="x") != Argument(kind="value", path="y")
    made = Made(what="layer")
    assert made.options is not Made(what="layer").options


@pytest.mark.parametrize("noun", [Place(path="a.py", line=1), Problem(message="a"), Made(what="layer")])
def test_nouns_are_copied_and_sent_to_other_processes(noun: Any) -> None:
    for twin in (copy.copy(noun), copy.deepcopy(noun), pickle.loads(pickle.dumps(noun))):
        assert twin == noun
        assert twin is not noun
