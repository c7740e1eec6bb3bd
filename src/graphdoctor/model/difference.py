"""What makes one trace differ from another."""

import enum

import msgspec


class Change(str, enum.Enum):
    """The kinds of difference, coarse to fine: the order in which closeness is judged."""

    NEW_FUNCTION_OBJECT = "NEW_FUNCTION_OBJECT"
    CONTEXT = "CONTEXT"
    STRUCTURE = "STRUCTURE"
    PYTHON_VALUE = "PYTHON_VALUE"
    OBJECT_IDENTITY = "OBJECT_IDENTITY"
    DTYPE = "DTYPE"
    RANK = "RANK"
    SHAPE = "SHAPE"


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One argument that is not as it was; `before` and `now` are short texts.

    `argument` is a path such as `batch["mel"]`, or None when no argument is at fault.
    """

    argument: str | None
    change: Change
    before: str
    now: str
    axis: int | None = None
