"""Whose code a file is: what the user runs or asks for is his, wherever it is installed."""

import pathlib
import sys
import sysconfig
from collections.abc import Callable, Iterator

import pytest

from graphdoctor.observer.user_code import ownership
from graphdoctor.recording import Selection

INSTALLED = sysconfig.get_path("purelib")
Run = Callable[..., Callable[[str], bool]]


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> Iterator[Run]:
    """Pretend that this process runs a command; gives what tells whose a file below the folder is."""
    package = tmp_path / "env" / "site-packages" / "trainer"
    package.mkdir(parents=True)
    for name in ("__init__.py", "train.py"):
        (package / name).write_text("")
    (package.parent / "single.py").write_text("")
    monkeypatch.syspath_prepend(str(package.parent))

    def run(*command: str, include: tuple[str, ...] = ()) -> Callable[[str], bool]:
        words = [word.replace("HERE", str(tmp_path)) for word in command]
        monkeypatch.setattr(sys, "orig_argv", ["python", *words])
        ownership._run.cache_clear()
        ownership.ask_for(include)
        return lambda path: not ownership.is_library(path if path[0] in "/<" else str(tmp_path / path))

    yield run
    monkeypatch.undo()
    ownership._run.cache_clear()
    ownership.ask_for(())


OTHERS = (
    "env/site-packages/other/code.py",
    f"{INSTALLED}/tensorflow/python/ops.py",
    f"{INSTALLED}/keras/src/trainers/trainer.py",
    sysconfig.get_path("stdlib") + "/threading.py",
    "<frozen runpy>",
    "/tmp/__autograph_generated_filex1.py",
    ownership.OWN_PACKAGE + "/model/span.py",
)


@pytest.mark.parametrize(
    "command",
    [
        ("HERE/main.py",),
        ("-m", "trainer.train"),
        ("-X", "dev", "-mtrainer"),
        ("HERE/env/site-packages/single.py",),
        ("-m", "unittest", "discover"),
        ("-m", "keras"),
        ("-c", "import trainer"),
    ],
)
def test_libraries_stay_libraries_whatever_runs(command: tuple[str, ...], running: Run) -> None:
    is_own = running(*command)
    assert [path for path in OTHERS if is_own(path)] == []


@pytest.mark.parametrize(
    ("command", "file"),
    [
        (("HERE/main.py",), "main.py"),
        (("HERE/main.py",), "helpers/layers.py"),
        (("-m", "trainer.train"), "env/site-packages/trainer/deep/model.py"),
        (("-W", "error", "-m", "trainer"), "env/site-packages/trainer/train.py"),
        (("HERE/env/site-packages/trainer/train.py", "-m", "x"), "env/site-packages/trainer/model.py"),
        (("-m", "single"), "env/site-packages/single.py"),
        (("HERE/env/site-packages/single.py",), "env/site-packages/single.py"),
    ],
)
def test_what_is_run_is_the_users(command: tuple[str, ...], file: str, running: Run) -> None:
    assert running(*command)(file)


@pytest.mark.parametrize("include", ["trainer", "trainer/*", "*/trainer/train.py"])
def test_what_is_asked_for_is_the_users(include: str, running: Run) -> None:
    assert not running("HERE/main.py")("env/site-packages/trainer/train.py")
    assert running("HERE/main.py", include=(include,))("env/site-packages/trainer/train.py")
    assert Selection(include=(include,)).covers("env/site-packages/trainer/train.py")


def test_asking_for_everything_does_not_ask_for_keras(running: Run) -> None:
    is_own = running("HERE/main.py", include=("*",))
    assert not is_own(f"{INSTALLED}/keras/src/trainers/trainer.py")
    assert is_own("env/site-packages/trainer/train.py")
