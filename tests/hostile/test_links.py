"""Nothing is written through a link that the user did not name."""

import pathlib

import pytest

from graphdoctor.errors import GraphdoctorError
from graphdoctor.fixing.writing import replace_files
from tests.cli.commands import graphdoctor

LOOP = (
    "import tensorflow as tf\n\n\n@tf.function\ndef f(x, n):\n    return x * n\n\n\n"
    "for n in range(9):\n    f(tf.ones([2]), n)\n"
)


@pytest.fixture
def linked(tmp_path: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    (tmp_path / "project").mkdir()
    outside = tmp_path / "outside.py"
    outside.write_text(LOOP)
    (tmp_path / "project/train.py").symlink_to(outside)
    return tmp_path / "project", outside


def test_fixing_a_folder_leaves_linked_files_alone(linked: tuple[pathlib.Path, pathlib.Path]) -> None:
    project, outside = linked
    graphdoctor("check", "--fix", "--unsafe-fixes", cwd=project)
    assert outside.read_text() == LOOP


def test_a_link_that_is_named_is_followed(linked: tuple[pathlib.Path, pathlib.Path]) -> None:
    project, outside = linked
    graphdoctor("check", "--fix", "--unsafe-fixes", "train.py", cwd=project)
    assert outside.read_text() != LOOP
    assert (project / "train.py").is_symlink()


def test_proven_edits_of_a_linked_module_are_refused(linked: tuple[pathlib.Path, pathlib.Path]) -> None:
    project, outside = linked
    file = str(project / "train.py")
    with pytest.raises(GraphdoctorError, match="is a link"):
        replace_files({file: (LOOP.encode(), "changed")}, named=())
    assert outside.read_text() == LOOP


def test_a_draft_has_a_name_that_nobody_foresees(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text(LOOP)
    replace_files({str(tmp_path / "train.py"): (LOOP.encode(), "changed")})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"train.py": "changed"}


def test_the_cache_writes_through_no_link(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text(LOOP)
    (tmp_path / ".graphdoctor_cache").mkdir()
    (tmp_path / ".graphdoctor_cache/.gitignore").symlink_to(tmp_path / "target.txt")
    graphdoctor("check", cwd=tmp_path)
    assert not (tmp_path / "target.txt").exists()


def test_a_cache_that_is_a_link_is_not_used(tmp_path: pathlib.Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "project/train.py").write_text(LOOP)
    (tmp_path / "project/.graphdoctor_cache").symlink_to(tmp_path / "elsewhere")
    graphdoctor("check", cwd=tmp_path / "project")
    assert list((tmp_path / "elsewhere").iterdir()) == []
