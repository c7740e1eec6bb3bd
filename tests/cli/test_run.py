"""`graphdoctor run` as a user meets it: the program is as without us, and the report names the cause."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys

import jsonschema
import pytest
from tests.cli.commands import clean_environment, graphdoctor, python

from graphdoctor.recording.recording import ENDS_EARLY

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]

TRAINER = """import sys
import tensorflow as tf


@tf.function
def scale(x, step):
    return x * tf.cast(step, tf.float32)


for step in range(5):
    scale(tf.ones([3]), step)
print(sys.argv, __name__, sys.path[0])
"""


def without_report(text: str) -> str:
    return text.partition("\n── graphdoctor ")[0]


def stable(text: str) -> str:
    """Standard error without times, addresses and process ids."""
    return re.sub(r"0x[0-9a-f]+|generated_file\w+|\b\d{6,}\b|id=\d+", "…", text)


def test_names_argument_values_traces_seconds_and_line(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text(TRAINER)
    done = graphdoctor("run", "-o", "report.json", "train.py", "--epochs", "-o", "x", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout == f"['train.py', '--epochs', '-o', 'x'] __main__ {tmp_path}\n"
    report = json.loads((tmp_path / "report.json").read_text())
    jsonschema.validate(report, json.loads(graphdoctor("schema", cwd=tmp_path).stdout))
    (finding,) = report["findings"]
    assert (finding["rule"], finding["evidence"], finding["argument"]) == ("GD101", "both", "step")
    assert (finding["path"], finding["line"], finding["column"]) == ("train.py", 11, 25)
    assert finding["function"] == {"name": "scale", "path": "train.py", "line": 5}
    assert finding["observed"]["traces"] == 4
    assert finding["observed"]["needless"] is True
    assert finding["observed"]["seconds"] > 0
    assert finding["fix"]["edits"][0]["text"] == "tf.constant(step)"
    (function,) = report["functions"]
    assert (function["calls"], function["traces"], function["retraces"]) == (5, 5, 4)
    shown = done.stderr.partition("── graphdoctor ")[2]
    assert (
        "      scale(tf.ones([3]), step)\n                          ^^^^   now 4, before 3, 2, 1, 0\n"
        in shown
    )
    assert re.search(r"`scale` was traced 4 more times \(.*\) because `step` is a Python number", shown)
    (recording,) = tmp_path.glob(".graphdoctor/train-*.jsonl")
    assert f"Recording: .graphdoctor/{recording.name}\n" in shown
    assert {path.name for path in tmp_path.iterdir()} == {".graphdoctor", "report.json", "train.py"}
    again = graphdoctor("report", str(recording), cwd=tmp_path)
    assert "now 4, before 3, 2, 1, 0" in again.stdout
    graphdoctor("report", str(recording), "-o", "again.json", cwd=tmp_path)
    assert json.loads((tmp_path / "again.json").read_text()) == report


ENDINGS = {
    "exception": "import tensorflow as tf\n\n\ndef main():\n    raise KeyError('lost')\n\n\nmain()\n",
    "exit code": "import sys, tensorflow as tf\nsys.exit(7)\n",
    "exit text": "import sys, tensorflow as tf\nsys.exit('no data')\n",
    "hard exit": "import os, tensorflow as tf\nos._exit(5)\n",
    "inside a trace": (
        "import tensorflow as tf\n\n\n@tf.function\ndef f(x):\n    return x.numpy()\n\n\nf(tf.ones([3]))\n"
    ),
    "a thread": "import threading, tensorflow as tf\nthreading.Thread(target=lambda: 1 / 0).start()\n",
    "no tensorflow": "import sys\nprint(sys.path[0], sys.argv)\n",
}


@pytest.mark.log_noise
@pytest.mark.parametrize("program", ENDINGS.values(), ids=ENDINGS)
def test_the_program_ends_as_without_us(tmp_path: pathlib.Path, program: str) -> None:
    (tmp_path / "program.py").write_text(program)
    expected = python("program.py", cwd=tmp_path)
    done = graphdoctor("run", "program.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (expected.returncode, expected.stdout)
    seen = without_report(done.stderr).partition("graphdoctor: the program did not import")[0]
    assert stable(seen).strip() == stable(expected.stderr).strip()


def test_modules_and_code_run_as_with_python(tmp_path: pathlib.Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package/__init__.py").write_text("")
    (tmp_path / "package/train.py").write_text(
        "import sys\nprint(__name__, __package__, sys.argv[1:], sys.path[0])\n"
    )
    for arguments in (["-m", "package.train", "a", "-q"], ["-c", "import sys; print(sys.argv)", "b"]):
        expected = python(*arguments, cwd=tmp_path)
        done = graphdoctor("run", *arguments, cwd=tmp_path)
        assert (done.stdout, done.returncode) == (expected.stdout, 0)


def test_environment_and_path_are_as_without_us(tmp_path: pathlib.Path) -> None:
    (tmp_path / "program.py").write_text(
        "import os, sys\nprint(sys.path, os.environ.get('PYTHONPATH'), "
        "[k for k in os.environ if 'GRAPHDOCTOR' in k], sys.flags, sys.meta_path[1:])\n"
    )
    code = "program.py"
    expected = python(code, cwd=tmp_path).stdout
    seen = graphdoctor("run", code, cwd=tmp_path).stdout
    drop = lambda text: re.sub(r"0x[0-9a-f]+|generated_file\w+|<[^>]*>|[,\s]", "", text.split("sys.flags")[0])  # noqa: E731
    assert drop(seen) == drop(expected)
    assert graphdoctor("run", code, cwd=tmp_path, PYTHONPATH="/some/where").stdout.count("/some/where") == 2


LOOP = """import sys, time
import tensorflow as tf


