"""The GitHub Action: its metadata, and each of its scripts as the runner starts it."""

import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from tests.cli.commands import clean_environment

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "scripts" / "github_action"
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
RETRACING = """\
import tensorflow as tf


@tf.function
def scale(x, step):
    return x * step


for step in range({steps}):
    scale(tf.ones([4]), {argument})
"""


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))


def steps() -> list[dict[str, Any]]:
    return list(ACTION["runs"]["steps"])


def test_no_input_becomes_part_of_a_command() -> None:
    commands = [step["run"] for step in steps() if "run" in step]
    assert len(commands) == 5
    assert [command for command in commands if "${{" in command] == []
    assert all(step["shell"] == "bash" for step in steps() if "run" in step)


def test_every_input_is_used_and_every_script_is_there() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    used = set(re.findall(r"inputs\.([\w-]+)", text))
    assert used == set(ACTION["inputs"])
    named = set(re.findall(r"github_action/(\w+\.py)", text))
    assert named == {"install.py", "check.py", "compare.py", "comment.py"}
    assert named < {path.name for path in SCRIPTS.iterdir()}
    ids = {step["id"] for step in steps() if "id" in step}
    assert set(re.findall(r"steps\.([\w-]+)\.", text)) == ids


@pytest.mark.long
def test_the_metadata_follows_the_published_schema(tmp_path: pathlib.Path) -> None:
    target = str(tmp_path / "site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", target, "check-jsonschema"]
    subprocess.run(pip, check=True, capture_output=True, timeout=300)

    def status(file: pathlib.Path) -> int:
        check = [
            sys.executable,
            "-m",
            "check_jsonschema",
            "--builtin-schema",
            "vendor.github-actions",
            str(file),
        ]
        return subprocess.run(check, env={**os.environ, "PYTHONPATH": target}, check=False).returncode

    assert status(ROOT / "action.yml") == 0
    broken = tmp_path / "action.yml"
    broken.write_text(
        (ROOT / "action.yml").read_text(encoding="utf-8").replace("using: composite", "using: magic")
    )
    assert status(broken) == 1


def run_script(
    name: str, cwd: pathlib.Path, temporary: pathlib.Path, **environment: str
) -> "subprocess.CompletedProcess[str]":
    """A script as the runner starts it."""
    temporary.mkdir(exist_ok=True)
    given = {"RUNNER_TEMP": str(temporary), "GITHUB_OUTPUT": str(temporary / "output"), **environment}
    return subprocess.run(
        [sys.executable, str(SCRIPTS / name)],
        cwd=cwd,
        env={**clean_environment(), **given},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def outputs(temporary: pathlib.Path) -> dict[str, str]:
    """What a step gave to later ones."""
    text = (temporary / "output").read_text(encoding="utf-8")
    return {name: value for name, _, value in re.findall(r"^(\S+?)<<(\w+)\n(.*)\n\2$", text, re.MULTILINE)}


def test_check_annotates_and_writes_sarif(tmp_path: pathlib.Path) -> None:
    project, temporary = tmp_path / "a project", tmp_path / "temp"
    project.mkdir()
    (project / "train.py").write_text(RETRACING.format(steps=5, argument="step"))
    done = run_script(
        "check.py", project, temporary, INPUT_PATHS="train.py\n\n", INPUT_ARGUMENTS="--select=GD1"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("::warning title=SLOW GD101 python-number-argument,file=train.py,line=10,")
    given = outputs(temporary)
    assert given["exit-code"] == "1"
    assert json.loads(pathlib.Path(given["sarif"]).read_text())["runs"][0]["results"][0]["ruleId"] == "GD101"
    assert json.loads(pathlib.Path(given["report"]).read_text())["findings"][0]["rule"] == "GD101"


def test_an_input_is_one_argument_and_no_command(tmp_path: pathlib.Path) -> None:
    evil = "x.py; touch evil $(touch evil) `touch evil`"
    done = run_script("check.py", tmp_path, tmp_path / "temp", INPUT_PATHS=evil)
    assert evil in done.stderr
    assert outputs(tmp_path / "temp")["exit-code"] == "2"
    assert not (tmp_path / "evil").exists()


@pytest.mark.usefixtures("scripts")
def test_only_versions_are_installed() -> None:
    from install import requirement

    assert requirement("", "/action") == "/action"
    assert requirement("1.2.0rc1", "/action") == "graphdoctor==1.2.0rc1"
    for bad in ("1.0 --index-url=http://x", "-r x", "@ file:///x", "1.0; evil"):
        with pytest.raises(SystemExit, match="expected a version"):
            requirement(bad, "/action")


@pytest.mark.usefixtures("scripts")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("step", "`step`"),
        ("a | b", "`a \\| b`"),
        ("`x` grows", "`` `x` grows ``"),
        ("@everyone\n<img src=x>", "`@everyone <img src=x>`"),
    ],
)
def test_texts_of_the_program_are_shown_as_they_are(text: str, shown: str) -> None:
    from compare import code

    assert code(text) == shown


@pytest.mark.usefixtures("scripts")
def test_the_parts_of_a_comment() -> None:
    from compare import comment_of, findings_part, lock_part, training_part

    assert findings_part({"findings": []}) == ""
    assert findings_part(None) == "The source could not be checked: see the log."
    assert lock_part(None, None) == lock_part({"a": 1}, {"a": 1}) == ""
    assert lock_part({"a::f": 1, "b::g": 2}, {"a::f": 3}).splitlines()[-2:] == [
        "| `a::f` | 1 → 3 |",
        "| `b::g` | 2 → - |",
    ]
    assert training_part("it failed").endswith("\n\n`it failed`")
    assert "No function is traced more or less often." in training_part(
        {"functions": [], "new": [], "gone": []}
    )
    assert comment_of([]).startswith("<!-- graphdoctor -->\n\n## graphdoctor\n\nNothing was found")


