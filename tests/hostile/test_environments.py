"""Environments that are not a developer's own: each costs nothing but what is said."""

import ctypes
import json
import os
import pathlib
import subprocess
import sys

import pytest

from tests.cli.commands import clean_environment, graphdoctor

LOOP = (
    "import tensorflow as tf\n\n\n@tf.function\ndef f(x, n):\n    return x * n\n\n\n"
    "for n in range(9):\n    f(tf.ones([2]), n)\n"
)
PLAIN = "import sys\n\nprint(sys.argv[1:])\n"
PR_CAPBSET_DROP = 24
MOST_CAPABILITIES = 64


def without_privileges() -> None:
    """What root may do beyond others ends with the next program: files are then as their modes say."""
    library = ctypes.CDLL(None)
    for capability in range(MOST_CAPABILITIES):
        library.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def as_others(*arguments: str, cwd: pathlib.Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """`graphdoctor ARGUMENTS…` as a user who may not write wherever he likes."""
    return subprocess.run(
        [sys.executable, "-m", "graphdoctor", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**clean_environment(), **environment},
        preexec_fn=without_privileges if os.getuid() == 0 else None,
        check=False,
    )


@pytest.fixture
def read_only(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "read only"
    folder.mkdir()
    (folder / "train.py").write_text(LOOP)
    (folder / "plain.py").write_text(PLAIN)
    folder.chmod(0o555)
    return folder


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="capabilities are those of Linux")


@linux
def test_check_in_a_folder_that_cannot_be_written(read_only: pathlib.Path) -> None:
    done = as_others("check", "--output-format", "concise", cwd=read_only)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("train.py:10:21: SLOW GD101 ")
    assert sorted(path.name for path in read_only.iterdir()) == ["plain.py", "train.py"]


@linux
def test_a_gate_in_a_folder_that_cannot_be_written(read_only: pathlib.Path) -> None:
    done = as_others("run", "--fail-on", "retrace", "plain.py", cwd=read_only)
    assert (done.returncode, done.stdout) == (2, "[]\n")
    assert done.stderr.endswith("graphdoctor: not judged: there is no recording\n")


@linux
def test_fixing_what_cannot_be_written(read_only: pathlib.Path) -> None:
    done = as_others("check", "--fix", "--unsafe-fixes", "train.py", cwd=read_only)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    assert done.stderr.startswith("graphdoctor: ")
    assert (read_only / "train.py").read_text() == LOOP


@linux
def test_a_file_that_may_not_be_read_costs_itself(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text(LOOP)
    (tmp_path / "secret.py").write_text(LOOP)
    (tmp_path / "secret.py").chmod(0)
    done = as_others("check", "--output-format", "json", cwd=tmp_path)
    found = [(finding["path"], finding["rule"]) for finding in json.loads(done.stdout)["findings"]]
    assert (done.returncode, found) == (2, [("secret.py", "GD000"), ("train.py", "GD101")])


@linux
@pytest.mark.parametrize("home", ["read only", "nowhere"])
def test_a_home_that_cannot_be_written(tmp_path: pathlib.Path, read_only: pathlib.Path, home: str) -> None:
    (tmp_path / "plain.py").write_text(PLAIN)
    (tmp_path / "train.py").write_text(LOOP)
    environment = {"HOME": str(tmp_path / home), "XDG_CACHE_HOME": str(tmp_path / home / "cache")}
    assert as_others("check", "train.py", cwd=tmp_path, **environment).returncode == 1
    done = as_others("run", "plain.py", "a", cwd=tmp_path, **environment)
    assert (done.returncode, done.stdout) == (0, "['a']\n")


def test_a_path_with_spaces_and_quotes(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / 'my project\'s "code" $HOME'
    folder.mkdir()
    (folder / "train it.py").write_text(LOOP)
    (folder / "plain it.py").write_text(PLAIN)
    checked = graphdoctor("check", "--output-format", "concise", cwd=folder)
    assert checked.stdout.startswith("train it.py:10:21: SLOW GD101 ")
    done = graphdoctor("run", "plain it.py", "a b", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "['a b']\n")


def test_the_c_locale(tmp_path: pathlib.Path) -> None:
    (tmp_path / "größe.py").write_text("print('größe')\n", encoding="utf-8")
    settings = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "utf-8"}
    done = graphdoctor("run", "größe.py", cwd=tmp_path, **settings)
    assert (done.returncode, done.stdout) == (0, "größe\n"), done.stderr


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not pin processes")
def test_one_core(tmp_path: pathlib.Path) -> None:
    for number in range(60):  # enough that several processes would be used
        (tmp_path / f"train{number}.py").write_text(LOOP)
    core = min(os.sched_getaffinity(0))
    script = f"import os; os.sched_setaffinity(0, {{{core}}}); from graphdoctor.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "check", "--no-cache", "--output-format", "json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=clean_environment(),
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads(done.stdout)["coverage"]["graph_functions"] == 60
