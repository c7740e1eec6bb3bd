"""Put something of ours in the place of an attribute, and take it away again."""

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
