"""Files are written all or none."""

import os
import pathlib

import pytest

from graphdoctor.errors import GraphdoctorError
from graphdoctor.fixing.writing import replace_files


def test_all_are_written(tmp_path: pathlib.Path) -> None:
    one, other = tmp_path / "a.py", tmp_path / "b.py"
    one.write_text("a")
    other.write_bytes("# coding: latin-1\n# \xe9".encode("latin-1"))
    changed = {str(one): (b"a", "b"), str(other): (other.read_bytes(), "# coding: latin-1\n# \xe8")}
    replace_files(changed)
    assert one.read_text() == "b"
    assert other.read_bytes() == "# coding: latin-1\n# \xe8".encode("latin-1")
    assert sorted(os.listdir(tmp_path)) == ["a.py", "b.py"]


def test_nothing_is_written_when_a_file_changed_meanwhile(tmp_path: pathlib.Path) -> None:
    one, other = tmp_path / "a.py", tmp_path / "b.py"
    one.write_text("a")
    other.write_text("the user's own")
    with pytest.raises(GraphdoctorError, match=r"b\.py was changed meanwhile: nothing is written"):
        replace_files({str(one): (b"a", "x"), str(other): (b"b", "x")})
    assert one.read_text() == "a"
    assert sorted(os.listdir(tmp_path)) == ["a.py", "b.py"]


def test_nothing_is_written_where_one_cannot_be(tmp_path: pathlib.Path) -> None:
    one = tmp_path / "a.py"
    one.write_text("a")
    with pytest.raises(GraphdoctorError, match=r"gone\.py: cannot be written: No such file"):
        replace_files({str(one): (b"a", "x"), str(tmp_path / "gone.py"): (b"", "x")})
    assert one.read_text() == "a"
