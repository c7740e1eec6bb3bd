"""Who has Variables: a layer, a model, an optimizer, a module, and what holds these."""

from graphdoctor.dryrun.values import Instance, LibraryObject, Sequence, Union, Value, Variable
from graphdoctor.dryrun.values.joining import alternatives

MODULES = ("keras.layers.", "keras.Layer", "keras.Model", "keras.models.", "tensorflow.Module")
OWNERS = ("layer", "model", "optimizer", "metric")


def owns_variables(value: Value) -> bool:
    """Whether it is a Variable or has some of its own, which a trace takes into its graph."""
    if isinstance(value, LibraryObject):
        return value.kind in OWNERS
    return is_module(value) or isinstance(value, Variable)


def is_module(value: Value) -> bool:
    """Whether it is an object of a class of the project that derives from a layer, a model or `tf.Module`."""
    return isinstance(value, Instance) and any(map(value.cls.derives, MODULES))


def holds_weights(value: object, depth: int = 0) -> bool:
    """Whether it is a layer, a model or a variable, or holds one."""
    if isinstance(value, Union):
        return any(holds_weights(each, depth) for each in alternatives(value))
    if isinstance(value, LibraryObject):
        return value.kind in ("layer", "model")
    if isinstance(value, Sequence):
        return depth < 2 and any(holds_weights(member, depth + 1) for member in value.members)
    if isinstance(value, Instance):
        kept = value.cells.values() if depth < 2 else ()
        return is_module(value) or any(holds_weights(each, depth + 1) for each in kept)
    return isinstance(value, Variable)
