"""What the observer imports is Python's own, and takes no name from the program's modules."""

import pathlib
import sys

import pytest
from tests.cli.commands import graphdoctor, python

# Importing one is seen: it writes its name.
DECOY = "import sys\nprint('imported', __name__, file=sys.stderr)\n"


def test_nothing_of_the_program_s_is_imported_at_exit(tmp_path: pathlib.Path) -> None:
    (tmp_path / "program").mkdir()
    for name in ("resource", "fcntl"):
        (tmp_path / "program" / f"{name}.py").write_text(DECOY)
    (tmp_path / "program/train.py").write_text("import time\n")
    done = graphdoctor("run", "program/train.py", cwd=tmp_path)
    assert "imported" not in done.stderr


def test_the_program_still_gets_its_own_modules(tmp_path: pathlib.Path) -> None:
    for name in ("resource", "fcntl"):
        (tmp_path / f"{name}.py").write_text("mine = True\n")
    asking = "import fcntl, resource\nprint(*(hasattr(one, 'mine') for one in (fcntl, resource)))\n"
    (tmp_path / "train.py").write_text(asking)
    alone = python("train.py", cwd=tmp_path)  # a Python may have them built in: then nobody gets his own
    done = graphdoctor("run", "train.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, alone.stdout)
    built_in = {"fcntl", "resource"} & set(sys.builtin_module_names)
    assert built_in or done.stdout == "True True\n"


@pytest.mark.tensorflow
def test_with_tensorflow_the_same_modules_are_the_program_s(tmp_path: pathlib.Path) -> None:
    """Each module of Python that the observer loads and TensorFlow does not is left to the program."""
    listed = "import sys\nimport tensorflow\nprint(*sorted(n for n in sys.modules if '.' not in n))\n"
    (tmp_path / "plain.py").write_text(listed)
    without = set(python("plain.py", cwd=tmp_path).stdout.split())
    observed = set(graphdoctor("run", "-q", "plain.py", cwd=tmp_path).stdout.split())
    assert (observed - without) & set(sys.stdlib_module_names) == set()
