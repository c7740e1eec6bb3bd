"""A name may hold what a terminal would obey: nothing that we print does."""

import io
import json
import pathlib

import pytest

from graphdoctor.cli.terminal import for_standard_output
from tests.cli.commands import graphdoctor

EVIL = "a\x1b[31m\x07b.py"
PRINTS = (
    "import tensorflow as tf\n\n\n@tf.function\ndef f(x):\n    print(x)\n    return x\n\n\nf(tf.ones([2]))\n"
)
LOOP = (
    "import tensorflow as tf\n\n\n@tf.function\ndef f(x, n):\n    return x * n\n\n\n"
    "for n in range(9):\n    f(tf.ones([2]), n)  # \x1b[32m\n"
)
HEADER = {
    "event": "header", "format": "graphdoctor-recording", "version": 2, "graphdoctor": "0.1.0",
    "tensorflow": "2.21\x1b[31m", "program": ["python", EVIL], "directory": "/w\x1b[0m", "process": 7,
}  # fmt: skip


def is_harmless(text: str) -> bool:
    return all(c.isprintable() or c in "\n\t" for c in text)


@pytest.mark.parametrize("form", ["text", "concise", "github"])
def test_of_check(tmp_path: pathlib.Path, form: str) -> None:
    (tmp_path / EVIL).write_text(PRINTS)
    done = graphdoctor("check", "--all", "--no-cache", "--output-format", form, cwd=tmp_path)
    assert is_harmless(done.stdout + done.stderr)
    assert "\\x1b[31m\\x07b.py" in done.stdout


def test_of_the_difference_that_a_fix_makes(tmp_path: pathlib.Path) -> None:
    (tmp_path / EVIL).write_text(LOOP)
    done = graphdoctor("check", "--diff", "--unsafe-fixes", cwd=tmp_path)
    assert done.returncode == 1
    names = [line for line in done.stdout.splitlines() if line.startswith(("---", "+++"))]
    assert len(names) == 2
    assert is_harmless("".join(names))


def trace(number: int, value: str) -> dict[str, object]:
    return {
        "event": "trace", "number": number, "function": {"name": "f\x1b[31m", "path": EVIL, "line": 5},
        "object": 1, "arguments": [{"path": "n\x1b[1m", "kind": "value", "type": "int", "text": value}],
        "start": 0.1 * number, "seconds": 0.1, "thread": 1,
    }  # fmt: skip


@pytest.mark.parametrize("command", ["report", "diff"])
def test_of_recordings(tmp_path: pathlib.Path, command: str) -> None:
    for name, times in (("a.jsonl", 2), ("b.jsonl", 4)):
        events = [HEADER, *(trace(n, f"{n}\x1b[7m") for n in range(1, times))]
        (tmp_path / name).write_text("".join(json.dumps(event) + "\n" for event in events))
    files = ("a.jsonl", "b.jsonl") if command == "diff" else ("b.jsonl",)
    done = graphdoctor(command, *files, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert is_harmless(done.stdout + done.stderr)
    assert "\\x1b[31m" in done.stdout


class Terminal(io.StringIO):
    """Standard output that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_of_the_lines_that_a_difference_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal; elsewhere they are exact, for `git apply`."""
    lines = "-a\x1b[2J\r\x0c\n+é\tb\r\n"
    assert for_standard_output(lines) == lines
    monkeypatch.setattr("sys.stdout", Terminal())
    assert for_standard_output(lines) == "-a\\x1b[2J\\r\\x0c\n+é\tb\r\n"
