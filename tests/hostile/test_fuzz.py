"""`make fuzz` for a short while, and that it notices what it is there to notice."""

import pathlib

import fuzz
import pytest
from fuzzing.trials import KINDS


@pytest.mark.parametrize("number", range(3 * len(KINDS)))
def test_nothing_breaks(number: int) -> None:
    assert fuzz.trial(7, number)[1] == []


def test_the_same_trial_makes_the_same_files(tmp_path: pathlib.Path) -> None:
    def made(number: int, folder: pathlib.Path) -> dict[str, bytes]:
        folder.mkdir()
        list(KINDS.values())[number](fuzz.Random(f"1/{number}"), folder)
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    for number in range(3):
        first = made(number, tmp_path / f"first{number}")
        assert first == made(number, tmp_path / f"second{number}")
        assert first != {}


@pytest.mark.parametrize(
    ("code", "output", "errors", "said"),
    [
        (3, "", "", ["exit code 3"]),
        (2, "", "Traceback (most recent call last):\n", ["Traceback (most"]),
        (2, "GD101 failed on this file: KeyError: 1\n", "", ["GD101 failed on this file: KeyError: 1"]),
        (0, "a\x1b[31m", "", ["prints"]),
        (1, "train.py:3:1 SLOW GD101\n", "", []),
    ],
)
def test_what_counts_as_broken(code: int, output: str, errors: str, said: list[str]) -> None:
    found = list(fuzz.judged(code, output, errors))
    assert [text[: len(start)] for text, start in zip(found, said, strict=True)] == said


def test_a_command_that_never_ends_is_noticed(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def for_ever() -> None:
        while True:
            pass

    monkeypatch.setattr(fuzz, "graphdoctor", for_ever)
    monkeypatch.setattr(fuzz, "MOST_SECONDS", 1)
    assert fuzz.run(("check",), tmp_path) == ["took more than 1 s"]
