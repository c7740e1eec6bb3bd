"""`graphdoctor fix`, really run, and what it says of programs that it cannot fix."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys

import pytest
from tests.cli.commands import graphdoctor

DYING = """
import sys

import tensorflow as tf

from sizes import area


@tf.function
def areas(boxes):
    found = []
    for box in boxes:
        found.append(area(box))
    return tf.stack(found)


scale = float(sys.stdin.readline())
with open("result.txt", "a") as file:
    file.write("written")
with open("result.txt") as file:
    print(file.read(), areas(tf.constant([[1.0, 2.0], [3.0, 4.0]]) * scale).numpy(), *sys.argv[1:])
""".lstrip()
SIZES = "def area(box):\n    return box[0] * box[1]\n"
FIXED_DIFF = """
--- a/crop.py
+++ b/crop.py
@@ -7,10 +7,10 @@
\x20
 @tf.function
 def areas(boxes):
-    found = []
+    found = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
     for box in boxes:
-        found.append(area(box))
-    return tf.stack(found)
+        found = found.write(found.size(), area(box))
+    return found.stack()
\x20
\x20
 scale = float(sys.stdin.readline())
""".lstrip()


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "crop.py").write_text(DYING)
    (tmp_path / "book.ipynb").write_text("{}")
    (tmp_path / "library").mkdir()
    (tmp_path / "library/sizes.py").write_text(SIZES)
    return tmp_path


@pytest.mark.tensorflow
@pytest.mark.long
def test_a_fix_is_shown_proven_and_written(project: pathlib.Path) -> None:
    """Standard input, arguments, environment and relative files are the same in each run."""
    arguments = ("--apply", "--diff", "fix.patch", "-o", "proof.html", "crop.py", "--fast")
    done = graphdoctor("fix", *arguments, cwd=project, stdin="2.0\n", PYTHONPATH=_path(project))
    output = re.sub(r"[\d.]+ m?s", "1 s", done.stdout)
    assert output == (
        "crop.py: 1 edit · InaccessibleTensorError → runs · 1 trace → 1 · 1 s → 1 s · "
        "same output, same values as its eager run (largest difference 0)\n"
        f"{FIXED_DIFF}Fixed:\n  crop.py:12 GD309 append-in-tensor-loop · Use a `tf.TensorArray`\n"
    )
    assert done.returncode == 0
    assert "graphdoctor: 1 edit written to crop.py" in done.stderr
    assert "found = found.write" in (project / "crop.py").read_text()
    assert (project / "fix.patch").read_text() == FIXED_DIFF
    assert '<section id="proof"' in (project / "proof.html").read_text()
    assert sorted(os.listdir(project)) == ["book.ipynb", "crop.py", "fix.patch", "library", "proof.html"]


@pytest.mark.tensorflow
@pytest.mark.long
def test_nothing_is_written_unasked_and_the_copy_is_what_runs(project: pathlib.Path) -> None:
    """The faulty module is found by PYTHONPATH: the copy's, not the user's."""
    (project / "library/cropping.py").write_text(DYING)
    done = graphdoctor(
        "fix", "--json", "-q", "-m", "cropping", cwd=project, stdin="1\n", PYTHONPATH=_path(project)
    )
    result = json.loads(done.stdout)["cure"]
    assert (result["verdict"], result["edited"], done.returncode) == ("cured", ["library/cropping.py"], 1)
    assert done.stderr == ""
    assert (project / "library/cropping.py").read_text() == DYING
    assert not (project / "result.txt").exists()


def _path(project: pathlib.Path) -> str:
    return os.pathsep.join([str(project / "library"), os.environ.get("PYTHONPATH", "")])


BAD_INPUT = {
    "no program": ([], "no program given: try `graphdoctor fix train.py`"),
    "none there": (["gone.py"], "gone.py does not exist; give a Python file, or a module with -m"),
    "a directory": (["library"], "library is a directory; give a Python file, or a module with -m"),
    "a notebook is not written": (
        ["--apply", "book.ipynb"],
        "book.ipynb is a notebook, which --apply does not write: a browser has it open, and that copy would "
        "win; without --apply the edits are shown cell by cell",
    ),
    "no notebook": (["book.ipynb"], "book.ipynb is not a notebook: KeyError: 'cells'"),
    "no such rule": (
        ["--only", "GD999", "crop.py"],
        "--only GD999: no rule is called so; `graphdoctor rule` lists them",
    ),
    "an unknown format": (
        ["-o", "proof.pdf", "crop.py"],
        "-o proof.pdf: the extension must be one of .txt, .json, .sarif, .html, not `.pdf`",
    ),
    "no such Python": (
        ["--python", "python0", "crop.py"],
        "--python python0: there is no such program",
    ),
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_a_clear_word(name: str, project: pathlib.Path) -> None:
    arguments, word = BAD_INPUT[name]
    done = graphdoctor("fix", *arguments, cwd=project)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"graphdoctor: {word}\n")


PROGRAMS = {
    "without TensorFlow": (
        "print('hello')",
        0,
        "the program did not import TensorFlow: there is nothing to fix",
    ),
    "dies first": (
        "raise SystemError('no GPU here')",
        2,
        "the program died before it imported TensorFlow: SystemError: no GPU here",
    ),
    "asks and is not answered": (
        "input('name? ')",
        2,
        "the program died before it imported TensorFlow: EOFError: EOF when reading a line",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_with_nothing_to_fix(name: str, tmp_path: pathlib.Path) -> None:
    text, status, word = PROGRAMS[name]
    (tmp_path / "p.py").write_text(text)
    done = graphdoctor("fix", "-q", "p.py", cwd=tmp_path, stdin="")
    assert (done.returncode, done.stderr) == (status, "")
    assert done.stdout.startswith(f"p.py: nothing could be compared\nNote: {word}\n")


def test_a_program_that_runs_for_ever_is_stopped(tmp_path: pathlib.Path) -> None:
    (tmp_path / "p.py").write_text("import time\nwhile True:\n    time.sleep(1)\n")
    done = graphdoctor("fix", "-q", "--timeout", "2", "p.py", cwd=tmp_path, stdin="")
    assert done.returncode == 2
    assert done.stdout == (
        "p.py: nothing could be compared\n"
        "Note: each run was stopped after 2 s: the proof covers what ran until then\n"
    )


def test_files_written_elsewhere_are_named(tmp_path: pathlib.Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here/p.py").write_text(f"open({str(tmp_path / 'there.txt')!r}, 'w').close()")
    elsewhere = tmp_path / "tmp"
    elsewhere.mkdir()
    done = graphdoctor("fix", "-q", "p.py", cwd=tmp_path / "here", stdin="", TMPDIR=str(elsewhere))
    assert done.stdout.endswith(
        f"Note: the program writes outside of its directory, in each run: {tmp_path / 'there.txt'}\n"
    )


def test_what_the_program_writes_is_shown_once(tmp_path: pathlib.Path) -> None:
    (tmp_path / "p.py").write_text("print('hello from', __file__)")
    done = graphdoctor("fix", "p.py", cwd=tmp_path, stdin="")
    assert done.stderr == (
        f"graphdoctor: running p.py as it is\nhello from {os.path.realpath(tmp_path)}/p.py\n"
    )


def test_ctrl_c_is_reported(tmp_path: pathlib.Path) -> None:
    (tmp_path / "p.py").write_text("import time\nprint('begun', flush=True)\ntime.sleep(600)\n")
    command = [sys.executable, "-m", "graphdoctor", "fix", "p.py"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    while b"begun" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert output.decode() == (
        "p.py: nothing could be compared\n"
        "Note: Ctrl-C stopped the program: these are the findings so far, no edit was tried\n"
    )
    assert process.returncode == 2
    assert os.listdir(tmp_path) == ["p.py"]
