"""Where recordings go: a folder that keeps the last few, and that nobody trips over."""

import os
import pathlib
import stat

import pytest

from graphdoctor.cli.destination import FOLDER, KEPT, Destination
from graphdoctor.errors import LaunchError
from graphdoctor.observer.process.writer import Writer


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


def fill(folder: pathlib.Path, number: int = 15) -> None:
    """Recordings of earlier runs, the oldest first."""
    folder.mkdir(exist_ok=True)
    for each in range(number):
        recording = folder / f"train-{each}.jsonl"
        recording.write_text("{}")
        os.utime(recording, (each + 1, each + 1))


def test_a_recording_that_a_program_still_writes_is_kept(here: pathlib.Path) -> None:
    fill(here / FOLDER)
    writer = Writer(str(here / FOLDER / "train-0.jsonl"))
    writer.write({"event": "header"})
    os.utime(here / FOLDER / "train-0.jsonl", (1, 1))
    Destination.choose(None, "train", subprocesses=False)
    assert (here / FOLDER / "train-0.jsonl").exists()
    writer.close()
    fill(here / FOLDER)
    Destination.choose(None, "train", subprocesses=False)
    assert not (here / FOLDER / "train-0.jsonl").exists()


def test_a_run_of_several_processes_that_goes_on_is_kept(here: pathlib.Path) -> None:
    running = Destination.choose(None, "old", subprocesses=True)
    assert running.directory is not None
    (here / FOLDER / pathlib.Path(running.directory).name / "1.jsonl").write_text("{}")
    os.utime(running.directory, (1, 1))
    fill(here / FOLDER)
    Destination.choose(None, "train", subprocesses=False)
    assert os.path.isdir(running.directory)
    running.release()
    Destination.choose(None, "train", subprocesses=False)
    assert not os.path.isdir(running.directory)


def test_files_of_others_neither_go_nor_stop_the_pruning(here: pathlib.Path) -> None:
    folder = here / FOLDER
    fill(folder)
    for name in ("notes.txt", "mine.jsonl", "train-best.jsonl"):
        (folder / name).write_text("mine")
        os.utime(folder / name, (0, 0))
    (folder / "elsewhere-1.jsonl").symlink_to(here / "nowhere")
    Destination.choose(None, "train", subprocesses=False)
    assert len(list(folder.glob("train-[0-9]*.jsonl"))) == KEPT - 1
    kept = {path.name for path in folder.iterdir()}
    assert kept >= {"notes.txt", "mine.jsonl", "train-best.jsonl", "elsewhere-1.jsonl"}


def test_nothing_is_written_through_a_link(here: pathlib.Path) -> None:
    target = here / "precious.txt"
    target.write_text("precious")
    (here / FOLDER).mkdir()
    (here / FOLDER / ".gitignore").symlink_to(target)
    Destination.choose(None, "train", subprocesses=False)
    assert target.read_text() == "precious"


def test_a_folder_that_is_a_link_is_refused(here: pathlib.Path) -> None:
    (here / "elsewhere").mkdir()
    (here / FOLDER).symlink_to(here / "elsewhere")
    with pytest.raises(LaunchError, match=r"\.graphdoctor is a link: --recording names a place"):
        Destination.choose(None, "train", subprocesses=False)
    assert list((here / "elsewhere").iterdir()) == []


def test_a_recording_is_the_user_s_alone_and_no_link_is_followed(here: pathlib.Path) -> None:
    target = here / "precious.txt"
    target.write_text("precious")
    (here / "train-1.jsonl").symlink_to(target)
    writer = Writer(str(here / "train-1.jsonl"), fresh=True)
    writer.write({"event": "header"})
    writer.close()
    assert target.read_text() == "precious"
    assert stat.S_IMODE((here / "train-1.jsonl").lstat().st_mode) == 0o600


def test_a_place_that_the_user_named_may_be_a_link(here: pathlib.Path) -> None:
    (here / "mine.jsonl").symlink_to(here / "target.jsonl")
    writer = Writer(str(here / "mine.jsonl"))
    writer.write({"event": "header"})
    writer.close()
    assert (here / "target.jsonl").read_text() == '{"event":"header"}\n'
