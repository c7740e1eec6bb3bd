"""`graphdoctor plan` reads lengths, prints the plan and draws it."""

import json
import xml.etree.ElementTree as ElementTree

import numpy
import pytest
from click.testing import CliRunner

from graphdoctor.cli.plan import plan_command


def run(*arguments):
    return CliRunner().invoke(plan_command, [str(argument) for argument in arguments])


@pytest.fixture
def lengths(tmp_path):
    path = tmp_path / "lengths.csv"
    path.write_text("mel\n3\n3\n4\n9\n10\n10\n")
    return path


def test_the_whole_output(lengths):
    result = run(lengths, "--cost-per-trace", "0.1", "--batch-size", "2", "--max-buckets", "3")

    bars = "\n".join(
        f"{length:>7} {'█' * (24 * count):<48} {count:>8} {mark}"
        for length, count, mark in [
            (1, 0, "│"),
            (2, 0, "│"),
            (3, 2, "┤ 3"),
            (4, 1, "┤ 4"),
            (5, 0, "│"),
            (6, 0, "│"),
            (7, 0, "│"),
            (8, 0, "│"),
            (9, 1, "│"),
            (10, 2, "┤ 10"),
        ]
    )
    assert result.output == (
        "3 buckets, 2.5 % padding, 3 mean steps in all (exact)\n"
        "\n"
        "padded to        examples\n"
        "3                       2\n"
        "4                       1\n"
        "10                      3\n"
        "\n"
        "buckets   padding     mean steps\n"
        "      1    35.0 %              5\n"
        "      2     7.1 %              3\n"
        "      3     2.5 %              3 ←\n"
        "\n"
        "  up to length                                           examples   padded to\n" + bars + "\n"
        "\n"
        "more than 3 buckets may cost still less: raise --max-buckets\n"
    )
    assert result.exit_code == 0


def test_two_columns_are_planned_together(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("id,text,mel\na,3,30\nb,4,41\nc,9,80\n")

    result = run(path, "--column", "text", "--column", "mel", "--buckets", 2)

    assert "4 x 41                  2\n9 x 80                  1\n" in result.output


def test_npy_files_are_read(tmp_path):
    path = tmp_path / "lengths.npy"
    numpy.save(path, numpy.array([5, 7, 7, 12]))

    result = run(path, "--buckets", 2)

    assert "7                       3\n12                      1\n" in result.output


def test_seconds_are_turned_into_mean_steps(lengths):
    in_steps = run(lengths, "--cost-per-trace", "4")
    in_seconds = run(lengths, "--cost-per-trace", "2s", "--step-time", "0.5s")

    assert in_seconds.output == in_steps.output


def test_overlong_examples_are_reported(lengths):
    result = run(lengths, "--limit", 9, "--overlong", "cut", "--buckets", 1)

    assert "2 of 6 examples (33.3 %) exceed 9 (longest 10) and are cut\n" in result.output


def test_json_holds_the_plan(lengths, tmp_path):
    result = run(lengths, "--buckets", 2, "-o", tmp_path / "plan.json")

    written = json.loads((tmp_path / "plan.json").read_text())
    assert written["buckets"] == [
        {"bound": [4], "examples": 3},
        {"bound": [10], "examples": 3},
    ]
    assert result.output.endswith(f"\nwritten: {tmp_path / 'plan.json'}\n")


def test_svg_is_a_picture_of_the_plan(lengths, tmp_path):
    run(lengths, "--buckets", 2, "-o", tmp_path / "plan.svg")

    root = ElementTree.parse(tmp_path / "plan.svg").getroot()
    name = "{http://www.w3.org/2000/svg}"
    assert root.find(f"{name}title").text == "2 buckets, 7.1 % padding, 6 examples: 4, 10"
    assert len(root.findall(f"{name}rect")) == 1 + 4
    assert len(root.findall(f"{name}line")) == 2 + 1


def test_svg_of_two_lengths_has_a_box_per_bucket(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("3,30\n4,41\n9,80\n")
    run(path, "--buckets", 2, "-o", tmp_path / "plan.svg")

    root = ElementTree.parse(tmp_path / "plan.svg").getroot()
    name = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{name}rect")) == 1 + 2
    assert len(root.findall(f"{name}circle")) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty, expected one length per line"),
        ("mel\n", "there is a header but no length below it"),
        ("5\nlong\n7\n", "line 2: expected whole numbers, got 'long'"),
        ("mel\n5\n\n2.5\n", "line 4: expected whole numbers, got '2.5'"),
        ("5\n0\n", "line 2: A length must be at least 1, got 0: leave out empty examples"),
        ("text,mel\n5,6\n5\n", "line 3: expected whole numbers, got '5', ''"),
        ("a,b,c\n1,2,3\n", "has 3 columns: choose with --column"),
    ],
)
def test_bad_files_are_reported_by_line(tmp_path, text, message):
    path = tmp_path / "bad.csv"
    path.write_text(text)

    result = run(path)

    joint = {"l": ", ", "h": " ", "t": ": "}[message[0]]
    assert result.output == f"Error: {path}{joint}{message}\n"
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--column", "text"], "has no column 'text', only mel"),
        (["--buckets", "9"], "9 buckets were asked for, but there are only 4 distinct lengths"),
        (["--cost-per-trace", "2s"], "--cost-per-trace in seconds needs --step-time"),
        (["--cost-per-trace", "dear"], "--cost-per-trace must be a number (60) or seconds (30s)"),
        (["--cost-per-trace", "2s", "--step-time", "0s"], "--step-time must be more than zero"),
        (["--limit", "5"], "3 of 6 examples"),
        (["-o", "plan.txt"], "plan.txt: expected a name that ends in .svg or .json"),
        (["-o", "no/such/folder/plan.svg"], "cannot be written: No such file or directory"),
    ],
)
def test_bad_options_are_reported_without_a_traceback(lengths, arguments, message):
    result = run(lengths, *arguments)

    assert message in result.output
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)


def test_other_files_are_refused(tmp_path):
    (tmp_path / "lengths.txt").write_text("5\n")
    (tmp_path / "bad.npy").write_bytes(b"not an array")
    numpy.save(tmp_path / "float.npy", numpy.ones([3]))

    assert "expected a .csv or .npy file of lengths" in run(tmp_path / "lengths.txt").output
    assert "is not a .npy file of whole numbers" in run(tmp_path / "bad.npy").output
    assert "got float64 of shape (3,)" in run(tmp_path / "float.npy").output


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], " holds no lengths: expected at least one"),
        ([7, -1], ": A length must be at least 1, got -1: leave out empty examples"),
    ],
)
def test_bad_numbers_in_an_array_are_reported_with_the_file(tmp_path, values, message):
    numpy.save(tmp_path / "bad.npy", numpy.array(values, int))

    result = run(tmp_path / "bad.npy")

    assert (result.output, result.exit_code) == (f"Error: {tmp_path / 'bad.npy'}{message}\n", 2)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "bad.csv").write_bytes(bytes(range(128, 256)))

    assert run(tmp_path / "bad.csv").output == (
        f"Error: {tmp_path / 'bad.csv'} is not UTF-8 text: expected a .csv file of lengths\n"
    )
