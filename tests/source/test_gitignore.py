"""`.gitignore`: what git would ignore, also where only some of the lines are made patterns."""

import os
import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from graphdoctor.source.gitignore import IgnoredByGit, _answer, _compiled

LINES = (
    "# a comment", "*.py[cod]", "build/", "/dist", "docs/_build/", "*.log", "!keep.log", "**/cache/**", "env",
    "[Tt]mp*", "data/*.py", "!data/one.py", "\\#odd.py", "space.py  ", "*~", "a?c.py", "***",
)  # fmt: skip
PATHS = (
    "a.py", "a.pyc", "build/", "build/a.py", "src/build/", "dist/", "src/dist/", "docs/_build/", "x.log",
    "keep.log", "src/cache/a.py", "env/", "src/env/a.py", "Tmp1.py", "tmp/", "data/two.py", "data/one.py",
    "#odd.py", "space.py", "a.py~", "abc.py", "src/a.py", "environment.py",
)  # fmt: skip


@pytest.mark.parametrize("lines", [LINES[:-1], LINES[:5], LINES[5:9], LINES[9:], ("*",), ("*", "!*.py")])
def test_a_path_is_ignored_as_all_lines_together_say(tmp_path: pathlib.Path, lines: tuple[str, ...]) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("\n".join(lines))
    ignored = IgnoredByGit(str(tmp_path))
    ignored.read(str(tmp_path))
    expected = GitIgnoreSpec.from_lines(lines)
    asked = [path for path in PATHS if not expected.match_file(os.path.dirname(path.rstrip("/")) + "/")]
    found = {path: ignored.is_ignored(f"{tmp_path}/{path}") for path in asked}
    assert found == {path: expected.match_file(path) for path in asked}


def test_lines_that_cannot_name_a_path_are_not_made_patterns(tmp_path: pathlib.Path) -> None:
    (tmp_path / ".gitignore").write_text("# a.py\n*.py[cod]\nlib/\nbuild\n[^a].py\n")
    ignored = IgnoredByGit(str(tmp_path))
    ignored.read(str(tmp_path))
    _compiled.cache_clear()
    assert not ignored.is_ignored(f"{tmp_path}/lib2/a_build.txt")
    assert _compiled.cache_info().misses == 0
    assert ignored.is_ignored(f"{tmp_path}/lib/")
    assert ignored.is_ignored(f"{tmp_path}/b.py")
    assert not ignored.is_ignored(f"{tmp_path}/a.py")


NAMES = st.text("ab._1", min_size=1, max_size=3).filter(lambda name: name.strip("."))


@given(line=NAMES, parts=st.lists(NAMES, min_size=1, max_size=3), folder=st.booleans())
def test_a_plain_name_is_answered_as_the_library_answers(line: str, parts: list[str], folder: bool) -> None:
    path = "/".join(parts) + "/" * folder
    if line not in parts[:-1]:  # what is inside a folder that is ignored is never asked for
        assert bool(_answer(line, path)) == GitIgnoreSpec.from_lines([line]).match_file(path)


def test_plain_names_need_no_library() -> None:
    _compiled.cache_clear()
    assert _answer("data/", "src/data/") is True
    assert _answer("data/", "src/data") is None
    assert _answer("# data", "# data") is None
    assert _compiled.cache_info().misses == 0
