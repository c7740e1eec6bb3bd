"""Who leads to a file: by the places that imports mean, not by names alone."""

import pathlib

import pytest

from graphdoctor.source.importers import find_importers


@pytest.fixture
def project(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(project: pathlib.Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)


def test_a_file_of_the_same_name_elsewhere_is_not_meant(project: pathlib.Path) -> None:
    write(project, {f"{case}/program.py": "" for case in "ab"})
    write(project, {"b/train.py": "import program\n", "b/other.py": "from program import step\n"})
    assert find_importers(["a/program.py"]) == []
    assert sorted(map(str, find_importers(["b/program.py"]))) == ["b/other.py", "b/train.py"]


def test_a_file_that_cannot_be_parsed_imports_nothing(project: pathlib.Path) -> None:
    write(project, {"helper.py": "", "broken.py": "import helper\ndef f(:\n"})
    assert find_importers(["helper.py"]) == []


@pytest.mark.parametrize(
    "line",
    [
        "import package.helper",
        "from package import helper",
        "from package.helper import step",
        "from package.helper import *",
        "def main():\n    from package import helper",
    ],
)
def test_every_spelling_of_an_import_is_known(project: pathlib.Path, line: str) -> None:
    write(project, {"package/__init__.py": "", "package/helper.py": "", "train.py": line + "\n"})
    assert find_importers(["package/helper.py"]) == ["train.py"]


def test_an_importer_of_an_importer_leads_to_the_file(project: pathlib.Path) -> None:
    write(
        project,
        {"package/__init__.py": "", "package/helper.py": "", "package/steps.py": "from . import helper\n"},
    )
    write(project, {"train.py": "from package.steps import step\n", "apart.py": "import json\n"})
    assert sorted(find_importers(["package/helper.py"])) == ["package/steps.py", "train.py"]


def test_a_package_that_hands_a_name_on_leads_to_the_file(project: pathlib.Path) -> None:
    write(
        project,
        {"package/__init__.py": "from .helper import step\n", "package/helper.py": "def step(): ...\n"},
    )
    write(project, {"train.py": "from package import step\n"})
    assert sorted(find_importers(["package/helper.py"])) == ["package/__init__.py", "train.py"]
