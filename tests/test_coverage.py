"""What `check` looked at: reported by every report, kept by recordings, the same however it is asked."""

import dataclasses
import inspect
import pathlib
import random

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths, judge_recordings
from graphdoctor.judging.coverage import Seen, coverage_of, reported_once
from graphdoctor.judging.keeping import encode_recordings
from graphdoctor.judging.modules import dry_run, examine
from graphdoctor.model import Coverage, NotFollowed, Report
from graphdoctor.recording import read_recordings
from graphdoctor.recording.format import Looked
from graphdoctor.reports.html import render_page
from graphdoctor.reports.summary import summary
from graphdoctor.source import parse_module
from tests.checking import recorded
from tests.cli.commands import graphdoctor
from tests.ratcheting import all_examples
from tests.scoring import all_cases

EXAMPLES = [pytest.param(example.bad, id=name) for name, _, example in all_examples()]
CASES = [pytest.param(case.program.read_text(), id=case.name) for case in all_cases()[::8]]
HELPER = """import tensorflow as tf


def show(x):
    print(tf.norm(x))
    return tf.sin(x)
"""
TRAIN = """import tensorflow as tf

from helper import show


@tf.function
def step(x):
    return show(x)


step(tf.ones([3]))
"""


def looked(program: str) -> dict[str, tuple[bool, str, str]]:
    found = recorded(program).of(Looked)
    return {one.function.name: (one.traced, one.role, one.skipped) for one in found}


