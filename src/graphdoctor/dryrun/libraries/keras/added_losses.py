"""`model.losses`: empty where no layer has a regularizer and nothing was given to `add_loss`."""

from typing import Final

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import (
    TRUE,
    UNKNOWN,
    Dictionary,
    Instance,
    LibraryObject,
    Origin,
    Sequence,
    Unknown,
    Value,
    is_none,
)
from graphdoctor.dryrun.values.structures import parts_of

ADDED: Final = "__adds_losses__"  # the cell of an object that has called `add_loss`
ADDING_LAYERS: Final = ("keras.layers.ActivityRegularization",)
DEEPEST: Final = 6


def note_added(machine: Machine, receiver: Value) -> None:
    """`self.add_loss(…)`, or a weight with a regularizer."""
    if isinstance(receiver, (Instance, LibraryObject)):
        machine.heap.put(receiver.cells, ADDED, TRUE)


def note_regularized(machine: Machine, receiver: Value, arguments: Arguments) -> None:
    """`self.add_weight(…)`: a regularizer of it is a loss of the layer."""
    if arguments.loose or not is_none(arguments.get(None, "regularizer")):
        note_added(machine, receiver)


def losses_of(holder: LibraryObject | Instance, origin: Origin) -> Value:
    """The list of losses that its layers have added."""
    return UNKNOWN if _may_add(holder, 0) else Sequence("list", (), origin)


def _may_add(value: object, depth: int) -> bool:
    """Whether a layer, model or list of them may have losses of its own; who is unknown may."""
    if isinstance(value, Unknown) or depth > DEEPEST:
        return True
    if isinstance(value, (Sequence, Dictionary)):
        return any(_may_add(each, depth + 1) for each in parts_of(value))
    if isinstance(value, LibraryObject):
        return value.kind in ("layer", "model") and _library_layer_may(value, depth)
    if not isinstance(value, Instance) or not value.cls.derives("keras."):
        return False
    if (
        ADDED in value.cells
        or "activity_regularizer" in value.cells
        or value.cls.is_open
        or value.unknown_start
    ):
        return True
    return any(_may_add(each, depth + 1) for key, each in value.cells.items() if not key.startswith("__"))


def _library_layer_may(layer: LibraryObject, depth: int) -> bool:
    if ADDED in layer.cells or layer.name in ADDING_LAYERS or layer.name.startswith("keras.applications."):
        return True
    named = [each for name, each in layer.arguments.items() if str(name).endswith("regularizer")]
    if not all(map(is_none, named)):
        return True
    wrapped = (*layer.arguments.values(), layer.cells.get("inside") or layer.cells.get("layers"))
    return any(_may_add(each, depth + 1) for each in wrapped if not isinstance(each, Unknown))
