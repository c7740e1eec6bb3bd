"""What others get, who are not known: a tape may be asked, a function called, a model built."""

from __future__ import annotations

from graphdoctor.dryrun.closures import captured_names
from graphdoctor.dryrun.heap import Heap
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


def lend(heap: Heap, value: object, depth: int = 0) -> None:
    """Others, who are not known, get a value."""
    if isinstance(value, Tape):
        value.loose = value.lent = True
    elif depth > DEEPEST:
        return
    elif isinstance(value, Sequence):
        for item in value.items or ():
            lend(heap, item, depth + 1)
    elif isinstance(value, Function):
        for scope, name in captured_names(value):
            if scope.kind != "module" or isinstance(scope.cells[name], HOLDERS):
                lend(heap, scope.cells[name], depth + 1)
    elif isinstance(value, BoundMethod):
        lend(heap, value.receiver, depth + 1)
    elif isinstance(value, Partial):
        for given in (value.function, *value.positional, *value.keywords.values()):
            lend(heap, given, depth + 1)
    elif isinstance(value, HOLDERS):
        _lend_parts(heap, value, depth)


def _lend_parts(heap: Heap, holder: Instance | LibraryObject, depth: int) -> None:
    """An object is lent with all that it has by now."""
    known, count = holder.cells.get(LENT), len(holder.cells.keys() - {LENT})
    if isinstance(known, Known) and known.value == count:
        return
    heap.put(holder.cells, LENT, Known(count))
    for part in list(holder.cells.values()):
        lend(heap, part, depth + 1)
