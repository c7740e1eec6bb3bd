"""`graphdoctor server` in a process of its own, spoken with as an editor does."""

import json
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from inspect import cleandoc
from typing import Any

import pytest
from tests.language_client import LanguageClient

from graphdoctor.config import Config
from graphdoctor.judging import check_text

PROGRAM = (
    cleandoc("""
    import tensorflow as tf


    @tf.function
    def scale(x, step):
        return x * step


    for step in range(39):
        print("🐛", scale(tf.ones([3]), step))
    """)
    + "\n"
)
HELPER = "import tensorflow as tf\n\n\n@tf.function\ndef scale(x, step):\n    return x * step\n"
MAIN = """import tensorflow as tf
from helper import scale

for step in range(9):
    scale(tf.ones([3]), step)
"""
NOTEBOOK = "notebook:/work.ipynb"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "pyproject.toml").write_text("")
    return folder


@pytest.fixture(scope="module")
def client(folder: pathlib.Path) -> Iterator[LanguageClient]:
    edits = {"workspace": {"workspaceEdit": {"documentChanges": True}}}
    with LanguageClient(folder, capabilities=edits) as client:
        yield client


def saved(folder: pathlib.Path, name: str, text: str) -> pathlib.Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """A text after edits of the protocol, in UTF-16 units, as an editor applies them."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda edit: json.dumps(edit["range"]), reverse=True):
        start, end = edit["range"]["start"], edit["range"]["end"]
        first, last = lines[start["line"]].encode("utf-16-le"), lines[end["line"]].encode("utf-16-le")
        before = first[: 2 * start["character"]].decode("utf-16-le")
        after = last[2 * end["character"] :].decode("utf-16-le")
        lines[start["line"] : end["line"] + 1] = (before + edit["newText"] + after).split("\n")
    return "\n".join(lines)


def test_a_file_has_the_findings_of_check(client: LanguageClient, folder: pathlib.Path) -> None:
    path = saved(folder, "train.py", PROGRAM)
    (shown,) = client.diagnostics(client.open(path), 1)
    (found,) = check_text(str(path), PROGRAM, Config()).findings
    assert shown == {
        "range": {"start": {"line": 9, "character": 36}, "end": {"line": 9, "character": 40}},
        "message": f"{found.message}\nSLOW python-number-argument, high confidence",
        "severity": 2,
        "code": "GD101",
        "source": "graphdoctor",
        "relatedInformation": [],
    }
    assert (found.line, found.column, found.end_column) == (
        10,
        36,
        40,
    )  # the beetle is one character, two units


def test_quick_fixes_repair_what_they_are_offered_for(client: LanguageClient, folder: pathlib.Path) -> None:
    path = saved(folder, "fixed.py", PROGRAM)
    uri = client.open(path)
    (shown,) = client.diagnostics(uri, 1)
    unsafe, ignore = client.actions(uri, shown)
    assert unsafe["title"].endswith("[GD101] (unsafe: it may behave differently)")
    assert ignore["title"] == "Ignore GD101 on this line"
    for version, action in enumerate((unsafe, ignore), start=2):
        (change,) = action["edit"]["documentChanges"]
        assert change["textDocument"] == {"uri": uri, "version": 1}
        client.change(uri, version, {"text": applied(PROGRAM, change["edits"])})
        assert client.diagnostics(uri, version) == []


def test_a_fix_for_an_older_text_is_not_offered(client: LanguageClient, folder: pathlib.Path) -> None:
    uri = client.open(saved(folder, "older.py", PROGRAM))
    (shown,) = client.diagnostics(uri, 1)
    client.change(uri, 2, {"text": "import tensorflow as tf\n(" + PROGRAM})
    assert client.actions(uri, shown) == []


def test_the_page_of_a_rule_is_shown_beside_its_finding(client: LanguageClient, folder: pathlib.Path) -> None:
    uri = client.open(saved(folder, "hover.py", PROGRAM + "# noqa: GD208\n"))
    (shown, *_) = client.diagnostics(uri, 1)

    def page(line: int, character: int) -> str | None:
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        hover = client.request("textDocument/hover", place)
        return hover and hover["contents"]["value"]

    said = page(9, 36)
    assert said is not None
    assert said.startswith(f"**GD101** {shown['message'].splitlines()[0]}\n\nSLOW python-number-argument")
    assert "# GD101 python-number-argument\n" in said
    assert (page(10, 10) or "").startswith("# GD208 ")
    assert page(0, 0) is None


def test_half_typed_text_keeps_what_was_found(client: LanguageClient, folder: pathlib.Path) -> None:
    uri = client.open(saved(folder, "typed.py", PROGRAM))
    before = client.diagnostics(uri, 1)
    client.change(uri, 2, {"text": PROGRAM + "def unfinished(\n"})
    client.change(uri, 3, {"text": PROGRAM + "\n"})
    assert client.diagnostics(uri) == before  # the next that comes is of version 3


def test_a_file_that_is_no_python_says_so(client: LanguageClient, folder: pathlib.Path) -> None:
    uri = client.open(saved(folder, "broken.py", "x = 1\ndef f(:\n"))
    (shown,) = client.diagnostics(uri, 1)
    assert (shown["code"], shown["range"]["start"]["line"]) == ("GD000", 1)


def test_what_an_open_file_imports_is_taken_from_the_editor(
    client: LanguageClient, folder: pathlib.Path
) -> None:
    helper = client.open(saved(folder, "helper.py", HELPER))
    main = client.open(saved(folder, "main.py", MAIN))
    (shown,) = client.diagnostics(main, 1)
    assert shown["code"] == "GD101"
    client.change(helper, 2, {"text": HELPER.replace("@tf.function\n", "")})  # not saved
    assert client.diagnostics(main, 1) == []


def test_files_that_are_deleted_or_in_no_file_are_checked(
    client: LanguageClient, folder: pathlib.Path
) -> None:
    path = saved(folder, "gone.py", PROGRAM)
    uri = client.open(path)
    assert len(client.diagnostics(uri, 1)) == 1
    path.unlink()
    client.change(uri, 2, {"text": PROGRAM + "\n"})
    assert len(client.diagnostics(uri, 2)) == 1
    untitled = {"uri": "untitled:Untitled-1", "languageId": "python", "version": 1, "text": PROGRAM}
    client.notify("textDocument/didOpen", {"textDocument": untitled})
    assert len(client.diagnostics("untitled:Untitled-1", 1)) == 1
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.diagnostics(uri) == []


def test_each_cell_of_a_notebook_has_its_findings(client: LanguageClient) -> None:
    texts = ["# A title", "import tensorflow as tf\n%time\n", PROGRAM.partition("\n")[2]]
    uris = [f"{NOTEBOOK}#{number}" for number in range(3)]
    cells = [{"kind": 1 if n == 0 else 2, "document": uri} for n, uri in enumerate(uris)]
    items = [
        {"uri": uri, "languageId": "python", "version": 1, "text": text}
        for uri, text in zip(uris, texts, strict=True)
    ]
    notebook = {"uri": NOTEBOOK, "notebookType": "jupyter-notebook", "version": 1, "cells": cells}
    client.notify("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": items[1:]})
    assert client.diagnostics(uris[1]) == []
    (shown,) = client.diagnostics(uris[2])
    assert shown["range"]["start"] == {"line": 8, "character": 36}
    (_, ignore) = client.actions(uris[2], shown)
    (change,) = ignore["edit"]["documentChanges"]
    assert change["textDocument"]["uri"] == uris[2]
    start = {"line": 8, "character": 42}
    typed = {"range": {"start": start, "end": start}, "text": change["edits"][0]["newText"]}
    content = {"document": {"uri": uris[2], "version": 2}, "changes": [typed]}
    client.notify(
        "notebookDocument/didChange",
        {
            "notebookDocument": {"uri": NOTEBOOK, "version": 2},
            "change": {"cells": {"textContent": [content]}},
        },
    )
    assert client.diagnostics(uris[2], 2) == []


def test_settings_and_encodings_are_those_that_the_editor_asks_for(tmp_path: pathlib.Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.graphdoctor]\nselct = []\n")
    path = saved(tmp_path, "train.py", PROGRAM)
    with LanguageClient(tmp_path, options={"ignore": ["GD101"]}, encodings=["utf-8"]) as client:
        assert client.initialized["capabilities"]["positionEncoding"] == "utf-8"
        uri = client.open(path)
        message = client.until(lambda message: message.get("method") == "window/showMessage")
        assert "has no key `selct`" in message["params"]["message"]
        (shown,) = client.diagnostics(uri, 1)  # the wrong configuration is as good as none
        assert shown["range"]["start"] == {"line": 9, "character": 38}
        (tmp_path / "pyproject.toml").write_text("[tool.graphdoctor]\n")
        client.change(uri, 2, {"text": PROGRAM + "\n"})
        assert client.diagnostics(uri, 2) == []


def test_without_the_extra_the_command_says_what_to_install(tmp_path: pathlib.Path) -> None:
    program = (
        "import sys; sys.modules['pygls'] = None; sys.argv = ['graphdoctor', 'server']; "
        "from graphdoctor.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'graphdoctor[lsp]'" in done.stderr
