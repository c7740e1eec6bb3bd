"""What others get, who are not known: a tape may be asked, a function called, a model built."""

from __future__ import annotations

from graphdoctor.dryrun.closures import captured_names
from graphdoctor.dryrun.values import (
    BoundMethod,
    Function,
    Instance,
    Known,
    LibraryObject,
    Partial,
    Sequence,
    Tape,
)

DEEPEST = 3
HOLDERS = (Instance, LibraryObject)
LENT = "__lent__"


def lend(value: object, depth: int = 0) -> None:
    """Others, who are not known, get a value."""
    if isinstance(value, Tape):
        value.loose = value.lent = True
    elif depth > DEEPEST:
        return
    elif isinstance(value, Sequence):
        for item in value.items or ():
            lend(item, depth + 1)
    elif isinstance(value, Function):
        for scope, name in captured_names(value):
            if scope.kind != "module" or isinstance(scope.cells[name], HOLDERS):
                lend(scope.cells[name], depth + 1)
    elif isinstance(value, BoundMethod):
        lend(value.receiver, depth + 1)
    elif isinstance(value, Partial):
        for given in (value.function, *value.positional, *value.keywords.values()):
            lend(given, depth + 1)
    elif isinstance(value, HOLDERS):
        _lend_parts(value, depth)


def _lend_parts(holder: Instance | LibraryObject, depth: int) -> None:
    """An object is lent with all that it has by now."""
    known, count = holder.cells.get(LENT), len(holder.cells.keys() - {LENT})
    if isinstance(known, Known) and known.value == count:
        return
    holder.cells[LENT] = Known(count)
    for part in list(holder.cells.values()):
        lend(part, depth + 1)
