"""Characters and their numbers: all printable ASCII, and the end of the text."""

import numpy as np

PADDING, END = 0, 1
CHARACTERS = "".join(map(chr, range(32, 127)))
SIZE = 1 + len(CHARACTERS)  # the end and the characters; padding has no number of its own
_NUMBERS = {character: number for number, character in enumerate(CHARACTERS, start=2)}


class UnknownCharacterError(ValueError):
    """A text holds a character that the network never saw."""


def encode(text: str) -> np.ndarray:
    """The numbers of a text's characters, and the end after them."""
    for place, character in enumerate(text):
        if character not in _NUMBERS:
            raise UnknownCharacterError(
                f"expected printable ASCII, found {character!r} at position {place} of "
                f"{text[:40]!r}: replace it"
            )
    return np.array([*(_NUMBERS[character] for character in text), END], np.int32)  # [text + 1]


def decode(numbers: np.ndarray) -> str:
    """The text behind numbers, without end and padding."""
    return "".join(CHARACTERS[number - 2] for number in numbers if number > END)
