"""The measures of quality, on lines whose answer is known; the shipped weights keep their word."""

import os
import shutil

import numpy as np
import pytest

from workloads.handwriting import quality
from workloads.handwriting.hershey import STYLES
from workloads.handwriting.ocr import OcrError, edit_distance, error_rate, read_images
from workloads.handwriting.own_strokes import fit_line
from workloads.handwriting.shapes import VISIBLE, share_in_font, spaced_texts, true_line, well_formed
from workloads.handwriting.writer import Writer, Written, style_primer

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]


@pytest.fixture(scope="module")
def writer():
    return Writer.load()


@pytest.mark.parametrize(
    ("left", "right", "distance"),
    [("", "", 0), ("abc", "abc", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("ab", "ba", 2)],
)
def test_edit_distance(left, right, distance):
    assert edit_distance(left, right) == edit_distance(right, left) == distance


def test_error_rate_is_over_all_characters():
    assert error_rate(["abcd", "ef"], ["abxd", ""]) == pytest.approx(3 / 6)


@pytest.mark.skipif(
    shutil.which("tesseract") is None and os.environ.get("CI") != "true",
    reason="tesseract is not installed",
)
def test_tesseract_reads_a_plain_line():
    truth = true_line("Hello world", "plain", np.random.default_rng(0))
    assert edit_distance(read_images([quality._picture(truth)])[0], "Hello world") <= 1


def test_missing_program_is_named(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(OcrError) as error:
        read_images([])
    assert str(error.value) == ("tesseract was not found: install it (Debian: apt install tesseract-ocr)")


@pytest.mark.parametrize("style", STYLES)
def test_words_are_reported_to_be_of_their_font(style):
    line = true_line("The quick brown fox", style, np.random.default_rng(0))
    shares = {font: share_in_font([line], font) for font in ("futural", "cursive")}
    assert shares == {font: float(font == STYLES[style].font) for font in shares}


def test_every_visible_character_is_asked_for_once_and_stands_alone():
    texts = spaced_texts(seed=3)
    assert sorted("".join(texts).replace(" ", "")) == sorted(VISIBLE)
    assert all(len(part) == 1 for text in texts for part in text.split(" "))


def drawn(text, style="plain"):
    return true_line(text, style, np.random.default_rng(1), looseness=0.5)


@pytest.mark.parametrize("style", STYLES)
def test_characters_of_a_true_line_are_well_formed(style):
    assert well_formed([drawn("g [ } J", style)], style) == dict.fromkeys("g[}J", 1.0)


def test_a_character_is_malformed_when_it_is_another_or_off_the_baseline_or_missing():
    line = drawn("a [ b")
    another = line._replace(text="a ] b")
    higher = line._replace(strokes=[stroke - [0, 6.0] for stroke in line.strokes])
    missing = Written("a b", *true_line("a", "plain", np.random.default_rng(0))[1:])
    assert well_formed([another], "plain") == {"a": 1.0, "]": 0.0, "b": 1.0}
    assert well_formed([higher], "plain") == {"a": 0.0, "[": 0.0, "b": 0.0}
    assert well_formed([missing], "plain") == {"a": 1.0, "b": 0.0}


def straight(width, height=20.0, finished=True):
    stroke = np.stack([np.linspace(0, width, 60), np.linspace(-height, 0, 60)], axis=1)
    return Written("hello", [stroke], np.zeros((60, 6)), finished)


@pytest.mark.parametrize(
    ("line", "degenerate"),
    [
        (straight(100), False),
        (straight(100, finished=False), True),
        (straight(2000), True),
        (straight(3), True),
        (straight(100, height=200), True),
        (straight(float("nan")), True),
        (Written("hello", [], np.zeros((0, 6)), True), True),
    ],
)
def test_degenerate_lines_are_reported_from_good_ones(line, degenerate):
    assert quality.is_degenerate(line, points_per_character=11) is degenerate


def test_shipped_weights_look_at_the_character_they_write(writer):
    result = quality.Judge(writer)(quality.held_out_lines(12, 16))
    assert result.alignment > 0.95
    assert result.loss < -1.5


@pytest.mark.parametrize("style", ["plain", "script"])
def test_shipped_weights_finish_their_lines_in_the_style_they_began(writer, style):
    lines = writer.write(["hello world", "Sphinx of quartz 42!"], primer=style_primer(style))
    assert share_in_font(lines, STYLES[style].font) > 0.9
    pace = writer.model.config.points_per_character
    assert not any(quality.is_degenerate(line, pace) for line in lines)


@pytest.mark.parametrize("style", ["plain", "script"])
def test_strokes_that_tell_no_style_are_continued_in_their_own_font(writer, style):
    strokes = true_line("brown fox 12", style, np.random.default_rng(103)).strokes
    own = fit_line("brown fox 12", [3.3 * stroke + 7 for stroke in strokes])
    assert own.style == ""
    lines = writer.write(["Sphinx of quartz", "hello world and all"], primer=own, seed=3)
    assert share_in_font(lines, STYLES[style].font) > 0.9
