"""Written text → the symbols that the model reads."""

from __future__ import annotations

import re
import unicodedata

from workloads.speech.errors import SpeechError

PADDING = "_"
SYMBOLS = PADDING + " abcdefghijklmnopqrstuvwxyz'\",.?!-;:()"
INDEX = {symbol: index for index, symbol in enumerate(SYMBOLS)}

ABBREVIATIONS = {
    "mr.": "mister",
    "mrs.": "missis",
    "dr.": "doctor",
    "st.": "saint",
    "no.": "number",
    "etc.": "et cetera",
    "e.g.": "for example",
    "i.e.": "that is",
}
SIGNS = {
    "&": " and ",
    "%": " percent ",
    "+": " plus ",
    "@": " at ",
    "=": " equals ",
    "#": " number ",
}
ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALES = ((1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand"), (100, "hundred"))
ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth"}
ORDINALS |= {"nine": "ninth", "twelve": "twelfth"}


def normalise(text: str) -> str:
    """Lower-case text in which numbers, signs and abbreviations are words."""
    text = _plain(text).lower()
    for short, long in ABBREVIATIONS.items():
        text = re.sub(rf"(?<!\w){re.escape(short)}", long, text)
    text = re.sub(r"[$£€](\d[\d,]*)", _money, text)
    text = re.sub(r"(\d[\d,]*)(?:st|nd|rd|th)\b", lambda m: _ordinal(_integer(m[1])), text)
    text = re.sub(r"(\d[\d,]*)\.(\d+)", _decimal, text)
    text = re.sub(r"\d[\d,]*", lambda m: spell_number(_integer(m[0])) + "," * m[0].endswith(","), text)
    for sign, word in SIGNS.items():
        text = text.replace(sign, word)
    return re.sub(r"\s+", " ", text).strip()


def encode(text: str) -> list[int]:
    """The indices of a text's symbols; characters that nobody speaks are left out."""
    normal = normalise(text)
    indices = [INDEX[symbol] for symbol in normal if symbol in INDEX and symbol != PADDING]
    if not any(SYMBOLS[index].isalpha() for index in indices):
        raise SpeechError(f"There is nothing to speak in {text!r}: expected letters or digits")
    return indices


def unknown_characters(text: str) -> set[str]:
    """The characters that `encode` leaves out."""
    return set(normalise(text)) - set(SYMBOLS) | ({PADDING} & set(text))


def spell_number(number: int) -> str:
    """A number in words, in thousands up to billions, beyond that digit by digit."""
    if number >= 1_000_000_000_000:
        return " ".join(ONES[int(digit)] for digit in str(number))
    for size, name in SCALES:
        if number >= size:
            rest = f" {spell_number(number % size)}" if number % size else ""
            return f"{spell_number(number // size)} {name}{rest}"
    if number >= 20:
        rest = f"-{ONES[number % 10]}" if number % 10 else ""
        return TENS[number // 10 - 2] + rest
    return ONES[number]


def _plain(text: str) -> str:
    for fancy, plain in (("‘’ʼ", "'"), ("“”„«»", '"'), ("–—−", "-")):  # noqa: RUF001
        text = re.sub(f"[{fancy}]", plain, text)
    text = text.replace("…", "...").replace("ß", "ss")
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def _integer(digits: str) -> int:
    return int(digits.replace(",", ""))


def _money(match: re.Match[str]) -> str:
    unit = {"$": "dollar", "£": "pound", "€": "euro"}[match[0][0]]
    amount = _integer(match[1])
    return f"{spell_number(amount)} {unit}{'' if amount == 1 else 's'}"


def _decimal(match: re.Match[str]) -> str:
    return f"{spell_number(_integer(match[1]))} point {' '.join(ONES[int(d)] for d in match[2])}"


def _ordinal(number: int) -> str:
    words = spell_number(number)
    head, last = words[: (cut := max(words.rfind(" "), words.rfind("-")) + 1)], words[cut:]
    if last.endswith("y"):
        return f"{head}{last[:-1]}ieth"
    return head + ORDINALS.get(last, f"{last}th")
