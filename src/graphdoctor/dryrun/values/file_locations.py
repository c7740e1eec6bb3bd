"""Texts that name a place in the file system, from `__file__` on; never shown: they are of a machine."""

import os

from graphdoctor.dryrun.values import AbstractNumber, Constant, LibraryObject, Value

PLACE = "<place>"  # the cell of a path or file that keeps where it is


class Location(AbstractNumber):
    """A text that is known to be this path, seen from where the check runs."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        super().__init__("str")
        self.path = os.path.normpath(path)


def place_in(value: Value) -> Value:
    """The text behind a path or an open file; others as they are."""
    held = value.cells.get(PLACE) if isinstance(value, LibraryObject) else None
    return held if isinstance(held, Value) else value


def joined(values: list[Value]) -> Value | None:
    """`os.path.join`; None where a part is not known."""
    parts = [place_in(value) for value in values]
    texts = [each.path if isinstance(each, Location) else getattr(each, "value", None) for each in parts]
    if not parts or not all(isinstance(text, str) for text in texts):
        return None
    path = os.path.join(*texts)  # type: ignore[arg-type]
    return Location(path) if any(isinstance(each, Location) for each in parts) else Constant(path)


def parent_of(value: Value, levels: int = 1) -> Value | None:
    """The folder that something is in; None where that is not known."""
    place = place_in(value)
    above = [os.pardir] * levels
    return Location(os.path.join(place.path, *above)) if isinstance(place, Location) else None
