"""What is copied, and where a program is started."""

import os
import pathlib

import pytest

from graphdoctor.errors import LaunchError
from graphdoctor.fixing import copies
from graphdoctor.fixing.copies import copy_folder, find_place


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    root = tmp_path / "project"
    for path in ("pyproject.toml", "package/train.py", "data/rows.csv", ".git/config", "venv/pyvenv.cfg"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x")
    return root


def test_the_project_around_a_program_is_copied(project: pathlib.Path, tmp_path: pathlib.Path) -> None:
    place = find_place(["train.py", "--epochs", "1"], str(project / "package"))
    assert place.root == str(project)
    copy = tmp_path / "copy"
    copy_folder(place.root, str(copy), {"package/train.py": "edited"})
    found = sorted(str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file())
    assert found == ["data/rows.csv", "package/train.py", "pyproject.toml"]
    assert (copy / "package/train.py").read_text() == "edited"
    assert (project / "package/train.py").read_text() == "x"
    assert place.started_in(str(copy)) == str(copy / "package")
    assert place.command_in(str(copy)) == ["train.py", "--epochs", "1"]


def test_a_program_elsewhere_is_that_of_the_copy(project: pathlib.Path, tmp_path: pathlib.Path) -> None:
    place = find_place([str(project / "package/train.py")], str(tmp_path))
    assert place.started_in("/copy") == str(tmp_path)
    assert place.command_in("/copy") == ["/copy/package/train.py"]


def test_a_module_is_looked_for_from_where_we_stand(project: pathlib.Path) -> None:
    place = find_place(["-m", "package.train", "1"], str(project))
    assert (place.root, place.name) == (str(project), "package.train")
    assert place.command_in("/copy") == ["-m", "package.train", "1"]


def test_large_files_are_linked(
    project: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "LARGE_BYTES", 5)
    (project / "data/rows.csv").write_text("large enough")
    place = find_place(["package/train.py"], str(project))
    assert place.large == ("data/rows.csv",)
    copy_folder(place.root, str(tmp_path / "copy"))
    assert os.readlink(tmp_path / "copy/data/rows.csv") == str(project / "data/rows.csv")


def test_too_much_to_copy_is_said(project: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "MOST_FILES", 0)
    with pytest.raises(LaunchError, match="holds more than 0 files or 500 MB, and `fix` runs a copy"):
        find_place(["package/train.py"], str(project))


def test_what_is_too_much_is_left_where_less_will_do(
    project: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "MOST_FILES", 1)
    assert find_place(["train.py"], str(project / "package")).root == str(project / "package")
