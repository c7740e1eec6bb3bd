"""Numbers for objects, without keeping any object alive."""

import itertools
import weakref
from collections.abc import Callable
from typing import Any


class Identities:
    """Gives each living object a number of its own; says which numbered objects have died since."""

    def __init__(self, died: Callable[[int], None] | None = None) -> None:
        self._numbers: dict[int, tuple[weakref.ref[Any], int]] = {}
        self._next = itertools.count(1)
        self._died = died

    def number(self, value: Any) -> int:
        """The object's number; 0 for an object that is gone or cannot be referred to weakly."""
        key = id(value)
        known = self._numbers.get(key)
        if known is not None and known[0]() is value:
            return known[1]
        number = next(self._next)
        try:
            reference = weakref.ref(value, lambda _: self._forget(key, number))
        except TypeError:
            return 0
        self._numbers[key] = (reference, number)
        return number

    def _forget(self, key: int, number: int) -> None:
        known = self._numbers.get(key)
        if known is not None and known[1] == number:
            self._numbers.pop(key, None)  # another thread may have been faster
        if self._died is not None:
            self._died(number)
