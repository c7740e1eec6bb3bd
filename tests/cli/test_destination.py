"""Where recordings go: a folder that keeps the last few, and that nobody trips over."""

import os
import pathlib

import pytest

from graphdoctor.cli.destination import FOLDER, KEPT, Destination


@pytest.fixture(autouse=True)
def here(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_named_place_is_used_and_no_folder_made(here: pathlib.Path) -> None:
    place = Destination.choose("mine.jsonl", "train", subprocesses=False)
    assert place.pattern == str(here / "mine.jsonl")
    assert list(here.iterdir()) == []


def test_without_a_name_it_is_in_a_folder_that_git_ignores(here: pathlib.Path) -> None:
    place = Destination.choose(None, "train", subprocesses=False)
    assert place.shown(12) == f"{FOLDER}/train-12.jsonl"
    assert (here / FOLDER / ".gitignore").read_text() == "*\n"


def test_several_processes_have_a_folder_of_their_own(here: pathlib.Path) -> None:
    place = Destination.choose(None, "train", subprocesses=True)
    assert place.directory == str(here / FOLDER / f"train-{os.getpid()}")


def test_the_last_few_are_kept_and_what_is_not_ours_stays(here: pathlib.Path) -> None:
    folder = here / FOLDER
    (folder / "notes").mkdir(parents=True)
    (folder / "notes/mine.txt").write_text("mine")
    os.utime(folder / "notes", (0, 0))
    for number in range(15):
        recording = folder / f"train-{number}.jsonl"
        recording.write_text("{}")
        os.utime(recording, (number + 1, number + 1))
    Destination.choose(None, "train", subprocesses=False)
    kept = sorted(path.name for path in folder.glob("*.jsonl"))
    assert kept == sorted(f"train-{number}.jsonl" for number in range(15 - KEPT + 1, 15))
    assert (folder / "notes/mine.txt").exists()


def test_a_folder_without_recordings_goes(here: pathlib.Path) -> None:
    Destination.choose(None, "train", subprocesses=False).leave_nothing()
    assert list(here.iterdir()) == []


def test_a_folder_with_recordings_stays(here: pathlib.Path) -> None:
    place = Destination.choose(None, "train", subprocesses=False)
    (here / FOLDER / "train-1.jsonl").write_text("{}")
    place.leave_nothing()
    assert (here / FOLDER / "train-1.jsonl").exists()
