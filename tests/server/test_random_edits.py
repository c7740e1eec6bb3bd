"""A thousand edits typed through the protocol, as fast as they go: nothing is lost, and nothing breaks."""

import pathlib
import random
from typing import Any

from tests.language_client import LanguageClient

from graphdoctor.config import Config
from graphdoctor.judging import check_text

EDITS = 1000
FAULTY = pathlib.Path(__file__).parents[1] / "programs/check/faulty"
PIECES = (
    "x", "\n", "\r\n", "\r", "    ", "(", ")", "🐛", "é", "\x0c", "\u2028", '"""', "def f(x):\n", "#", "\t",
    "@tf.function\n", ":", "for i in range(3):\n", "\x00", "return x\n", "import helper\n", "",
)  # fmt: skip


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def position(text: str, offset: int) -> dict[str, int]:
    """A place of the protocol: lines end with CR LF, CR or LF, and columns are UTF-16 units."""
    before = text[:offset].replace("\r\n", "\n\n").replace("\r", "\n")
    cut = text[:offset].replace("\r\n", " \n").replace("\r", "\n").rfind("\n") + 1
    lines = before.count("\n") - text[:offset].count("\r\n")
    return {"line": lines, "character": units(text[cut:offset])}


def between_lines(text: str, offset: int) -> bool:
    """Whether a place is inside the end of a line, which is none for the protocol."""
    return text[offset - 1 : offset + 1] == "\r\n"


def random_change(chance: random.Random, text: str) -> tuple[dict[str, Any], str]:
    """A change of the protocol, and the text after it."""
    start = chance.randrange(len(text) + 1)
    end = min(len(text), start + chance.choice((0, 0, 0, 1, 3, 40)))
    start, end = start - between_lines(text, start), end + between_lines(text, end)
    piece = chance.choice(PIECES)
    if chance.random() < 0.02:
        return {"text": piece}, piece
    place = {"start": position(text, start), "end": position(text, end)}
    return {"range": place, "text": piece}, text[:start] + piece + text[end:]


def test_a_thousand_random_edits(tmp_path: pathlib.Path) -> None:
    chance = random.Random(1)
    programs = sorted(FAULTY.glob("*.py"))
    path = tmp_path / "train.py"
    text = programs[0].read_text(encoding="utf-8")
    path.write_text(text)
    with LanguageClient(tmp_path, options={"delay": 0}) as client:
        uri = client.open(path)
        client.diagnostics(uri, 1)
        version = 1
        for number in range(EDITS):
            changes = []
            for _ in range(chance.choice((1, 1, 1, 3))):
                change, text = random_change(chance, text)
                changes.append(change)
            if number % 100 == 50:  # what was typed by then must not stand in the way of a whole program
                text = chance.choice(programs).read_text(encoding="utf-8")
                changes.append({"text": text})
            version += 1
            client.change(uri, version, *changes)
            if number == EDITS // 2:
                path.unlink()
        # Where one character was lost or doubled, this edit goes to another place.
        marked = f"import tensorflow as tf\nmark = '{text.count(chr(10))}'\n"
        end = {"start": position(text, 0), "end": position(text, len(text))}
        client.change(uri, version + 1, {"range": end, "text": marked})
        assert client.diagnostics(uri, version + 1) == []
        whole = programs[1].read_text(encoding="utf-8")
        client.change(
            uri,
            version + 2,
            {"range": {"start": position(marked, 0), "end": position(marked, len(marked))}, "text": whole},
        )
        shown = client.diagnostics(uri, version + 2)
        found = check_text(str(path), whole, Config()).findings
        assert {(each["code"], each["range"]["start"]["line"] + 1) for each in shown} <= {
            (each.rule, each.line) for each in found
        }
        assert shown
    assert "Traceback" not in client.errors
