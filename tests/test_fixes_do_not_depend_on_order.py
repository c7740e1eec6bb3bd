"""A fix does not depend on which other files the same process has read before."""

import pathlib

import pytest

from graphdoctor.config import Config
from graphdoctor.judging.modules import open_project
from graphdoctor.source.sites import Sources


def test_a_fix_sees_what_its_file_leads_to_and_nothing_else(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text("def main():\n    from steps import step\n    step()\n")
    (tmp_path / "steps.py").write_text("import settings\n\n\ndef step():\n    pass\n")
    (tmp_path / "settings.py").write_text("rate = 0.5\n")
    (tmp_path / "other.py").write_text("rate = None\n")
    seen = []
    for before in ([], ["other.py"], ["settings.py", "other.py", "steps.py"]):
        project = open_project(Config())
        for path in before:
            assert project.module(path) is not None
        seen.append([module.path for module in Sources.of(project, "train.py").modules])
    assert seen == [["settings.py", "steps.py", "train.py"]] * 3
