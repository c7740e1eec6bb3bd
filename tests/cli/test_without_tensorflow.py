"""Commands that run a program say which interpreter has no TensorFlow, and the remedy."""

import pathlib
import venv

import pytest
from tests.cli.commands import graphdoctor

PROGRAM = "import tensorflow as tf\n\n\ndef make_trainer():\n    return tf\n"


@pytest.fixture
def python(tmp_path: pathlib.Path) -> str:
    """An interpreter with nothing installed."""
    venv.create(tmp_path / "bare", symlinks=True)
    (tmp_path / "train.py").write_text(PROGRAM)
    return str(tmp_path / "bare/bin/python")


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (("run", "train.py"), 1),
        (("fix", "--quiet", "train.py"), 2),
        (("tune", "--quiet", "train.py"), 2),
        (("diagnose", "train.py:make_trainer"), 2),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_the_interpreter_and_the_remedy(
    command: tuple[str, ...], status: int, python: str, tmp_path: pathlib.Path
) -> None:
    done = graphdoctor(command[0], "--python", python, *command[1:], cwd=tmp_path)
    assert done.returncode == status
    assert done.stderr.endswith(
        f"graphdoctor: {python} has no TensorFlow: `{python} -m pip install tensorflow`, "
        "or --python names another\n"
    )


def test_a_program_that_does_without_ends_well(python: str, tmp_path: pathlib.Path) -> None:
    """What the program wanted to import and could not is no loss of evidence."""
    (tmp_path / "train.py").write_text(
        "try:\n    import tensorflow\nexcept ImportError:\n    print('without')\n"
    )
    done = graphdoctor("run", "--fail-on", "retrace", "--python", python, "train.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "without\n")
    assert done.stderr == (
        "graphdoctor: the program did not import TensorFlow; nothing to report "
        "(--subprocesses also records the processes that it starts)\n"
    )