@tf.function
def f(x, k):
    return x + k


for k in range(4):
    f(tf.ones([3]), k)
print("ready", flush=True)
time.sleep(600)
"""


def started(tmp_path: pathlib.Path) -> "subprocess.Popen[str]":
    (tmp_path / "loop.py").write_text(LOOP)
    process = subprocess.Popen(
        [sys.executable, "-m", "graphdoctor", "run", "loop.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(),
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_reaches_the_program_and_the_report_still_comes(
    tmp_path: pathlib.Path, number: signal.Signals
) -> None:
    process = started(tmp_path)
    process.send_signal(number)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == -number
    assert "`f` was traced 3 more times" in errors
    assert ("KeyboardInterrupt" in errors) == (number == signal.SIGINT)


def test_a_killed_program_loses_nothing_already_recorded(tmp_path: pathlib.Path) -> None:
    process = started(tmp_path)
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(children[0]), signal.SIGKILL)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == -signal.SIGKILL
    assert "`f` was traced 3 more times" in errors
    assert ENDS_EARLY in errors
    (recording,) = (tmp_path / ".graphdoctor").glob("*.jsonl")
    graphdoctor("report", str(recording), "-o", "r.json", cwd=tmp_path)
    assert json.loads((tmp_path / "r.json").read_text())["complete"] is False


def test_an_unwritable_recording_is_one_warning_and_the_program_goes_on(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text(TRAINER)
    done = graphdoctor("run", "--recording", "none/there.jsonl", "train.py", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("['train.py'] __main__")
    assert done.stderr.count("graphdoctor: cannot write") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no program given: try `graphdoctor run train.py`"),
        (["none.py"], "none.py does not exist; give a Python file, or a module with -m"),
        (["--python", "python0", "x.py"], "--python python0: there is no such program"),
        (
            ["-o", "r.pdf", "x.py"],
            "-o r.pdf: the extension must be one of .txt, .json, .sarif, .html, not `.pdf`",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_2(tmp_path: pathlib.Path, arguments: list[str], message: str) -> None:
    (tmp_path / "x.py").write_text("")
    done = graphdoctor("run", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"graphdoctor: {message}\n")


def test_a_damaged_recording_is_exit_2(tmp_path: pathlib.Path) -> None:
    (tmp_path / "r.jsonl").write_text("hello\n")
    done = graphdoctor("report", "r.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        "graphdoctor: r.jsonl: not a recording: `graphdoctor run` writes one\n",
    )


def test_diff_tells_what_a_change_did(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text(TRAINER)
    graphdoctor("run", "--recording", "before.jsonl", "train.py", cwd=tmp_path)
    (tmp_path / "train.py").write_text(TRAINER.replace("]), step)", "]), tf.constant(step))"))
    graphdoctor("run", "--recording", "after.jsonl", "train.py", cwd=tmp_path)
    done = graphdoctor("diff", "before.jsonl", "after.jsonl", cwd=tmp_path)
    assert done.stdout.startswith("scale  traces 5 → 1  ")
    assert "\ngone: GD101 python-number-argument: `scale` was traced 4 more times" in done.stdout
    same = graphdoctor("diff", "after.jsonl", "after.jsonl", cwd=tmp_path)
    assert same.stdout == "Both runs traced the same, and say the same.\n"


def test_demo_diagnoses_all_samples(tmp_path: pathlib.Path) -> None:
    done = graphdoctor("demo", "--json", cwd=tmp_path)
    samples = json.loads(done.stdout)["patients"]
    found = {
        sample["name"]: [(f["rule"], f["argument"], f["evidence"]) for f in sample["run"]["findings"]]
        for sample in samples
    }
    assert found == {
        "counting_trainer": [("GD101", "step", "both")],
        "attention_loop": [("GD309", None, "both")],
        "uneven_batches": [("GD103", "frames", "both")],
    }
    (uneven,) = next(each["run"]["findings"] for each in samples if each["name"] == "uneven_batches")
    assert uneven["message"].endswith("`targets` changes with it")
    assert {each["argument"] for each in uneven["observed"]["differences"]} == {"frames", "targets"}


@pytest.mark.parametrize("command", ["run", "fix"])
def test_a_mistyped_option_is_not_taken_for_the_program(tmp_path: pathlib.Path, command: str) -> None:
    (tmp_path / "x.py").write_text("")
    done = graphdoctor(command, "--outptu", "x.json", "x.py", cwd=tmp_path)
    assert done.returncode == 2
    assert "No such option '--outptu'. Did you mean '--output'?" in done.stderr
