"""The project around files: what is read of it, and what is not."""

import pathlib

import pytest

from graphdoctor.source import project_index
from graphdoctor.source.project_index import ProjectIndex


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "library.py").write_text("x = 1\n")
    (tmp_path / "main.py").write_text("import library\n")
    return tmp_path


def test_a_saved_file_has_importers_also_when_its_text_is_given(project: pathlib.Path) -> None:
    path = str(project / "library.py")
    index = ProjectIndex(texts={path: "x = 2\n"})
    assert [pathlib.Path(each).name for each in index.importers(path)] == ["main.py"]
    assert sorted(pathlib.Path(each).name for each in index.files(str(project))) == ["library.py", "main.py"]
    assert index.code(path) == "x = 2\n"


def test_for_a_text_that_is_in_no_file_nothing_else_is_read(
    project: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_index, "find_files", pytest.fail)
    path = str(project / "new.py")
    index = ProjectIndex(texts={path: "import library\n"})
    assert (index.importers(path), index.files(str(project))) == ((), [path])
    assert index.eager_switch(path) == ""
