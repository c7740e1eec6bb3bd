"""The options of `graphdoctor check` beyond the first ones."""

import json
import os
import pathlib

import pytest
from tests.cli.commands import graphdoctor

HELPER = "import tensorflow as tf\n\n\ndef show(x):\n    print(x)\n    return x\n"
CALLER = """import tensorflow as tf

from helper import show


@tf.function
def step(x):
    return show(tf.norm(x))
"""


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "train.py").write_text(CALLER)
    return tmp_path


def test_a_helper_is_traced_because_another_module_calls_it(project: pathlib.Path) -> None:
    assert graphdoctor("check", "--output-format", "concise", cwd=project).stdout == (
        "helper.py:5:5: WRONG GD201 `print` runs only while `step` is traced, not at each call "
        "(medium confidence: nothing in the project shows how it is called) [unsafe fix]\n"
    )


def test_explain_shows_the_chain_of_calls(project: pathlib.Path) -> None:
    assert graphdoctor("check", "--explain", cwd=project).stdout == (
        "helper.py:5:5 WRONG GD201 print-in-graph\n"
        "  `print` runs only while `step` is traced, not at each call\n"
        "  medium confidence: nothing in the project shows how it is called\n"
        "      print(x)\n"
        "      ^^^^^^^^\n"
        "  `step` is traced (train.py:7)\n"
        "  then `step` calls `show` (train.py:8)\n"
        "  fix (unsafe): Use `tf.print`\n"
        "\n"
        "1 finding (1 WRONG), 1 with a fix that can be applied. 2 graph functions looked at.\n"
    )


def test_fix_fixes_the_helper(project: pathlib.Path) -> None:
    graphdoctor("check", "--fix", "--unsafe-fixes", cwd=project)
    assert (project / "helper.py").read_text() == HELPER.replace("print", "tf.print")


def test_cache_sees_a_change_in_the_caller_and_in_the_callee(project: pathlib.Path) -> None:
    assert graphdoctor("check", cwd=project).returncode == 1
    assert graphdoctor("check", cwd=project).returncode == 1
    assert (project / ".graphdoctor_cache" / ".gitignore").read_text() == "*\n"
    (project / "helper.py").write_text(HELPER.replace("print(x)", "pass"))
    assert graphdoctor("check", cwd=project).returncode == 0
    (project / "helper.py").write_text(HELPER)
    (project / "train.py").write_text(CALLER.replace("@tf.function\n", ""))
    assert graphdoctor("check", cwd=project).returncode == 0


def test_a_damaged_cache_is_as_good_as_none(project: pathlib.Path) -> None:
    graphdoctor("check", cwd=project)
    (file,) = (project / ".graphdoctor_cache").glob("*.json")
    for damage in (b"", b"{", b'["x", {}, {}]', b"\xff\xfe"):
        file.write_bytes(damage)
        done = graphdoctor("check", "--statistics", cwd=project)
        assert (done.stdout, done.stderr) == ("1  GD201 print-in-graph\n", "")


def test_a_cache_that_cannot_be_written_is_none(project: pathlib.Path) -> None:
    (project / ".graphdoctor_cache").write_text("a file in the way")
    done = graphdoctor("check", "--statistics", cwd=project)
    assert (done.stdout, done.stderr) == ("1  GD201 print-in-graph\n", "")


def test_baseline_lets_only_new_findings_fail(project: pathlib.Path) -> None:
    done = graphdoctor("check", "--write-baseline", "known.json", cwd=project)
    assert (done.returncode, done.stderr) == (0, "1 finding written to known.json\n")
    (project / "helper.py").write_text("# a line more\n" + HELPER)
    assert graphdoctor("check", "--baseline", "known.json", cwd=project).returncode == 0
    (project / "helper.py").write_text(HELPER.replace("print(x)", "print(x)\n    print(x)"))
    done = graphdoctor("check", "--baseline", "known.json", "--statistics", cwd=project)
    assert (done.stdout, done.returncode) == ("1  GD201 print-in-graph\n", 1)


@pytest.mark.parametrize("text", ["", "[]", '{"findings": 3}'])
def test_a_file_that_is_no_baseline_is_one_line_and_exit_2(project: pathlib.Path, text: str) -> None:
    (project / "known.json").write_text(text)
    done = graphdoctor("check", "--baseline", "known.json", cwd=project)
    assert done.returncode == 2
    assert done.stderr.startswith("graphdoctor: --baseline known.json: is not a baseline of graphdoctor: ")
    assert done.stderr.count("\n") == 1


def test_github_annotations(project: pathlib.Path) -> None:
    assert graphdoctor("check", "--output-format", "github", cwd=project).stdout == (
        "::error title=WRONG GD201 print-in-graph,file=helper.py,line=5,col=5,endLine=5,endColumn=13::"
        "`print` runs only while `step` is traced, not at each call "
        "(medium confidence: nothing in the project shows how it is called)\n"
    )


