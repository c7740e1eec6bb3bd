"""What a function or class of TensorFlow, Keras or NumPy takes, gives back and does; found by running it.

    operation("tensorflow.reduce_mean")    Operation, or None: not a public function or class of these
    canonical("tensorflow.reduce_mean")    "tensorflow.math.reduce_mean", the one name of several
    members("keras.layers")                the public names there
    results(operation, arguments)          in `results`: dtype and shape of each tensor that a call gives
    promotion("numpy")                     how that library mixes two dtypes
    methods("numpy.ndarray")               the public methods and attributes of a class
    keras_class("keras.layers.Dense")      weights, state, building

The JSON files beside this one are written by scripts/generate_library.py and read at the first question.
Where the calls disagreed, or none worked, a fact is "", () or None: not known.
"""

import functools
import os

import msgspec

from graphdoctor.dryrun.libraries.tables.dtypes import Promotion
from graphdoctor.dryrun.libraries.tables.names import spellings
from graphdoctor.dryrun.libraries.tables.operations import Entry, KerasClass, Operation, operation_of

LIBRARIES = ("tensorflow", "keras", "numpy", "scipy")
# Where the names of one library stand under another name; the longest that fits is taken.
ROOTS = spellings("roots")
# Namespaces of keras.ops that hold the same functions again.
OPERATIONS = ("keras.ops.numpy.", "keras.ops.nn.", "keras.ops.linalg.")


class Table(msgspec.Struct, frozen=True):
    """One library's file."""

    version: str
    promotions: dict[str, str]
    types: dict[str, str]
    signatures: list[str]
    aliases: dict[str, str]
    operations: dict[str, msgspec.Raw]


@functools.cache
def table(library: str) -> Table | None:
    """A library's table, read once; None for other libraries."""
    if library not in LIBRARIES:
        return None
    with open(os.path.join(os.path.dirname(__file__), f"{library}.json"), "rb") as file:
        return msgspec.json.decode(file.read(), type=Table)


@functools.cache
def canonical(name: str) -> str:
    """The one name of a public function or class; other names come back as they are."""
    name = rooted(name)
    found = table(name.partition(".")[0])
    return found.aliases.get(name, name) if found else name


@functools.cache
def members(name: str) -> frozenset[str]:
    """The public names that stand in a namespace, as far as the table has them."""
    name = rooted(name)
    found = table(name.partition(".")[0])
    known = (*found.aliases, *found.operations, *ROOTS) if found else ()
    start = f"{name}."
    return frozenset(each[len(start) :].partition(".")[0] for each in known if each.startswith(start))


def rooted(name: str) -> str:
    """The name below tensorflow, keras or numpy itself."""
    for root, target in ROOTS.items():
        if name == root or name.startswith(root + "."):
            name = target + name[len(root) :]
            break
    parent, _, last = name.rpartition(".")
    return f"keras.ops.{last}" if parent + "." in OPERATIONS else name


@functools.cache
def operation(name: str) -> Operation | None:
    """What is known of a public function or class, under any of its names."""
    name = canonical(name)
    found = table(name.partition(".")[0])
    raw = found.operations.get(name) if found else None
    if found is None or raw is None:
        return None
    entry = msgspec.json.decode(raw, type=Entry)
    text = entry.parameters
    return operation_of(name, entry, found.signatures[int(text[1:])] if text.startswith("@") else text)


@functools.cache
def promotion(library: str) -> Promotion:
    """How a library mixes two dtypes."""
    found = table(library)
    pairs = found.promotions if found else {}
    return lambda left, right: left if left == right else pairs.get(" ".join(sorted((left, right))))


@functools.cache
def methods(type_name: str) -> frozenset[str]:
    """The public methods and attributes of the objects of a class; none for a class that is not listed."""
    name = canonical(type_name)
    found = table(name.partition(".")[0])
    return frozenset(found.types.get(name, "").split()) if found else frozenset()


@functools.cache
def keras_class(name: str) -> KerasClass | None:
    """What is known of a class of Keras, under any of its names; None if it is none."""
    name = canonical(name)
    found = table("keras")
    raw = found.operations.get(name) if found else None
    entry = msgspec.json.decode(raw, type=Entry) if raw else None
    if entry is None or not entry.makes:
        return None
    return KerasClass(name, entry.makes, entry.weights, entry.state, entry.random, entry.inputs)
