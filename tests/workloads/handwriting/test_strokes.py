"""Strokes and offsets, resampling, the bundled lines and their alignment."""

import numpy as np
import pytest
from HersheyFonts import HersheyFonts
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from workloads.handwriting.alphabet import (
    CHARACTERS,
    END,
    HAND,
    HANDS,
    UnknownCharacterError,
    decode,
    encode,
)
from workloads.handwriting.hershey import BASELINE, FINAL_POINTS, STYLES, glyphs, hand_number, write_line
from workloads.handwriting.strokes import StrokeError, resample, to_offsets, to_strokes
from workloads.handwriting.texts import make_text

coordinates = st.floats(-100, 100, width=16)
stroke = st.integers(1, 6).flatmap(lambda n: arrays(np.float64, (n, 2), elements=coordinates))


@given(st.text(alphabet=CHARACTERS, max_size=30), st.integers(0, HANDS))
def test_text_and_hand_survive_their_numbers(text, hand):
    numbers = encode(text, hand)
    assert numbers[-1] == END + HAND * hand
    assert (numbers // HAND == hand).all()
    assert decode(numbers) == text


def test_every_style_has_its_own_hand():
    assert [hand_number(style) for style in STYLES] == list(range(1, HANDS + 1))
    assert hand_number("mine") == 0


def test_unknown_character_is_named_with_its_place():
    with pytest.raises(UnknownCharacterError) as error:
        encode("naïve")
    assert str(error.value) == ("expected printable ASCII, found 'ï' at position 2 of 'naïve': replace it")


@given(st.lists(stroke, min_size=1, max_size=5))
def test_strokes_survive_their_offsets(strokes):
    for before, after in zip(strokes, to_strokes(to_offsets(strokes)), strict=True):
        np.testing.assert_allclose(after, before, atol=1e-3)


def test_no_strokes_are_an_error():
    with pytest.raises(StrokeError, match=r"^expected at least one stroke, found none$"):
        to_offsets([])


@given(stroke, st.floats(0.5, 20))
def test_resampling_keeps_the_ends_and_spaces_the_points(points, step):
    again = resample(points, step)
    np.testing.assert_array_equal(again[0], points[0])
    np.testing.assert_allclose(again[-1], points[-1], atol=1e-9)
    gaps = np.hypot(*np.diff(again, axis=0).T)
    assert (gaps <= 1.5 * step + 1e-9).all()


def test_resampling_keeps_corners():
    corner = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 7.0]])
    again = resample(corner, 4.0)
    assert [10.0, 0.0] in again.tolist()


@pytest.mark.parametrize("style", STYLES)
def test_every_character_can_be_written_in_every_style(style):
    line = write_line(CHARACTERS, style, np.random.default_rng(0))
    written = set(line.characters.tolist())
    assert written == set(range(len(CHARACTERS) + 1)) - {CHARACTERS.index(" ")} | {0}


def test_every_point_knows_its_character():
    line = write_line("il", "plain", np.random.default_rng(0), looseness=0)
    places = np.cumsum(line.points[:, :2], axis=0)
    assert len(line.points) == len(line.characters)
    assert (np.diff(line.characters) >= 0).all()
    assert line.characters[-FINAL_POINTS:].tolist() == [2] * FINAL_POINTS
    first, second = (places[1:-FINAL_POINTS][line.characters[1:-FINAL_POINTS] == c] for c in (0, 1))
    assert first[:, 0].max() < second[:, 0].min()


@pytest.mark.parametrize("font", sorted({style.font for style in STYLES.values()}))
def test_square_brackets_are_one_stroke_in_the_place_of_the_font_s_bars(font):
    fonts = HersheyFonts()
    fonts.load_default_font(font)
    for bracket in "[]":
        (stroke,) = glyphs(font)[bracket].strokes
        printed = fonts.all_glyphs[bracket]
        bars = np.concatenate([np.array(bar) for bar in printed.strokes]) - [printed.left_offset, BASELINE]
        for edge in (np.min, np.max):
            np.testing.assert_array_equal(edge(stroke, axis=0), edge(bars, axis=0))


def test_script_letters_are_joined():
    strokes = {
        style: write_line("eel", style, np.random.default_rng(0)).points[1:-FINAL_POINTS, 2].sum()
        for style in ("script", "plain")
    }
    assert strokes == {"script": 1, "plain": 3}


def test_same_seed_same_line_and_looseness_zero_is_the_font():
    lines = [write_line("a b", "plain", np.random.default_rng(s)).points for s in (1, 1, 2)]
    np.testing.assert_array_equal(lines[0], lines[1])
    assert lines[0].shape != lines[2].shape or (lines[0] != lines[2]).any()
    exact = [write_line("a", "plain", np.random.default_rng(s), 0).points for s in (1, 2)]
    np.testing.assert_array_equal(*exact)


def test_texts_hold_all_characters_and_keep_their_length():
    random = np.random.default_rng(0)
    texts = [make_text(random, 30) for _ in range(400)]
    assert set("".join(texts)) == set(CHARACTERS)
    assert all(0 < len(text) <= 30 for text in texts)