@pytest.mark.usefixtures("scripts")
def test_an_event_without_a_commit_is_refused() -> None:
    from compare import base_commit

    assert base_commit({"pull_request": {"base": {"sha": "a" * 40}}}) == "a" * 40
    with pytest.raises(SystemExit):
        base_commit({"pull_request": {"base": {"sha": "--upload-pack=evil"}}})


def git(folder: pathlib.Path, *arguments: str) -> str:
    named = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    command = ["git", *named, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.tensorflow
@pytest.mark.long
def test_a_pull_request_that_brings_a_retrace(tmp_path: pathlib.Path) -> None:
    origin, project, temporary = tmp_path / "origin", tmp_path / "project", tmp_path / "temp"
    origin.mkdir()
    git(origin, "init", "-q")
    (origin / "train.py").write_text(RETRACING.format(steps=4, argument="tf.constant(1.0)"))
    lock = {"format": "graphdoctor-lock", "version": 1, "functions": {"train.py::scale": 1}}
    (origin / "graphdoctor.lock").write_text(json.dumps(lock))
    git(origin, "add", "-A")
    git(origin, "commit", "-qm", "base")
    base = git(origin, "rev-parse", "HEAD")
    git(tmp_path, "clone", "-q", str(origin), str(project))
    (project / "train.py").write_text(RETRACING.format(steps=4, argument="float(step)"))
    (project / "graphdoctor.lock").write_text(json.dumps({**lock, "functions": {"train.py::scale": 4}}))
    (tmp_path / "event.json").write_text(json.dumps({"pull_request": {"number": 7, "base": {"sha": base}}}))
    done = run_script(
        "compare.py",
        project,
        temporary,
        INPUT_SMOKE_TEST="train.py",
        INPUT_LOCK_FILE="graphdoctor.lock",
        GITHUB_EVENT_PATH=str(tmp_path / "event.json"),
        GITHUB_STEP_SUMMARY=str(tmp_path / "summary.md"),
    )
    assert done.returncode == 0, done.stderr
    text = pathlib.Path(outputs(temporary)["comment"]).read_text(encoding="utf-8")
    assert (tmp_path / "summary.md").read_text(encoding="utf-8") == text
    assert "| `scale` | 1 → 4 | " in text
    assert "- new: GD101 `` `scale` was traced 3 more times" in text
    assert "| `train.py::scale` | 1 → 4 |" in text
    assert git(project, "worktree", "list").count("\n") == 0  # the base is gone again


class Comments(http.server.BaseHTTPRequestHandler):
    """What the API answers: comments that are there, and those that are written."""

    stored: list[dict[str, Any]]
    asked: list[tuple[str, str, str]]
    status = 200

    def _answer(self, body: Any) -> None:
        self.asked.append((self.command, self.path, self.headers["Authorization"]))
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def _given(self) -> Any:
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def do_GET(self) -> None:
        self._answer(self.stored)

    def do_POST(self) -> None:
        self.stored.append({"id": len(self.stored) + 1, **self._given()})
        self._answer({})

    def do_PATCH(self) -> None:
        number = int(self.path.rpartition("/")[2])
        self.stored[number - 1] |= self._given()
        self._answer({})

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@pytest.fixture
def comments() -> Iterator[tuple[type[Comments], str]]:
    """A server of comments, and its address."""
    handler = type("OfThisTest", (Comments,), {"stored": [{"id": 1, "body": "hello"}], "asked": []})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield handler, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def comment(folder: pathlib.Path, address: str, text: str) -> "subprocess.CompletedProcess[str]":
    (folder / "event.json").write_text(json.dumps({"pull_request": {"number": 7, "base": {"sha": "a" * 40}}}))
    (folder / "comment.md").write_text(text)
    return run_script(
        "comment.py",
        folder,
        folder / "temp",
        GITHUB_EVENT_PATH=str(folder / "event.json"),
        COMMENT_FILE=str(folder / "comment.md"),
        GITHUB_API_URL=address,
        GITHUB_REPOSITORY="team/project",
        GITHUB_TOKEN="t0ken",
    )


def test_one_comment_is_written_and_then_changed(
    tmp_path: pathlib.Path, comments: tuple[type[Comments], str]
) -> None:
    handler, address = comments
    for text in ("<!-- graphdoctor -->\nfirst", "<!-- graphdoctor -->\nsecond"):
        done = comment(tmp_path, address, text)
        assert (done.returncode, done.stderr) == (0, "")
    assert [one["body"] for one in handler.stored] == ["hello", "<!-- graphdoctor -->\nsecond"]
    assert [(method, path.partition("?")[0]) for method, path, _ in handler.asked] == [
        ("GET", "/repos/team/project/issues/7/comments"),
        ("POST", "/repos/team/project/issues/7/comments"),
        ("GET", "/repos/team/project/issues/7/comments"),
        ("PATCH", "/repos/team/project/issues/comments/2"),
    ]
    assert {token for *_, token in handler.asked} == {"Bearer t0ken"}


def test_a_token_that_may_not_comment_fails_nothing(
    tmp_path: pathlib.Path, comments: tuple[type[Comments], str]
) -> None:
    handler, address = comments
    handler.status = 403
    done = comment(tmp_path, address, "<!-- graphdoctor -->")
    assert done.returncode == 0
    assert done.stdout.startswith("::notice::no comment was written (403)")
    assert "t0ken" not in done.stdout + done.stderr
