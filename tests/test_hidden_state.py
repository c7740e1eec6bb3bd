"""An answer does not depend on what was asked before: of rules, files, runs and the memory between checks."""

import pathlib

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths, judge_recordings
from graphdoctor.recording import Recording, Trace
from graphdoctor.recording.format import Calls, Definition, End
from tests.making import header, make_trace

CONFIG = Config(keras=3)
WAVE = """import numpy as np
import tensorflow as tf

from lists import collect


def wave(x):
    return np.sin(x)


@tf.function
def step(x):
    collect(x)
    return wave(x)


step(tf.ones([3]))
"""
LISTS = """import tensorflow as tf


def collect(x):
    parts = []

    def add(part):
        parts.append(part)

    add(x)
    return tf.stack(parts)
"""
OTHER = """import tensorflow as tf


@tf.function
def other(x):
    return x + 1.0


other(tf.ones([3]))
"""


def write(folder: pathlib.Path, **texts: str) -> None:
    """Make modules of these names and texts."""
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)


def found(*paths: str, config: Config = CONFIG, cache: bool = False) -> list[tuple[str, str, int]]:
    """Rule, path and line of what `check` finds."""
    report = check_paths(paths or ["."], config, cache=cache)
    return [(finding.rule, finding.path, finding.line) for finding in report.findings]


def test_all_rules_find_what_one_rule_finds_where_a_helper_fills_a_list(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, a=WAVE, lists=LISTS)
    alone = found("a.py", config=Config(keras=3, select=("GD802",)))
    assert alone == [("GD802", "a.py", 8)]
    assert found("a.py") == alone


def trace_of(name: str, path: str, line: int) -> Trace:
    """One trace of a function that was called five times."""
    return make_trace(function=Definition(name=name, path=path, line=line), chain=())


def judged(folder: pathlib.Path, *traces: Trace) -> list[tuple[str, str, int]]:
    """Rule, path and line of what a run with these traces shows."""
    calls = tuple(Calls(function=trace.function, calls=5) for trace in traces)
    events = (*traces, *calls, End(seconds=1.0))
    recording = Recording(header=header(directory=str(folder)), events=events)
    return [(f.rule, f.path, f.line) for f in judge_recordings((recording,), CONFIG).findings]


def test_traces_of_another_file_take_nothing_away(tmp_path: pathlib.Path) -> None:
    write(tmp_path, a=WAVE.replace("    collect(x)\n", ""), lists=LISTS, b=OTHER)
    step, other = trace_of("step", "a.py", 11), trace_of("other", "b.py", 4)
    alone = judged(tmp_path, step)
    assert ("GD802", "a.py", 8) in alone
    assert judged(tmp_path, step, other) == alone


USER = """import tensorflow as tf

from h import scale

twice = tf.function(lambda x: 2.0 * x)

for step in range(9):
    scale(twice(tf.ones([3])), step)
"""
SCALE = """from k import graph


@graph
def scale(x, step):
    return x * step
"""
GRAPH = """import tensorflow as tf

graph = tf.function
"""
EAGER = """def graph(function):
    return function
"""


def test_an_edit_two_imports_away_is_seen_by_the_second_file_that_leads_there(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    fillers = {f"z{number}": OTHER for number in range(4)}  # eight files are checked two by two: a with b
    write(tmp_path, a=USER, b=USER, h=SCALE, k=GRAPH, **fillers)
    assert found(cache=True) == [("GD101", "a.py", 8), ("GD101", "b.py", 8)]
    write(tmp_path, k=EAGER)
    assert found() == []
    assert found(cache=True) == []


def test_an_unchanged_project_is_not_run_again(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep" / "inner").mkdir(parents=True)
    write(tmp_path / "deep" / "inner", __init__="", a=USER, h=SCALE, k=GRAPH)
    first = found(cache=True)
    assert first != []
    run_again: list[str] = []
    monkeypatch.setattr("graphdoctor.judging.chunks.dry_run", lambda module: run_again.append(module.path))
    assert found(cache=True) == first
    assert run_again == []


LAZY = """import tensorflow as tf


def first(x):
    from h import scale

    graph = tf.function(lambda x: 2.0 * x)
    for step in range(9):
        scale(graph(tf.ones([3])), step)


def second(x):
    from h import scale

    graph = tf.function(lambda x: 3.0 * x)
    for step in range(9):
        scale(graph(tf.ones([4])), step)
"""


def test_a_module_that_functions_import_is_whole_for_each_of_them(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, a=LAZY, b=USER, h=SCALE, k=GRAPH)
    alone = found("a.py")
    assert alone == [("GD101", "a.py", 9), ("GD101", "a.py", 17)]
    assert found("a.py", "b.py") == [*alone, *found("b.py")]
    assert found("b.py", "a.py") == [*alone, *found("b.py")]


def test_a_module_that_switches_graphs_off_does_so_for_all_who_import_it(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, a="import debugging\n" + USER, b="import debugging\n" + USER, h=SCALE, k=GRAPH)
    assert len(found("a.py", "b.py")) == 2
    write(tmp_path, debugging="import tensorflow as tf\n\ntf.config.run_functions_eagerly(True)\n")
    assert found("a.py", "b.py") == []


def test_a_module_that_comes_later_is_seen(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, a=USER, k=GRAPH)
    assert found(cache=True) == []
    write(tmp_path, h=SCALE)
    assert found(cache=True) == found() == [("GD101", "a.py", 8)]
    (tmp_path / "h.py").unlink()
    assert found(cache=True) == []
