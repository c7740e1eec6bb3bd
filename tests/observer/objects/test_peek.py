"""Looking at objects runs none of their code."""

import dataclasses
import enum
from typing import Any

import pytest

from graphdoctor.observer.objects import peek


class Loud:
    rate = 1.0

    @property
    def computed(self) -> float:
        raise AssertionError("a property was run")

    def __getattr__(self, name: str) -> Any:
        raise AssertionError("__getattr__ was run")


class Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass(slots=True)
class Slotted:
    rate: float


def test_properties_and_getattr_are_not_run() -> None:
    assert peek.attribute(Loud(), "computed") is peek.MISSING
    assert peek.attribute(Loud(), "unknown") is peek.MISSING


def test_instance_class_slots_module_and_items() -> None:
    loud = Loud()
    assert peek.attribute(loud, "rate") == 1.0
    loud.rate = 2.0
    assert peek.attribute(loud, "rate") == 2.0
    assert peek.attribute(Slotted(3.0), "rate") == 3.0
    assert peek.attribute(peek, "LONGEST_TUPLE") == 8
    assert peek.item({"a": 1}, "a") == 1
    assert peek.item([1, 2], 5) is peek.MISSING
    assert peek.item(5, 0) is peek.MISSING


@pytest.mark.parametrize("value", [None, 1, 1.5, "text", True, (1, ("a", None)), Colour.RED])
def test_plain_values(value: object) -> None:
    assert peek.is_plain(value)
    assert peek.is_same(peek.remembered(value), value)


@pytest.mark.parametrize("value", [[], {}, object(), "x" * 5000, (1, []), tuple(range(20))])
def test_values_that_may_change_or_are_large_are_not_plain(value: object) -> None:
    assert not peek.is_plain(value)


def test_equal_numbers_are_the_same_and_nan_is_nan() -> None:
    assert peek.is_same(1, 1.0)
    assert peek.is_same(float("nan"), float("nan"))
    assert not peek.is_same(1, 2)
    assert not peek.is_same(None, [])
    assert peek.text_of(peek.remembered(Colour.RED)) == "Colour.RED"


class Looking(dict):
    """Attributes that are items, looked up by a method of its own."""

    def __getattr__(self, name: str) -> object:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error


class Asking(dict):
    def __getattr__(self, name: str) -> object:
        return self.get(name)


class Counting(dict):
    """What it gives for an attribute has nothing to do with its items."""

    def __getattr__(self, name: str) -> int:
        return len(name)


def test_attributes_that_a_dictionary_looks_up_are_its_items() -> None:
    for kind in (Looking, Asking):
        assert peek.attribute(kind(rate=0.5), "rate") == 0.5
        assert peek.attribute(kind(rate=0.5), "other") is peek.MISSING
    assert peek.attribute(Counting(rate=0.5), "rate") is peek.MISSING
