"""A person's strokes from JSON, SVG and the files of IAM-OnDB."""

import json

import numpy as np
import pytest

from workloads.handwriting.hershey import FINAL_POINTS, write_line
from workloads.handwriting.iam import IamError, read_iam
from workloads.handwriting.own_strokes import fit_line, read_own_lines
from workloads.handwriting.strokes import StrokeError, to_strokes

STROKES = [[[0, 0], [0, 40]], [[0, 20], [15, 20]], [[15, 0], [15, 40]], [[30, 10], [30, 40]]]


def drawn(line):
    return to_strokes(line.points[1:-FINAL_POINTS])


def test_size_and_place_do_not_matter():
    line = write_line("Hill", "plain", np.random.default_rng(0), looseness=0)
    moved = [stroke * 7.5 + np.array([300.0, -90.0]) for stroke in drawn(line)]
    fitted = fit_line("Hill", moved)
    for own, original in zip(drawn(fitted), drawn(line), strict=True):
        left = drawn(line)[0][0, 0]  # a fitted line starts at its leftmost point
        np.testing.assert_allclose(own[-1] + [left, 0], original[-1], atol=0.6)


def test_json_of_one_line_and_of_several(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"text": "Hi", "strokes": STROKES}))
    line = read_own_lines(path)[0]
    assert (line.text, line.style, len(drawn(line))) == ("Hi", "", 4)
    path.write_text(json.dumps({"lines": [{"text": "Hi", "strokes": STROKES}] * 2}))
    assert len(read_own_lines(path)) == 2


def test_svg_paths_and_shapes_with_transforms(tmp_path):
    path = tmp_path / "mine.svg"
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><g transform="translate(50 9) scale(2)">'
        '<path d="M0 0 L0 40 M0 20 C5 20 10 20 15 20"/><polyline points="15,0 15,40"/>'
        '<line x1="30" y1="10" x2="30" y2="40"/></g></svg>'
    )
    strokes = drawn(read_own_lines(path, "Hi")[0])
    expected = drawn(fit_line("Hi", [np.array(stroke, float) for stroke in STROKES]))
    assert len(strokes) == len(expected)
    for own, original in zip(strokes, expected, strict=True):
        np.testing.assert_allclose(own[[0, -1]], original[[0, -1]], atol=0.6)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", "{", "not JSON, Expecting property name"),
        ("a.json", "[1]", 'expected {"text": …, "strokes": [[[x, y], …], …]}'),
        ("a.json", '{"strokes": []}', 'no "text" says what the strokes write; give it'),
        ("a.svg", "<svg/>", "an SVG does not say what it writes: give its text (--style-text)"),
        ("a.txt", "", "expected a .json or .svg file, got '.txt'"),
    ],
)
def test_unusable_files_say_what_is_wrong(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(StrokeError) as error:
        read_own_lines(path)
    assert str(error.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("strokes", "message"),
    [
        ([], "expected strokes for 'Hi', found none"),
        ([[[1, 2, 3]]], "expected a stroke as a list of [x, y], got the shape (1, 3)"),
        ([[[0, float("nan")]]], "expected finite coordinates, found NaN or infinity"),
        ([[[0, 5], [9, 5]]], "the strokes for 'Hi' have no height: expected a written line"),
    ],
)
def test_unusable_strokes_say_what_is_wrong(strokes, message):
    with pytest.raises(StrokeError) as error:
        fit_line("Hi", strokes)
    assert str(error.value) == message


def write_iam(folder, transcript="CSR:\n\nHi\nHi ho\n", point='<Point x="{}" y="{}" time="1"/>'):
    strokes = folder / "lineStrokes/a01/a01-000"
    strokes.mkdir(parents=True)
    for number in (1, 2):
        body = "".join(
            "<Stroke>" + "".join(point.format(*place) for place in stroke) + "</Stroke>" for stroke in STROKES
        )
        (strokes / f"a01-000u-0{number}.xml").write_text(
            "<WhiteboardCaptureSession><WhiteboardDescription/>"
            f"<StrokeSet>{body}</StrokeSet></WhiteboardCaptureSession>"
        )
    texts = folder / "ascii/a01/a01-000"
    texts.mkdir(parents=True)
    (texts / "a01-000u.txt").write_text("OCR:\n\nHl\nHi he\n\n" + transcript)


def test_iam_lines_get_the_text_of_their_number(tmp_path):
    write_iam(tmp_path)
    lines = read_iam(tmp_path)
    assert [(line.text, line.style) for line in lines] == [
        ("Hi", "a01-000u"),
        ("Hi ho", "a01-000u"),
    ]
    assert all(line.characters is None and len(drawn(line)) == 4 for line in lines)


def test_iam_unknown_characters_are_an_error_or_left_out(tmp_path):
    write_iam(tmp_path, transcript="CSR:\n\nHi\nHé\n")
    with pytest.raises(IamError, match=r"a01-000u-02.xml: expected printable ASCII, found 'é'"):
        read_iam(tmp_path)
    assert [line.text for line in read_iam(tmp_path, skip_unknown=True)] == ["Hi"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"transcript": "CSR:\n\nHi\n"}, "expected 'CSR:' and a line 02 below it"),
        ({"point": "<Point/>"}, "expected <Stroke> with <Point x= y=>, 'x'"),
    ],
)
def test_broken_iam_files_are_named(tmp_path, changes, message):
    write_iam(tmp_path, **changes)
    with pytest.raises(IamError) as error:
        read_iam(tmp_path)
    assert str(error.value).endswith(message)


def test_iam_folder_without_lines_says_what_was_expected(tmp_path):
    with pytest.raises(IamError) as error:
        read_iam(tmp_path)
    assert str(error.value) == f"{tmp_path}: expected lineStrokes/*/*/*.xml below it, found none"
