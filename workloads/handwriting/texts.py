"""Lines of text to write: common words, made-up words, numbers and signs, in every character."""

from pathlib import Path

import numpy as np

from workloads.handwriting.alphabet import CHARACTERS

WORDS = Path(__file__).with_name("words.txt").read_text(encoding="ascii").split()
LETTERS = "abcdefghijklmnopqrstuvwxyz"
NUMBERS = ["{}", "{}", "{}%", "${}", "#{}", "+{}", "-{}", "{}.5", "{}:30", "1/{}"]
BRACKETS = ["()", "[]", "{}", "<>", '""', "''"]
RARE_LETTERS = 0.55  # up to here words of random letters: common words hold few of q, x and z
SIGNS = "".join(c for c in CHARACTERS if not c.isalnum() and c != " ")
CAPITALS = 0.28  # of the words: with a capital, or all in capitals
ALL_CAPITALS = 5 / 14  # of those
SIGNS_ONLY = 0.12  # of the lines: the network must find its way back to the baseline without letters


def _pick(options: str | list[str], random: np.random.Generator) -> str:
    # `random.choice` would first make an array of all options, at every call.
    return options[random.integers(len(options))]


def _several(options: str, most: int, random: np.random.Generator) -> str:
    return "".join(_pick(options, random) for _ in range(random.integers(1, most + 1)))


def _cased(word: str, random: np.random.Generator, capitals: float) -> str:
    draw = random.random()
    if draw < 1 - capitals:
        return word
    return word.capitalize() if draw < 1 - capitals * ALL_CAPITALS else word.upper()


def _number(random: np.random.Generator) -> str:
    return _pick(NUMBERS, random).format(_several("0123456789", 5, random))


def _signs(random: np.random.Generator) -> str:
    return _several(SIGNS, 3, random)


def _token(random: np.random.Generator, capitals: float) -> str:
    draw = random.random()
    if draw < 0.12:
        return _number(random)
    if draw < 0.22:
        return _signs(random)
    word = _several(LETTERS, 7, random) if draw < RARE_LETTERS else _pick(WORDS, random)
    word = _cased(word, random, capitals)
    if random.random() < 0.2:
        word += _pick(".,;:?!", random)
    if random.random() < 0.12:
        before, after = _pick(BRACKETS, random)
        word = before + word + after
    return word


def make_text(random: np.random.Generator, length: int, capitals: float = CAPITALS) -> str:
    """A line of tokens with at most `length` characters and at least one."""
    only_signs = random.random() < SIGNS_ONLY

    def make_token() -> str:
        return _signs(random) if only_signs else _token(random, capitals)

    text = make_token()
    while len(text) < length:
        text += " " + make_token()
    return text[:length].strip() or "a"
