"""Checks of one text after the other say what each says by itself, and read again only what changed."""

import os
import pathlib
import random
import time
from collections.abc import Callable

import pytest

from graphdoctor.config import Config
from graphdoctor.errors import Cancelled, SourceError
from graphdoctor.judging import Session, check_text
from graphdoctor.source import importers, project_index
from graphdoctor.source.project_index import ProjectIndex

FAULTY = sorted((pathlib.Path(__file__).parents[1] / "programs/check/faulty").glob("*.py"))
HELPER = "import tensorflow as tf\n\n\n@tf.function\ndef scale(x, step):\n    return x * step\n"
MAIN = """import tensorflow as tf
from helper import scale

for step in range(9):
    scale(tf.ones([3]), step)
"""


@pytest.fixture
def project(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "helper.py", HELPER)
    write(tmp_path / "main.py", MAIN)
    return tmp_path


def write(path: pathlib.Path, text: str) -> None:
    """Write a file as if it had been written a while ago, each time at another moment."""
    before = path.stat().st_mtime_ns if path.exists() else time.time_ns() - 10**12
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(before + 10**9, before + 10**9))


def rules(session: Session, text: str = MAIN, **options: object) -> list[str]:
    return [finding.rule for finding in session.check("main.py", text, **options).findings]  # type: ignore[arg-type]


def test_each_text_has_the_findings_that_it_has_by_itself(project: pathlib.Path) -> None:
    session, chance = Session(Config()), random.Random(1)
    for program in chance.sample(FAULTY, 6):
        lines = program.read_text(encoding="utf-8").splitlines(keepends=True)
        write(project / "main.py", "".join(lines))
        for _ in range(3):
            place = chance.randrange(len(lines))
            text = "".join([*lines[:place], chance.choice(("\n", "# more\n")), *lines[place:]])
            try:
                alone = check_text("main.py", text, Config())
            except SourceError:
                continue
            assert session.check("main.py", text) == alone


def test_what_is_imported_is_parsed_once(project: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(Config())
    assert rules(session) == ["GD101"]
    monkeypatch.setattr("graphdoctor.judging.session.read_notebook_or_source", pytest.fail)
    assert rules(session, MAIN + "\n") == ["GD101"]


@pytest.mark.parametrize("changed", ["saved", "edited", "deleted"])
def test_what_is_imported_is_read_again_when_it_changes(project: pathlib.Path, changed: str) -> None:
    session, eager, texts = Session(Config()), HELPER.replace("@tf.function\n", ""), {}
    assert rules(session) == ["GD101"]
    if changed == "saved":
        write(project / "helper.py", eager)
    elif changed == "edited":
        texts = {str(project / "helper.py"): eager}
    else:
        (project / "helper.py").unlink()
    assert rules(session, texts=texts) == []
    write(project / "helper.py", HELPER)
    assert rules(session) == ["GD101"]


def test_a_file_that_its_imports_import_is_followed_again(project: pathlib.Path) -> None:
    write(project / "helper.py", HELPER + "import main\n")
    session = Session(Config())
    for text in (MAIN, MAIN.replace("range(9)", "tf.range(9)"), MAIN):
        assert session.check("main.py", text) == check_text("main.py", text, Config())


def test_work_that_nobody_waits_for_ends_and_leaves_no_trace(project: pathlib.Path) -> None:
    def after(steps: int) -> Callable[[], None]:
        left = iter(range(steps))

        def go_on() -> None:
            if next(left, None) is None:
                raise Cancelled

        return go_on

    session, alone = Session(Config()), check_text("main.py", MAIN, Config())
    for steps in (0, 1, 2, 3, 5, 8):
        with pytest.raises(Cancelled):
            session.check("main.py", MAIN, go_on=after(steps))
        assert session.check("main.py", MAIN) == alone


def test_the_index_reads_again_only_what_changed(
    project: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper, main = (str(project / name) for name in ("helper.py", "main.py"))
    index = ProjectIndex()
    trees = {path: index.tree(path) for path in index.files(str(project))}
    assert set(trees) == {helper, main}
    index.refresh({main: MAIN + "edited = 1\n"})
    assert index.tree(helper) is trees[helper]
    assert index.code(main).endswith("edited = 1\n")
    write(project / "helper.py", HELPER + "saved = 1\n")
    write(project / "new.py", "import main\n")
    index.refresh({})
    assert index.code(helper).endswith("saved = 1\n")
    assert index.code(main) == MAIN
    assert len(index.files(str(project))) == 3
    assert [os.path.basename(path) for path in index.importers("main.py")] == ["new.py"]
    monkeypatch.setattr(project_index, "find_files", pytest.fail)
    monkeypatch.setattr(importers, "find_files", pytest.fail)
    index.refresh({})
    assert len(index.files(str(project))) == 3
    asked: list[str] = []
    assert [index.answer(lambda text: asked.append(text) or len(text), main) for _ in range(1)] == [len(MAIN)]
