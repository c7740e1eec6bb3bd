"""What follows `-m MODULE` or `-c CODE` is the program's, as with Python itself."""

import pathlib

import pytest
from tests.cli.commands import graphdoctor

SHOW = "import sys\nprint(sys.argv[1:])\n"


@pytest.mark.parametrize(
    "options", [("-m", "trainer"), ("-q", "-m", "trainer"), ("-qmtrainer",), ("-o", "x.json", "-mtrainer")]
)
def test_options_of_the_module_are_its_own(tmp_path: pathlib.Path, options: tuple[str, ...]) -> None:
    (tmp_path / "trainer.py").write_text(SHOW)
    own = ("-q", "--live", "-o", "a.txt", "--epochs", "3", "--", "--help")
    done = graphdoctor("run", *options, *own, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{list(own)}\n")


def test_options_of_a_text_are_its_own(tmp_path: pathlib.Path) -> None:
    done = graphdoctor("run", "-c", SHOW, "-q", "--redact", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "['-q', '--redact']\n")


def test_a_value_that_looks_like_the_option_is_none(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text(SHOW)
    done = graphdoctor("run", "--include", "-m", "train.py", "-m", "-q", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "['-m', '-q']\n")
