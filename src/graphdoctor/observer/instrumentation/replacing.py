"""Put something of ours in the place of an attribute, and take it away again; find the class that has it."""

import types
from collections.abc import Callable
from typing import Any


def replaced(owner: Any, name: str, replacement: Any) -> Callable[[], None]:
    """Replace an attribute; returns the undoing, which leaves alone what others have put there since."""
    original = getattr(owner, name)
    setattr(owner, name, replacement)

    def undo() -> None:
        if getattr(owner, name) is replacement:
            setattr(owner, name, original)

    return undo


def class_defining(module: types.ModuleType, name: str) -> Any:
    """The one class of a module whose body defines an attribute, whatever the library calls it.

    Raises AttributeError where there is none, or more than one.
    """
    own = {each for each in vars(module).values() if isinstance(each, type)}
    found = [each for each in own if each.__module__ == module.__name__ and name in vars(each)]
    if len(found) != 1:
        raise AttributeError(f"{len(found)} classes of {module.__name__} define `{name}`, expected one")
    return found[0]