def test_sarif_names_rule_place_and_fix(project: pathlib.Path) -> None:
    log = json.loads(graphdoctor("check", "--output-format", "sarif", cwd=project).stdout)
    (run,) = log["runs"]
    (result,) = run["results"]
    region = {"startLine": 5, "startColumn": 5, "endLine": 5, "endColumn": 13}
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["GD201"]
    assert result["locations"][0]["physicalLocation"]["region"] == region
    replacement = result["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert replacement["insertedContent"] == {"text": "tf.print"}
    assert len(result["relatedLocations"]) == 2


def test_per_file_ignores(project: pathlib.Path) -> None:
    (project / "pyproject.toml").write_text(
        '[tool.graphdoctor.per-file-ignores]\n"helper.py" = ["GD201"]\n"train.py" = ["GD1"]\n'
    )
    assert graphdoctor("check", cwd=project).stdout == "No findings. 2 graph functions looked at.\n"


@pytest.mark.parametrize(
    ("folder", "table", "reported"),
    [
        ("third_party", "", False),
        ("third_party", "leave-out = []", True),
        ("tests", "", True),
        ("tests", 'leave-out = ["tests"]', False),
        ("examples", "", True),
    ],
)
def test_parts_of_a_project(project: pathlib.Path, folder: str, table: str, reported: bool) -> None:
    (project / "pyproject.toml").write_text(f"[tool.graphdoctor]\n{table}\n")
    (project / folder).mkdir()
    (project / folder / "other.py").write_text(CALLER.replace("show(tf.norm(x))", "print(tf.norm(x))"))
    shown = graphdoctor("check", "--output-format", "concise", cwd=project).stdout
    assert (f"{folder}/other.py:8:12: WRONG GD201" in shown) == reported
    named = graphdoctor("check", f"{folder}/other.py", "--output-format", "concise", cwd=project).stdout
    assert f"{folder}/other.py:8:12: WRONG GD201" in named


def test_extend_select_adds_to_a_selection(project: pathlib.Path) -> None:
    done = graphdoctor("check", "--select", "GD3", "--extend-select", "GD201", "--statistics", cwd=project)
    assert done.stdout == "1  GD201 print-in-graph\n"


def test_standard_input_is_checked_as_the_named_file(project: pathlib.Path) -> None:
    text = CALLER.replace("show(tf.norm(x))", "print(tf.norm(x))")
    done = graphdoctor(
        "check", "--stdin-filename", "train.py", "--output-format", "concise", cwd=project, stdin=text
    )
    assert done.stdout.startswith("train.py:8:12: WRONG GD201 ")


def test_a_dash_is_standard_input(project: pathlib.Path) -> None:
    text = CALLER.replace("show(tf.norm(x))", "print(tf.norm(x))")
    done = graphdoctor("check", "-", "--output-format", "concise", cwd=project, stdin=text)
    assert (done.returncode, done.stdout[:26]) == (1, "<stdin>:8:12: WRONG GD201 ")
    clean = graphdoctor("check", "-", cwd=project, stdin="import tensorflow as tf\n")
    assert (clean.returncode, clean.stdout) == (0, "No findings. 0 graph functions looked at.\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-", "train.py"), "`-` is standard input, and stands alone"),
        (("-", "--fix"), "--fix and --diff change files, not standard input"),
    ],
)
def test_what_standard_input_does_not_go_with(
    project: pathlib.Path, options: tuple[str, ...], said: str
) -> None:
    done = graphdoctor("check", *options, cwd=project, stdin="")
    assert (done.returncode, done.stderr) == (2, f"graphdoctor: {said}\n")


def test_standard_input_that_is_no_text_costs_exit_code_2(project: pathlib.Path) -> None:
    done = graphdoctor("check", "-", cwd=project, stdin="# coding: rot13\n")
    assert done.returncode == 2
    assert done.stderr.startswith("graphdoctor: <stdin> is not Python text: ")


def test_a_comment_needed_from_another_module_is_not_unused(project: pathlib.Path) -> None:
    (project / "helper.py").write_text(HELPER.replace("print(x)", "print(x)  # noqa: GD201"))
    assert graphdoctor("check", cwd=project).stdout == "No findings. 2 graph functions looked at.\n"
    (project / "train.py").unlink()
    assert graphdoctor("check", "--all", "--statistics", cwd=project).stdout == "1  GD002 unused-noqa\n"


def test_notebook_findings_name_cell_and_line(project: pathlib.Path) -> None:
    cells = [
        "%matplotlib inline\nimport tensorflow as tf",
        "!ls\n@tf.function\ndef f(x):\n    print(tf.norm(x))\nf(tf.ones([2]))\n",
    ]
    notebook = {"cells": [{"cell_type": "code", "source": text} for text in cells]}
    (project / "book.ipynb").write_text(json.dumps(notebook))
    done = graphdoctor("check", "book.ipynb", "--output-format", "concise", cwd=project)
    assert done.stdout.startswith("book.ipynb:cell 2:4:5: WRONG GD201 ")


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"cells": [3]}'])
def test_a_broken_notebook_is_one_line_and_exit_2(project: pathlib.Path, text: str) -> None:
    (project / "book.ipynb").write_text(text)
    done = graphdoctor("check", "book.ipynb", cwd=project)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("graphdoctor: book.ipynb is not a notebook: ")


def test_gitignore_is_respected(project: pathlib.Path) -> None:
    (project / ".gitignore").write_text("helper.py\n")
    assert graphdoctor("check", cwd=project).stdout == "No findings. 1 graph function looked at.\n"


def test_two_processes_find_what_one_finds(project: pathlib.Path) -> None:
    for number in range(60):
        text = CALLER.replace(
            "show(tf.norm(x))", f"print(tf.norm(x), {number})"
        )  # copies would be reported once
        (project / f"copy{number}.py").write_text(text)
    one, two = (
        graphdoctor("check", "--no-cache", "--jobs", jobs, "--output-format", "concise", cwd=project).stdout
        for jobs in ("1", "2")
    )
    assert one == two
    assert one.count("\n") == 61
    assert not os.path.exists(project / ".graphdoctor_cache")
