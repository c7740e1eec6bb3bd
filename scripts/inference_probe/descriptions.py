"""What is said of a value: of one that a program gave, and of one that the dry run infers."""

from __future__ import annotations

import msgspec

Size = int | str | None  # None: TensorFlow itself does not know it; SOME: we do not
SOME = "?"


class Description(msgspec.Struct, frozen=True, tag=True, tag_field="what"):
    """What is said of a value."""


class Constant(Description, frozen=True):
    """A number, text, flag or None, as Python writes it."""

    type: str
    text: str


class Numbers(Description, frozen=True):
    """What has a dtype and a shape; `kind`: tensor · variable · placeholder · array · spec."""

    kind: str
    dtype: str | None
    shape: tuple[Size, ...] | None


class Elements(Description, frozen=True):
    """A list, tuple, set, range or iterator: its first elements, and how many it has.

    None: its elements, or how many they are, are not known.
    """

    kind: str
    items: tuple[AnyDescription, ...] | None
    length: int | None


class Entries(Description, frozen=True):
    """A dict, by its keys as Python writes them; `perhaps` are those that need not be there.

    `whole`: it has no others.
    """

    entries: dict[str, AnyDescription]
    whole: bool = True
    perhaps: frozenset[str] = frozenset()


class Pipeline(Description, frozen=True):
    """A `tf.data.Dataset`: what it gives and, where that is known, how often."""

    element: AnyDescription
    iterations: int | None


class Sizes(Description, frozen=True):
    """A shape; None: not even its rank is known."""

    sizes: tuple[Size, ...] | None


class NumberType(Description, frozen=True):
    """A dtype."""

    name: str


class Writes(Description, frozen=True):
    """A `tf.TensorArray`."""

    dtype: str | None


class Thing(Description, frozen=True):
    """Anything else, by the names of its class and of those that it derives from."""

    classes: tuple[str, ...]


class Anything(Description, frozen=True):
    """Inferred: nothing is known."""


class Either(Description, frozen=True):
    """Inferred: one of several."""

    alternatives: tuple[AnyDescription, ...]


class Some(Description, frozen=True):
    """Inferred: a constant of a type, and where that is known one of these."""

    type: str
    among: frozenset[str]


class Typical(Description, frozen=True):
    """Inferred: a list, tuple, set or iterator with elements like this one."""

    kind: str
    element: AnyDescription


class Structure(Description, frozen=True):
    """Inferred: this, or several such in a structure."""

    part: AnyDescription


class Object(Description, frozen=True):
    """Inferred: no constant, tensor or array; of a class of that name, if it has one here."""

    name: str


AnyDescription = (
    Constant
    | Numbers
    | Elements
    | Entries
    | Pipeline
    | Sizes
    | NumberType
    | Writes
    | Thing
    | Anything
    | Either
    | Some
    | Typical
    | Structure
    | Object
)
