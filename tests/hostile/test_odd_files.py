"""Files that are no ordinary Python text: each costs itself alone."""

import json
import os
import pathlib

import pytest

from tests.cli.commands import graphdoctor

GOOD = "import tensorflow as tf\n\n\n@tf.function\ndef f(x):\n    return x\n"


def check(folder: pathlib.Path, *options: str, **environment: str) -> tuple[int, list[str], str]:
    done = graphdoctor(
        "check", "--no-cache", "--output-format", "json", *options, cwd=folder, process=True, **environment
    )
    assert "Traceback" not in done.stderr
    return done.returncode, [f["message"] for f in json.loads(done.stdout)["findings"]], done.stderr


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "good.py").write_text(GOOD)
    return tmp_path


def test_a_pipe_is_not_waited_for(folder: pathlib.Path) -> None:
    os.mkfifo(folder / "x.py")
    assert check(folder)[:2] == (2, ["x.py cannot be read: it is not a regular file"])


def test_a_link_to_a_device_is_not_read(folder: pathlib.Path) -> None:
    (folder / "x.py").symlink_to("/dev/zero")
    assert check(folder)[:2] == (2, ["x.py cannot be read: it is not a regular file"])


def test_a_file_beyond_the_limit_is_not_read(folder: pathlib.Path) -> None:
    with (folder / "x.py").open("wb") as file:
        file.truncate(65 * 2**20)
    assert check(folder)[:2] == (2, ["x.py cannot be read: it is larger than 64 MB"])


def test_pins_and_notebooks_that_never_end_are_not_read(folder: pathlib.Path) -> None:
    (folder / "requirements.txt").symlink_to("/dev/zero")
    os.mkfifo(folder / "setup.py")
    (folder / "README.md").symlink_to("/dev/zero")
    (folder / ".gitignore").symlink_to("/dev/zero")
    code, messages, _ = check(folder)
    assert (code, messages) == (2, ["setup.py cannot be read: it is not a regular file"])


def test_an_encoding_that_is_no_text(folder: pathlib.Path) -> None:
    (folder / "x.py").write_text("# coding: rot13\n# tensorflow.function\n")
    code, (message,), _ = check(folder)
    assert (code, message.startswith("x.py is not Python text: ")) == (2, True)


@pytest.mark.parametrize("below", ["", "package"])
def test_a_name_that_is_no_text_does_not_spoil_the_cache(folder: pathlib.Path, below: str) -> None:
    (folder / below).mkdir(exist_ok=True)
    (folder / below / "other.py").write_text("import nets\n" + GOOD)
    with open(os.fsencode(folder / below) + b"/bad\xff.py", "w") as file:
        file.write(GOOD)
    for _ in range(2):
        done = graphdoctor("check", cwd=folder, process=True)
        assert (done.returncode, done.stderr) == (2, "")


@pytest.mark.parametrize("form", ["text", "json", "concise", "github", "sarif"])
@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
def test_a_name_that_is_no_text(folder: pathlib.Path, form: str, locale: str) -> None:
    with open(os.fsencode(folder) + b"/bad\xff.py", "w") as file:
        file.write(GOOD)
    done = graphdoctor(
        "check",
        "--no-cache",
        "--output-format",
        form,
        cwd=folder,
        process=True,
        LC_ALL=locale,
        PYTHONUTF8="0",
    )
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert "the name of this file is not UTF-8" in done.stdout


def test_names_outside_ascii_in_the_c_locale(folder: pathlib.Path) -> None:
    (folder / "größe.py").write_text(GOOD.replace("return x", "print(x)\n    return x"), encoding="utf-8")
    settings = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = graphdoctor("check", "--no-cache", cwd=folder, process=True, **settings)
    assert (done.returncode in (1, 2), "Traceback" in done.stderr) == (True, False)


DIGITS = "n = " + "9" * 2_000_000 + "\n"
LAMBDAS = "f = " + "lambda: " * 900 + "0\n"


def beside(large: str) -> str:
    """A program with a defect, and something large before it."""
    return GOOD.replace("\n\n\n@", f"\n\n{large}\n\n@").replace("return x", "print(x)\n    return x")


@pytest.mark.parametrize("options", [(), ("x.py",)])
def test_a_number_that_python_does_not_read_is_unknown_and_said(
    folder: pathlib.Path, options: tuple[str, ...]
) -> None:
    (folder / "x.py").write_text(beside(DIGITS))
    done = graphdoctor("check", "--no-cache", "--output-format", "json", *options, cwd=folder)
    report = json.loads(done.stdout)
    assert (done.returncode, report["findings"]) == (0, [])
    assert report["coverage"]["not_followed"] == [
        {
            "name": "<module>",
            "path": "x.py",
            "line": 3,
            "reason": "it holds a number with more digits than Python reads",
        }
    ]
    text = graphdoctor("check", "--no-cache", *options, cwd=folder).stdout
    assert "it holds a number with more digits than Python reads" in text


def test_a_number_that_python_does_not_read_excuses_no_mistake(folder: pathlib.Path) -> None:
    (folder / "x.py").write_text(beside(DIGITS) + "def (:\n")
    code, (message,), _ = check(folder)
    assert (code, message.startswith("x.py is not Python: ")) == (2, True)


def test_standard_input_with_such_a_number(folder: pathlib.Path) -> None:
    done = graphdoctor("check", "--stdin-filename", "x.py", cwd=folder, stdin=beside(DIGITS))
    assert done.returncode == 0, done.stdout
    assert "it holds a number with more digits than Python reads" in done.stdout


def test_what_python_s_parser_cannot_nest_is_unknown_and_said(folder: pathlib.Path) -> None:
    (folder / "x.py").write_text(beside("f = " + "-" * 100_000 + "1\n"))
    done = graphdoctor("check", "--no-cache", cwd=folder, process=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "it is nested more deeply than Python reads" in done.stdout


def test_nested_lambdas_hide_no_finding(folder: pathlib.Path) -> None:
    (folder / "x.py").write_text(beside(LAMBDAS))
    code, (message,), _ = check(folder)
    assert message == "`print` runs only while `f` is traced, not at each call"
    assert code == 0  # a note
