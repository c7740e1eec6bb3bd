"""What the shell offers after Tab, asked as the shell asks; and the version."""

import importlib.metadata
import os
import pathlib
import platform
import shutil
import subprocess
import sys

import pytest
from tests.cli.commands import graphdoctor

from graphdoctor.version import __version__


def offered(*words: str) -> list[str]:
    done = graphdoctor(
        cwd=pathlib.Path.cwd(),
        _GRAPHDOCTOR_COMPLETE="bash_complete",
        COMP_WORDS=" ".join(["graphdoctor", *words]),
        COMP_CWORD=str(len(words)),
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ru"], ["plain,run", "plain,rule"]),
        (["rule", "GD101"], ["plain,GD101"]),
        (["check", "--select", "gd101"], ["plain,GD101"]),
        (["check", "--unsafe"], ["plain,--unsafe-fixes"]),
        (["run", "tra"], ["file,tra"]),
        (["report", "r"], ["file,r"]),
    ],
)
def test_commands_options_rules_and_files_are_offered(words: list[str], expected: list[str]) -> None:
    assert offered(*words) == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_the_shell_understands(shell: str, tmp_path: pathlib.Path) -> None:
    script = graphdoctor("completion", shell, cwd=tmp_path).stdout
    assert "_GRAPHDOCTOR_COMPLETE" in script
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n"], input=script, text=True, check=True)


def test_bash_completes_with_it(tmp_path: pathlib.Path) -> None:
    """The whole way: bash reads the script, and its function asks our program."""
    program = tmp_path / "graphdoctor"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m graphdoctor "$@"\n')
    program.chmod(0o755)
    script = graphdoctor("completion", "bash", cwd=tmp_path).stdout
    asking = (
        'COMP_WORDS=(graphdoctor diagn); COMP_CWORD=1; _graphdoctor_completion graphdoctor; echo "$COMPREPLY"'
    )
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", f"{script}\n{asking}"], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout == "diagnose\n"


def test_version_names_tensorflow_without_importing_it(tmp_path: pathlib.Path) -> None:
    tensorflow = importlib.metadata.version("tensorflow-cpu")
    expected = f"graphdoctor {__version__}, TensorFlow {tensorflow}, Python {platform.python_version()}\n"
    assert graphdoctor("--version", cwd=tmp_path).stdout == expected
    code = (
        "import sys\nfrom graphdoctor.cli.main import commands\n"
        "try:\n    commands(['--version'])\nexcept SystemExit: pass\nprint('tensorflow' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == expected + "False\n"
