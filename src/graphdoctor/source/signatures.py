"""The generated table of what functions of TensorFlow, Keras and NumPy do in a graph."""

import functools
import pathlib

import msgspec


class Signatures(msgspec.Struct, frozen=True):
    """Which functions return one tensor, which raise when given one, and where `name` stands.

    Written by scripts/generate_signatures.py, which ran each function.
    """

    tensor: frozenset[str]
    numpy: frozenset[str]
    name: dict[str, int]


@functools.cache
def signatures() -> Signatures:
    """The table, read once."""
    file = pathlib.Path(__file__).with_name("signatures.json")
    return msgspec.json.decode(file.read_bytes(), type=Signatures)
