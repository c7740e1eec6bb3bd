"""The lines of a recording that tell of silent wrongs; each belongs to a trace and names a place."""

import msgspec


class Place(msgspec.Struct, frozen=True):
    """A line of the program."""

    path: str
    line: int


class Stale(msgspec.Struct, frozen=True, tag_field="event", tag="stale"):
    """A value from outside changed after a trace had read it, and calls went on using the old one.

    kind: value (a global or closure cell) · attribute (a part of an object). `path` and `line` say
    where `function` reads it. Later events of the same name tell more `calls`.
    """

    trace: int
    object: int
    name: str
    kind: str
    then: str
    now: str
    calls: int
    path: str
    line: int
    function: str
    holder: str = ""


class Leak(msgspec.Struct, frozen=True, tag_field="event", tag="leak"):
    """A tensor of a finished graph is still held: by `holder`, put there on `path`, `line` by `function`.

    `certain`: the traced code itself would meet it again, or piles them up. Otherwise it does harm
    only where code that is not among `ran` (the functions of the trace) reads it.
    """

    trace: int
    holder: str
    name: str
    tensor: str
    certain: bool
    path: str
    line: int
    function: str
    ran: tuple[Place, ...] = ()


class EditedSource(msgspec.Struct, frozen=True, tag_field="event", tag="edited"):
    """A function whose file no longer says what was imported was traced for the first time."""

    trace: int
    name: str
    path: str
    line: int


class SharedTrace(msgspec.Struct, frozen=True, tag_field="event", tag="shared"):
    """Calls with one Python value ran the trace of an equal one of another type: `1.0` that of `1`.

    `path` and `line` say where the first of these calls stands. Later events tell more `calls`.
    """

    trace: int
    name: str
    then: str
    now: str
    calls: int
    path: str
    line: int


Note = Stale | Leak | EditedSource | SharedTrace
