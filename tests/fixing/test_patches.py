"""What `--diff` writes is what git applies."""

import pathlib
import shutil
import subprocess

import pytest

from graphdoctor.config import Config
from graphdoctor.fixing import fix_paths
from graphdoctor.fixing.fixing import diff_of

GIT = shutil.which("git")
PROGRAM = """import tensorflow as tf

@tf.function
def f(x):
\tprint("x is", x)
\treturn x

for rate in range(5):
\tf(tf.ones([2]) * rate)\x0c
"""


def applied(folder: pathlib.Path, patch: str) -> str:
    """What git says to a patch; empty when it was applied."""
    file = folder / "the.patch"
    file.write_bytes(patch.encode())
    assert GIT is not None
    done = subprocess.run([GIT, "apply", file.name], cwd=folder, capture_output=True, check=False)
    return done.stderr.decode() if done.returncode else ""


@pytest.mark.parametrize(
    "name", ["plain.py", "größe.py", "with space.py", 'quo"te.py', "back\\slash.py", "tab\t.py"]
)
@pytest.mark.parametrize("end", ["\n", ""])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_patch_is_applied(
    name: str, end: str, newline: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (PROGRAM.rstrip("\n") + end).replace("\n", newline)
    file = tmp_path / name
    file.write_bytes(text.encode())
    patch = fix_paths([name], Config(), unsafe=True, write=False).diff
    assert patch
    fix_paths([name], Config(), unsafe=True, write=True)
    wanted = file.read_bytes()
    assert wanted != text.encode()
    file.write_bytes(text.encode())
    assert applied(tmp_path, patch) == ""
    assert file.read_bytes() == wanted


def test_a_patch_of_several_files(tmp_path: pathlib.Path) -> None:
    texts = {
        "a/one.py": ("x = 1\r\ry = 2\n", "x = 1\r\ry = 3\n"),
        "b.py": ("a\x0bb\n\u2028c\n", "a\x0bb\n\u2028d"),
    }
    patch = ""
    for path, (before, after) in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(before.encode())
        patch += diff_of(path, before, after)
    assert applied(tmp_path, patch) == ""
    assert {path: (tmp_path / path).read_bytes().decode() for path in texts} == {
        path: after for path, (_, after) in texts.items()
    }
