"""Characters and their numbers: all printable ASCII and the end of the text, each in a named hand.

A number is that of the character, plus `HAND` times that of the hand in which it is to be written;
hand 0 is nobody's in particular. So the text alone tells the network what to write and how.
"""

import numpy as np

PADDING, END = 0, 1
CHARACTERS = "".join(map(chr, range(32, 127)))
SIZE = 1 + len(CHARACTERS)  # the end and the characters; padding has no number of its own
HAND = 128  # above every character's number
HANDS = 3  # named hands; the network reads one-hot characters followed by one-hot hands
_NUMBERS = {character: number for number, character in enumerate(CHARACTERS, start=2)}


class UnknownCharacterError(ValueError):
    """A text holds a character that the network never saw."""


def encode(text: str, hand: int = 0) -> np.ndarray:
    """The numbers of a text's characters in a hand, and the end after them."""
    for place, character in enumerate(text):
        if character not in _NUMBERS:
            raise UnknownCharacterError(
                f"expected printable ASCII, found {character!r} at position {place} of "
                f"{text[:40]!r}: replace it"
            )
    numbers = [*(_NUMBERS[character] for character in text), END]
    return np.array(numbers, np.int32) + np.int32(HAND * hand)  # [text + 1]


def decode(numbers: np.ndarray) -> str:
    """The text behind numbers, without end and padding, whatever the hand."""
    return "".join(CHARACTERS[number - 2] for number in numbers % HAND if number > END)
