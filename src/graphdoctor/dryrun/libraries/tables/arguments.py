"""What the rules of a table ask about the arguments of a call."""

import enum
from typing import Any, NamedTuple, Protocol


class Missing(enum.Enum):
    """Why there is no value.

    `UNKNOWN` we do not know it; `OPEN` TensorFlow does not know it either, while tracing; `ABSENT` the
    operation has no such parameter.
    """

    UNKNOWN = "?"
    OPEN = "open"
    ABSENT = "absent"


UNKNOWN = Missing.UNKNOWN
OPEN = Missing.OPEN
ABSENT = Missing.ABSENT

# A size is an int, None or OPEN where TensorFlow has none, UNKNOWN, or whatever the caller uses for a size
# that it follows; equal means same. A result may have one that is Longer than such a size.
Shape = tuple[object, ...]


class Longer(NamedTuple):
    """A size that the caller follows, and some more."""

    size: Any  # mypyc does not find `object` here
    more: int


class Arguments(Protocol):
    """The arguments of one call, by parameter, defaults filled in."""

    def shape(self, parameter: str) -> Shape | None:
        """The shape of the tensor or number given for `parameter`; None if it is unknown."""

    def shapes(self, parameter: str) -> list[Shape | None] | None:
        """The shapes of the elements of the list given for `parameter`; None if their number is unknown."""

    def dtype(self, parameter: str) -> str | None:
        """ "float32" of a tensor or array; "float", "int", "bool" of a Python number; None if unknown."""

    def value(self, parameter: str) -> object:
        """The Python value: a number, text, None, a list of sizes, a dtype's name; or UNKNOWN, or ABSENT."""
