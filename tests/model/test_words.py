"""Texts as a terminal may show them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphdoctor.model.words import printable


@pytest.mark.parametrize("text", ["", "step", "größe 数 🙂", "`x` has [bold] markup"])
def test_what_can_be_shown_stays(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("two\nlines\r\t", r"two\nlines\r\t"),
        ("\x9b0m\x7f", r"\x9b0m\x7f"),
        ("abc\u202egpj.exe", r"abc\u202egpj.exe"),
        ("b\udcffd", r"b\udcffd"),
        ("a\u2028b", r"a\u2028b"),
    ],
)
def test_what_a_terminal_would_obey_is_spelled_out(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_megabytes_are_cut() -> None:
    assert printable("a" * 5_000_000, 10) == "aaaaaaaaa…"
    assert len(printable("\x1b" * 5_000_000)) < 10_000


@given(st.text())
def test_the_result_is_one_printable_line(text: str) -> None:
    shown = printable(text)
    assert all(character.isprintable() for character in shown)
    assert len(shown.splitlines()) <= 1
    assert printable(shown) == shown
