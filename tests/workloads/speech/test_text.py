"""Written text becomes words, and words become symbols."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workloads.speech.errors import SpeechError
from workloads.speech.text import SYMBOLS, encode, normalise, spell_number, unknown_characters


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("Dr. Smith paid $1,200.", "doctor smith paid one thousand two hundred dollars."),
        ("3.14 is near pi", "three point one four is near pi"),
        ("the 21st of May", "the twenty-first of may"),
        ("the 12th, 20th and 3rd", "the twelfth, twentieth and third"),
        ("50% & more", "fifty percent and more"),
        ("naïve café", "naive cafe"),
        ("“Well” — she said…", '"well" - she said...'),
        ("in 7, or 8", "in seven, or eight"),
        ("  two   spaces ", "two spaces"),
        ("almost. Most.", "almost. most."),
    ],
)
def test_text_is_normalised(written, spoken):
    assert normalise(written) == spoken


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"),
        (19, "nineteen"),
        (42, "forty-two"),
        (100, "one hundred"),
        (2_000_301, "two million three hundred one"),
        (10**12, "one zero zero zero zero zero zero zero zero zero zero zero zero"),
    ],
)
def test_numbers_are_spelled(number, words):
    assert spell_number(number) == words


@given(st.text())
def test_any_text_is_encoded_or_refused(text):
    try:
        indices = encode(text)
    except SpeechError:
        return
    assert all(0 < index < len(SYMBOLS) for index in indices)


def test_text_without_letters_is_refused():
    with pytest.raises(SpeechError, match=r"There is nothing to speak in '\?!'"):
        encode("?!")


def test_characters_that_nobody_speaks_are_known():
    assert unknown_characters("a_b ☃ c") == {"_", "☃"}
