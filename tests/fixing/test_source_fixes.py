"""Edits that only the source shows, for what a run found."""

import pathlib

from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.fixing.source_fixes import with_source_fixes
from graphdoctor.judging import check_paths
from graphdoctor.model import Evidence, Finding, Report, Severity

PROGRAM = """
import tensorflow as tf

w, b = tf.Variable(1.0), tf.Variable(2.0)
for step in range(3):
    with tf.GradientTape() as tape:
        loss = w * w + b
    dw, db = tape.gradient(loss, [w, b])
    w = w - 0.1 * dw
    b = b - 0.1 * db
""".lstrip()


def seen_in_a_run(folder: pathlib.Path) -> list[Finding]:
    """The two findings of the program, as a run without the source would tell them."""
    (folder / "p.py").write_text(PROGRAM)
    found = check_paths([str(folder / "p.py")], Config()).findings
    assert [finding.rule for finding in found] == ["GD506", "GD506"]
    return [replace(one, path="p.py", evidence=Evidence.RUN, fix=None, alternatives=()) for one in found]


def edits(report: Report) -> list[tuple[str, str]]:
    return [(f.path, edit.text) for f in report.findings for fix in f.fixes for edit in fix.edits]


BOTH = [("p.py", "w.assign_sub(0.1 * dw)"), ("p.py", "b.assign_sub(0.1 * db)")]


def test_a_finding_of_the_run_gets_the_edit_of_its_own_line(tmp_path: pathlib.Path) -> None:
    report = Report(graphdoctor="0", findings=tuple(seen_in_a_run(tmp_path)))
    assert edits(with_source_fixes(report, str(tmp_path), Config(), died=False)) == BOTH


def test_what_a_program_died_before_is_added(tmp_path: pathlib.Path) -> None:
    first, _ = seen_in_a_run(tmp_path)
    report = Report(graphdoctor="0", findings=(first,))
    assert edits(with_source_fixes(report, str(tmp_path), Config(), died=True)) == BOTH
    assert edits(with_source_fixes(report, str(tmp_path), Config(), died=False)) == BOTH[:1]


def test_edits_that_the_run_knows_are_kept(tmp_path: pathlib.Path) -> None:
    seen_in_a_run(tmp_path)
    found = check_paths([str(tmp_path / "p.py")], Config()).findings
    report = Report(graphdoctor="0", findings=found)
    assert with_source_fixes(report, str(tmp_path), Config(), died=False) == report


def test_the_only_one_of_its_rule_may_be_edited_in_another_file(tmp_path: pathlib.Path) -> None:
    made = (
        "import tensorflow as tf\n\n\ndef make():\n    return tf.data.Dataset.range(4).map(lambda x: x * 2)\n"
    )
    (tmp_path / "data.py").write_text(made)
    (tmp_path / "main.py").write_text(
        "import data\nimport tensorflow as tf\n\nfor epoch in range(9):\n    for x in data.make():\n"
        "        tf.print(x)\n"
    )
    (found,) = check_paths([str(tmp_path / "main.py")], Config()).findings
    seen = replace(found, path="data.py", line=5, evidence=Evidence.RUN, fix=None, alternatives=())
    report = Report(graphdoctor="0", findings=(seen,))
    ran = {"main.py", "data.py"}
    found = with_source_fixes(report, str(tmp_path), Config(), died=False, ran=ran)
    fixes = found.findings[0].fixes
    assert {edit.path for fix in fixes for edit in fix.edits} == {"main.py"}
    twice = Report(graphdoctor="0", findings=(seen, replace(seen, line=2)))
    assert not edits(with_source_fixes(twice, str(tmp_path), Config(), died=False, ran=ran))


STAGED = """
import tensorflow as tf


def loss(stage, x):
    match stage:
        case "main":
            if tf.reduce_sum(x) > 2.0:
                x = tf.minimum(x, 4.0)
        case _:
            x = -x
    return x


def other(stage, x):
    return -x


@tf.function
def step(stage, x):
    return loss(stage, x) + other(stage, x)


step("main", tf.ones([3]))
""".lstrip()


def test_what_fails_may_have_its_cause_in_the_same_function(tmp_path: pathlib.Path) -> None:
    (tmp_path / "p.py").write_text(STAGED)
    (predicted,) = check_paths([str(tmp_path / "p.py")], Config()).findings
    assert predicted.rule == "GD323"
    failed = replace(predicted, rule="GD340", path="p.py", line=7, severity=Severity.ERROR, fix=None)
    report = Report(graphdoctor="0", findings=(failed,))
    (found,) = with_source_fixes(report, str(tmp_path), Config(), died=True).findings[:1]
    assert (found.rule, found.fix and found.fix.title) == ("GD340", "Use `if` and `elif`")
    elsewhere = Report(graphdoctor="0", findings=(replace(failed, line=14),))
    (found,) = with_source_fixes(elsewhere, str(tmp_path), Config(), died=True).findings[:1]
    assert found.fix is None


def test_where_a_run_found_nothing_check_tells_all_once(tmp_path: pathlib.Path) -> None:
    seen_in_a_run(tmp_path)
    report = Report(graphdoctor="0")
    found = with_source_fixes(report, str(tmp_path), Config(), died=False, ran={"p.py"}, everything=True)
    assert [(f.rule, f.line, f.evidence) for f in found.findings] == [
        ("GD506", 8, Evidence.SOURCE),
        ("GD506", 9, Evidence.SOURCE),
    ]
    silent = with_source_fixes(report, str(tmp_path), Config(), died=False, ran={"p.py"})
    assert silent.findings == ()
