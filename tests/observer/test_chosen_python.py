"""Which interpreter runs the program, and that nobody has to guess it."""

import sys
from unittest import mock

import pytest

from graphdoctor.observer.launch import choose_python


def choose(monkeypatch: pytest.MonkeyPatch, *, tensorflow: bool) -> str:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    spec = mock.Mock() if tensorflow else None
    monkeypatch.setattr("graphdoctor.observer.launch.importlib.util.find_spec", lambda name: spec)
    monkeypatch.setattr("graphdoctor.observer.launch.shutil.which", lambda name: "/usr/bin/python3")
    return choose_python(None)


def test_our_own_where_it_has_tensorflow(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert choose(monkeypatch, tensorflow=True) == sys.executable
    assert capsys.readouterr().err == ""


def test_another_one_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert choose(monkeypatch, tensorflow=False) == "/usr/bin/python3"
    assert capsys.readouterr().err == (
        f"graphdoctor: {sys.executable} has no TensorFlow: the program runs with /usr/bin/python3; "
        "--python names another\n"
    )
