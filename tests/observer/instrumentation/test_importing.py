"""Hooks on imports: reported once, in time, and without keeping anybody from his module."""

import pathlib
import subprocess
import sys

import pytest

from graphdoctor.observer.instrumentation.importing import before_import, when_imported


@pytest.fixture
def module(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "awaited.py").write_text("value = 3\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.delitem(sys.modules, "awaited", raising=False)
    return "awaited"


def test_before_is_before_and_once(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reported = []
    before_import((module, "other"), lambda: reported.append(module in sys.modules))
    for _ in range(2):
        assert __import__(module).value == 3
        monkeypatch.delitem(sys.modules, module)
    assert reported == [False]


def test_a_hook_that_is_put_in_place_by_the_first_hears_of_the_same_import(module: str) -> None:
    reported = []
    before_import(
        (module,), lambda: when_imported(module, lambda found: reported.append(found.value)) and None
    )
    __import__(module)
    assert reported == [3]


def test_what_is_already_there_is_reported_at_once(module: str) -> None:
    __import__(module)
    reported = []
    before_import((module,), lambda: reported.append(True))
    assert reported == [True]


def test_a_program_without_tensorflow_loads_no_observer() -> None:
    code = (
        "import sys; from graphdoctor.observer.starting import observe_this_process\n"
        "observe_this_process({'recording': 'none.jsonl'})\n"
        "print('graphdoctor.observer.session' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
