"""Stored answers: what they depend on, when they are replayed, and that a stale one is noticed."""

import json
import pathlib
from typing import Any

import pytest

from tests import oracle_server
from tests.oracle_files import Answer, Asked
from tests.oracle_server import Oracle, compare, is_drawn
from tests.running import TensorFlowServer


def request(folder: pathlib.Path, text: str, **settings: object) -> dict[str, Any]:
    folder.mkdir()
    (folder / "program.py").write_text(text)
    names = {"output": "output.txt", "error": "error.txt"}
    paths = {name: str(folder / file) for name, file in names.items()}
    recording = {"recording": str(folder / "recording.jsonl"), **settings}
    return {"program": str(folder / "program.py"), **paths, "timeout": "9", "settings": recording}


def trace(**facts: object) -> list[str]:
    return [json.dumps({"event": "trace", "seconds": 0.25, "operations": 3, **facts})]


def test_the_key_depends_on_text_and_settings_and_not_on_the_folder(tmp_path: pathlib.Path) -> None:
    asked = [Asked(request(tmp_path / name, "a = 1\n")) for name in "ab"]
    assert asked[0].key == asked[1].key
    assert Asked(request(tmp_path / "c", "a = 2\n")).key != asked[0].key
    assert Asked(request(tmp_path / "d", "a = 1\n", calls=True)).key != asked[0].key


def test_a_replay_leaves_the_files_of_the_run_with_the_paths_of_now(tmp_path: pathlib.Path) -> None:
    first, second = (Asked(request(tmp_path / name, "a = 1\n")) for name in "ab")
    for name, text in {"output.txt": f"in {tmp_path}/a\n", "recording.jsonl": '{"event": "end"}\n'}.items():
        (tmp_path / "a" / name).write_text(text)
    kept = first.collect({"status": 3})
    assert str(tmp_path) not in kept.output
    assert second.replay(kept) == {"status": 3, "timed_out": False}
    assert (tmp_path / "b/output.txt").read_text() == f"in {tmp_path}/b\n"
    assert (tmp_path / "b/recording.jsonl").read_text() == '{"event": "end"}\n'
    assert not (tmp_path / "b/error.txt").exists()


KEPT = Answer(status=0, output="loss 0.123456\n", files={"recording": trace()})
STALE = {
    "another status": Answer(status=1, output=KEPT.output, files=KEPT.files),
    "another number": Answer(status=0, output="loss 0.124\n", files=KEPT.files),
    "another trace": Answer(status=0, output=KEPT.output, files={"recording": trace(operations=4)}),
    "one more event": Answer(status=0, output=KEPT.output, files={"recording": trace() * 2}),
    "no recording": Answer(status=0, output=KEPT.output),
}


def test_clocks_and_last_digits_may_differ() -> None:
    compare("key", KEPT, Answer(0, "loss 0.123457\n", files={"recording": trace(seconds=9.0, process=3)}))


def test_the_seconds_of_a_bar_may_differ_and_its_words_may_not() -> None:
    first, second, other = (
        Answer(0, f"{name} 0s {n}s/step\x08\x08\r{name} {n}s {n}s/step\n")
        for name, n in (("1/1", 4), ("1/1", 7), ("epoch 1/1", 4))
    )
    compare("key", first, second)
    with pytest.raises(AssertionError, match="stale"):
        compare("key", first, other)


@pytest.mark.parametrize("now", STALE.values(), ids=STALE)
def test_a_stale_answer_is_noticed(now: Answer) -> None:
    with pytest.raises(AssertionError, match=r"key\.json is stale"):
        compare("key", KEPT, now)


def test_of_what_does_not_repeat_the_end_is_compared() -> None:
    kept = Answer(status=0, output="0.5", repeats=False)
    compare("key", kept, Answer(status=0, output="0.7"))
    with pytest.raises(AssertionError, match="status 1"):
        compare("key", kept, Answer(status=1, output="0.5"))


def test_each_day_draws_others_and_each_is_drawn_in_time() -> None:
    keys = [f"{number:x}" for number in range(1000)]
    days = [f"2026-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 28)]
    drawn = [{key for key in keys if is_drawn(key, day, 3)} for day in days]
    assert all(5 <= len(each) <= 70 for each in drawn)
    assert drawn[0] != drawn[1]
    assert len(set().union(*drawn)) > 990


@pytest.mark.parametrize("drawn", [False, True])
def test_what_is_kept_is_run_only_when_it_is_drawn(
    drawn: bool, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = []

    def run(self: TensorFlowServer, asked: dict[str, Any]) -> dict[str, Any]:
        ran.append(asked)
        return Asked(asked).replay(Answer(0, "loss 0.123457\n", files=KEPT.files))

    monkeypatch.setattr(TensorFlowServer, "ask", run)
    monkeypatch.setattr(oracle_server, "REFRESH", "")
    monkeypatch.setattr(oracle_server, "read_answer", lambda key: KEPT)
    monkeypatch.setattr(oracle_server, "is_drawn", lambda key, date, share: drawn)
    answer = Oracle(tmp_path).ask(request(tmp_path / "a", "a = 1\n"))
    assert (answer["status"], len(ran)) == (0, int(drawn))
    assert (tmp_path / "a/output.txt").read_text() == KEPT.output  # what is asked next may depend on it


def test_ci_wants_an_answer_for_each_program(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "observer.txt").touch()
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(oracle_server, "REFRESH", "")
    monkeypatch.setattr(oracle_server, "folder_of_versions", lambda: tmp_path)
    monkeypatch.setattr(oracle_server, "read_answer", lambda key: None)
    with pytest.raises(AssertionError, match="run `make oracle`"):
        Oracle(tmp_path).ask(request(tmp_path / "a", "a = 1\n"))