@pytest.fixture
def project(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "train.py").write_text(TRAIN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_each_function_is_traced_eager_or_skipped_with_the_reason() -> None:
    program = """
        import pytest
        import tensorflow as tf
        from .missing import graph

        class Model(tf.keras.Model):
            def call(self, x):
                return self.scale(x)

            def scale(self, x):
                return x * 2.0

        @graph
        def decorated(x):
            return tf.function(step)(x)

        @pytest.mark.parametrize("x", [1])
        def test(x):
            return step(x)

        @tf.function
        def step(x):
            return tf.sin(x)

        def main():
            data = tf.data.Dataset.range(3).map(lambda v: v + 1)
            return step(tf.ones([3])), data

        def plain():
            return 3

        main()
    """
    assert looked(program) == {
        "<module>": (False, "", "import not found"),
        "Model.call": (True, "keras", ""),
        "Model.scale": (True, "", ""),
        "decorated": (False, "", "unknown decorator"),
        "test": (False, "", ""),
        "step": (True, "function", ""),
        "main": (False, "", ""),
        "main.<lambda>": (True, "dataset", ""),
        "plain": (False, "", "nothing in it can reach a graph"),
    }


def test_a_budget_that_ends_is_reported() -> None:
    program = """
        import tensorflow as tf

        def long(f):
            for i in range(1000):
                for j in range(1000):
                    f(i, j, i + j, i * j, [i, j], {i: j})
            return tf.function(f)
    """
    body = "\n".join(f"    x{i} = [f({i}), f({i} + 1), f({i} + 2), f({i} + 3)]" for i in range(2000))
    assert looked(program)["long"][2] == ""
    text = f"import tensorflow as tf\ndef long(f):\n{body}\n    return tf.function(f)\n"
    assert looked(text)["long"] == (False, "", "budget")


def test_the_same_function_counts_once_as_far_as_any_file_came_with_it() -> None:
    seen = [
        Seen("a.py", 3, "f", False, "", "nothing in it can reach a graph"),
        Seen("a.py", 3, "f", True, "", ""),
        Seen("a.py", 9, "g", False, "", "budget"),
        Seen("b.py", 1, "h", True, "keras", ""),
    ]
    for order in (seen, seen[::-1]):
        assert coverage_of(reported_once(order, {"a.py"})) == Coverage(
            graph_functions=1, not_followed=(NotFollowed(name="g", path="a.py", line=9, reason="budget"),)
        )


def test_the_summary_names_the_first_entries_that_were_not_followed() -> None:
    entries = [NotFollowed(name="<module>", path="train.py", line=1, reason="budget")]
    entries += [NotFollowed(name=f"f{n}", path="a.py", line=n, reason="not reached") for n in range(2, 6)]
    reported = Report(graphdoctor="1", coverage=Coverage(graph_functions=12, not_followed=tuple(entries[:1])))
    assert summary(reported) == (
        "No findings. 12 graph functions looked at; 1 entry not followed: train.py (budget)."
    )
    reported = Report(graphdoctor="1", coverage=Coverage(graph_functions=1, not_followed=tuple(entries)))
    assert summary(reported) == (
        "No findings. 1 graph function looked at; 5 entries not followed: train.py (budget), "
        "a.py:2 f2 (not reached), a.py:3 f3 (not reached) and 2 more."
    )
    assert "Not followed: a.py:3 f3 (not reached)" in render_page(reported)


def test_a_helper_counts_where_another_file_traces_it(project: pathlib.Path) -> None:
    report = check_paths(["."], Config())
    assert report.coverage == Coverage(graph_functions=2)
    assert [(f.name, f.traces, f.foretold) for f in report.functions] == [("step", 1, True)]


def test_a_generator_that_another_file_goes_through_was_followed(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "training.py").write_text(
        "import tensorflow as tf\n"
        "def fit(model, batches):\n"
        "    for x in batches:\n"
        "        with tf.GradientTape() as tape:\n"
        "            loss = tf.reduce_sum(model(x))\n"
        "        yield tape.gradient(loss, model.trainable_variables)\n"
    )
    (tmp_path / "main.py").write_text(
        "import tensorflow as tf\nfrom training import fit\n"
        "model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])\n"
        "steps = fit(model, [tf.ones([1, 2])])\n"
    )
    (left_out,) = check_paths(["."], Config()).coverage.not_followed
    assert left_out.name == "fit"
    with (tmp_path / "main.py").open("a") as file:
        file.write("for step in steps: print(step)\n")
    assert check_paths(["."], Config()).coverage.not_followed == ()


def test_cached_is_fresh_and_so_are_several_processes(project: pathlib.Path) -> None:
    for number in range(60):
        (project / f"copy{number}.py").write_text(TRAIN.replace("step", f"step{number}"))
    fresh = check_paths(["."], Config())
    assert fresh.coverage is not None
    assert fresh.coverage.graph_functions == 62
    assert check_paths(["."], Config(), cache=True, jobs=2) == fresh
    assert check_paths(["."], Config(), cache=True) == fresh


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_files_does_not_matter(project: pathlib.Path, seed: int) -> None:
    (project / "other.py").write_text(TRAIN.replace("step", "another"))
    files = ["helper.py", "other.py", "train.py"]
    assert check_paths(random.Random(seed).sample(files, 3), Config()) == check_paths(files, Config())


def test_a_file_alone_tells_what_the_whole_project_tells_of_it(project: pathlib.Path) -> None:
    whole = [f for f in check_paths(["."], Config()).findings if f.path == "train.py"]
    assert list(check_paths(["train.py"], Config()).findings) == whole


def test_a_helper_alone_tells_what_the_whole_project_tells_of_it(project: pathlib.Path) -> None:
    whole = [f for f in check_paths(["."], Config()).findings if f.path == "helper.py"]
    assert list(check_paths(["helper.py"], Config()).findings) == whole


@pytest.mark.parametrize("program", [*EXAMPLES, *CASES])
def test_write_read_judge_is_judge(program: str, tmp_path: pathlib.Path) -> None:
    module = parse_module("program.py", inspect.cleandoc(program) + "\n")
    recording = dry_run(module)
    (tmp_path / "r.jsonl").write_bytes(encode_recordings([recording, recording]))
    again = read_recordings(str(tmp_path / "r.jsonl"))
    assert len(again) == 2
    assert again[1].events == recording.events
    assert dataclasses.replace(again[0].header, directory="") == recording.header
    assert examine(module, Config(), again[0]) == examine(module, Config(), recording)


def test_a_recording_is_reported_again(project: pathlib.Path) -> None:
    (project / "broken.py").write_text("import tensorflow as tf\n\n@tf.function\ndef f(:\n")
    assert graphdoctor("check", "--recording", "b.jsonl", cwd=project).returncode == 2
    broken = judge_recordings(tuple(read_recordings("b.jsonl")), Config())
    assert broken == check_paths(["."], Config())
    (project / "broken.py").unlink()
    first = graphdoctor("check", "--recording", "r.jsonl", cwd=project).stdout
    assert first.endswith(
        "1 finding (1 WRONG), 1 with a fix that can be applied. 2 graph functions looked at.\n"
    )
    recordings = tuple(read_recordings("r.jsonl"))
    assert judge_recordings(recordings, Config()) == check_paths(["."], Config())
    assert graphdoctor("report", "r.jsonl", cwd=project).stdout == first
    assert graphdoctor("report", "--functions", "r.jsonl", cwd=project).stdout == (
        "helper.py:4 show  traced   effect ×1\ntrain.py:6 step   traced\n"
    )


def test_a_recording_of_standard_input_is_refused(project: pathlib.Path) -> None:
    done = graphdoctor("check", "--stdin-filename", "a.py", "--recording", "r", cwd=project, stdin="x = 1\n")
    assert (done.returncode, done.stderr) == (
        2,
        "graphdoctor: --recording keeps what files show, not standard input\n",
    )
