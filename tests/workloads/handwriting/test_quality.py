"""The measures of quality, on lines whose answer is known; the shipped weights keep their word."""

import os
import shutil

import numpy as np
import pytest

from workloads.handwriting import quality
from workloads.handwriting.fonts import share_in_font
from workloads.handwriting.hershey import STYLES
from workloads.handwriting.ocr import OcrError, edit_distance, error_rate, read_images
from workloads.handwriting.writer import Writer, Written, style_primer

pytestmark = pytest.mark.tensorflow


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
    truth = quality._truth("Hello world", "plain", np.random.default_rng(0))
    assert edit_distance(read_images([quality._picture(truth)])[0], "Hello world") <= 1


def test_missing_program_is_named(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(OcrError) as error:
        read_images([])
    assert str(error.value) == ("tesseract was not found: install it (Debian: apt install tesseract-ocr)")


@pytest.mark.parametrize("style", STYLES)
def test_words_are_told_to_be_of_their_font(style):
    line = quality._truth("The quick brown fox", style, np.random.default_rng(0))
    shares = {font: share_in_font([line], font) for font in ("futural", "cursive")}
    assert shares == {font: float(font == STYLES[style].font) for font in shares}


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
def test_degenerate_lines_are_told_from_good_ones(line, degenerate):
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
