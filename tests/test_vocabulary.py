"""The check of words finds what it looks for, and leaves alone what is allowed."""

import pathlib

import pytest
from scripts.vocabulary import CODE, DOCUMENTS, old_words, places

FOUND = {
    "at each turn of the loop": ["turn"],
    "def _told(self):": ["told"],
    "class ToldOnce:": ["Told"],
    "how to mend it, or the cure": ["mend", "cure"],
    "# made anew, and by now gone": ["anew", "by now"],
    "where nobody knows": ["nobody knows"],
    "MANY_TURNS = 3": ["TURNS"],
}
ALLOWED = (
    "return a value; overturned",
    "AutoGraph turns it into a loop",
    "the variants run in turn",
    "loop.turns or 0",
    "foretold: bool = False",
    "a recommended amendment, secured and obscure",
)


@pytest.mark.parametrize("line", FOUND)
def test_old_words_are_found(line: str) -> None:
    assert list(old_words("src/a.py", line)) == FOUND[line]


@pytest.mark.parametrize("line", ALLOWED)
def test_other_words_are_left_alone(line: str) -> None:
    assert list(old_words("src/a.py", line)) == []


def test_files_and_their_names_are_looked_at(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "src"
    folder.mkdir()
    (folder / "curing.py").write_text('"""Says what is told."""\n')
    found = list(places(CODE, tmp_path))
    assert [line.partition(" (")[0] for line in found] == [
        "src/curing.py: the file's name: curing",
        "src/curing.py:1: told",
    ]


def test_this_project_has_none() -> None:
    assert list(places((*CODE, *DOCUMENTS))) == []
