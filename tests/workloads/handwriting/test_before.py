"""The broken attention loop: it fails as reported, is found, explained and repaired, and then trains."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tensorflow as tf

from workloads.handwriting.before import attention, keras_model

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]
PROGRAM = Path(attention.__file__)


@pytest.fixture
def program(tmp_path):
    return Path(shutil.copy(PROGRAM, tmp_path))


def graphdoctor(folder, *arguments):
    command = [sys.executable, "-m", "graphdoctor", *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def append_line():
    return PROGRAM.read_text().splitlines().index(" " * 16 + "windows.append(window)") + 1


def of_the_list(report):
    """The one finding about the list that takes tensors out of the loop."""
    (finding,) = [finding for finding in json.loads(report)["findings"] if finding["rule"] == "GD309"]
    return finding


def eager_line(capsys):
    """What the program prints when nothing is a graph."""
    tf.config.run_functions_eagerly(True)
    try:
        attention.train_and_print()
    finally:
        tf.config.run_functions_eagerly(False)
    return capsys.readouterr().out


def test_check_finds_the_list(program):
    result = graphdoctor(program.parent, "check", program.name, "--output-format", "json")
    assert (result.returncode, of_the_list(result.stdout)["line"]) == (1, append_line())


def test_run_explains_the_error_with_the_line_and_the_repair(program):
    result = graphdoctor(program.parent, "run", "-o", "report.json", program.name)
    assert result.returncode == 1
    assert "InaccessibleTensorError" in result.stderr
    finding = of_the_list((program.parent / "report.json").read_text())
    assert (finding["line"], finding["observed"]["failed"]) == (append_line(), 1)
    assert "InaccessibleTensorError" in finding["message"]
    assert finding["fix"]["title"] == "Use a `tf.TensorArray`"


def test_repaired_program_trains_as_the_eager_one_does(program, capsys):
    fixed = graphdoctor(program.parent, "check", program.name, "--fix", "--unsafe-fixes")
    assert fixed.returncode == 0
    result = graphdoctor(program.parent, "run", program.name)
    assert result.returncode == 0
    assert result.stdout.splitlines()[0] + "\n" == eager_line(capsys)
    assert "GD309" not in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("list", tf.errors.OperatorNotAllowedInGraphError),
        ("range", TypeError),
        ("tensorarray", tf.errors.OperatorNotAllowedInGraphError),
    ],
)
def test_keras_3_fails_with_other_errors(name, error):
    with pytest.raises(error):
        keras_model.predict_with(name)
