"""One cause is one finding, with its seconds once; a failure has one reason."""

import pathlib
from inspect import cleandoc

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_text, judge_recordings
from graphdoctor.judging.confirmation import confirm
from graphdoctor.judging.matching import reported_once
from graphdoctor.judging.same_cause import grouped
from graphdoctor.model import (
    Called,
    Edit,
    Evidence,
    Finding,
    Fix,
    Grounds,
    Observed,
    Report,
    Safety,
    Severity,
    Span,
)
from graphdoctor.model.span import whole_line
from graphdoctor.recording import Trace
from graphdoctor.recording.format import MAY, Failure, Gradient, Place, Source
from graphdoctor.rules.facts import Facts
from graphdoctor.source.sites import Sources
from tests.making import at, make_recording, make_trace, tensor, value

PROGRAM = "import tensorflow as tf\n\n@tf.function\ndef step(x, n, m):\n    return x\n\n\n\nstep(x, n, m)\n"


def report(*traces: Trace, calls: int | None = None) -> Report:
    return judge_recordings((make_recording(*traces, calls=calls),), Config())


def reported(*traces: Trace) -> list[tuple[str, str | None, str]]:
    return [(f.rule, f.argument, f.message) for f in report(*traces).findings]


def failure(rule: str, line: int, message: str, evidence: Evidence = Evidence.RUN, trace: int = 7) -> Finding:
    return Finding.at(
        whole_line("train.py", line),
        rule=rule,
        name=rule,
        severity=Severity.ERROR,
        message=message,
        evidence=evidence,
        observed=Observed(traces=0, failed=1, seconds=1.0, numbers=(trace,)),
    )


def test_arguments_that_change_at_different_times_are_two_findings() -> None:
    traces = [make_trace(value("n", n), value("m", 0)) for n in range(4)]
    traces += [make_trace(value("n", 3), value("m", m)) for m in range(1, 4)]
    assert [(rule, argument) for rule, argument, _ in reported(*traces)] == [("GD101", "n"), ("GD101", "m")]


def test_arguments_that_change_together_are_one_finding() -> None:
    traces = [make_trace(value("n", n), value("m", -n), value("k", 2 * n)) for n in range(4)]
    assert reported(*traces) == [
        (
            "GD101",
            "n",
            "`step` was traced 3 more times (1.5 s) because `n` is a Python number; `m`, `k` change with it",
        )
    ]


def test_a_length_that_goes_with_the_shape_is_the_same_cause() -> None:
    traces = [make_trace(tensor("x", n, 8), value("length", n)) for n in (3, 4, 5, 6)]
    ((rule, argument, message),) = reported(*traces)
    assert (rule, argument) == ("GD101", "length")
    assert message.endswith("; at the same time `x` has another shape (GD103)")


def test_dtype_and_shape_of_one_argument_are_one_cause() -> None:
    kinds = ((3, "float32"), (4, "float64"), (5, "float16"))
    traces = [make_trace(tensor("x", size, dtype=dtype)) for size, dtype in kinds]
    (finding,) = report(*traces).findings
    assert finding.observed is not None
    assert (finding.observed.traces, finding.observed.seconds) == (2, 1.0)


def test_the_account_counts_a_trace_once() -> None:
    traces = [make_trace(value("n", n), value("m", -n)) for n in range(4)]
    run = report(*traces).run
    assert run is not None
    assert run.account is not None
    assert (run.account.first_seconds, run.account.found_seconds) == (0.5, 1.5)


def test_numbers_of_traces_stay_out_of_the_json() -> None:
    written = report(*(make_trace(value("n", n)) for n in range(4)))
    assert written.findings[0].observed is not None
    assert len(written.findings[0].observed.explains) == 3
    assert b"numbers" not in written.to_json()


def number(argument: str, column: int, safety: Safety | None, traces: tuple[int, ...] = (2, 3)) -> Finding:
    edit = Edit(path="t.py", line=1, column=column, end_line=1, end_column=column + 1, text="t")
    return Finding.at(
        Span(path="t.py", line=1, column=column, end_line=1, end_column=column + 1),
        rule="GD101",
        name="number",
        severity=Severity.SLOW,
        message=argument,
        argument=argument,
        evidence=Evidence.RUN,
        observed=Observed(traces=len(traces), seconds=1.0, numbers=traces),
        fix=Fix(title=f"Pass `{argument}`", safety=safety, edits=(edit,)) if safety else None,
    )


def test_one_fix_for_all_arguments_of_one_cause() -> None:
    (one,) = reported_once([number("a", 3, Safety.SAFE), number("b", 6, Safety.UNSAFE)], Sources())
    assert one.fix is not None
    assert (one.fix.title, one.fix.safety) == ("Pass `a`, others alike", Safety.UNSAFE)
    assert [edit.column for edit in one.fix.edits] == [3, 6]


def test_no_fix_where_an_argument_without_one_changes_each_time() -> None:
    (one,) = reported_once([number("a", 3, Safety.SAFE), number("mode", 6, None)], Sources())
    assert (one.message, one.fix) == ("a; `mode` changes with it", None)
    (some,) = reported_once([number("a", 3, Safety.SAFE), number("mode", 6, None, (3,))], Sources())
    assert some.fix is not None
    assert [edit.column for edit in some.fix.edits] == [3]


def test_two_failures_are_two_findings() -> None:
    both = [failure("GD330", 5, "a", trace=7), failure("GD701", 5, "b", trace=8)]
    assert reported_once(both, Sources()) == both


@pytest.mark.parametrize("vague", ["GD330", "GD900"])
def test_what_both_halves_say_of_a_failure_is_the_reason(vague: str) -> None:
    seen, both = failure(vague, 5, "Python loops"), failure("GD701", 5, "Keras", Evidence.BOTH)
    assert reported_once([seen, both], Sources()) == [both]


def test_a_failure_is_reported_at_its_cause_in_the_same_function(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text("def f(x):\n    if x:\n        y = 1\n    else:\n        z = 2\n")
    seen = failure("GD304", 2, "`y` is int32 in one branch (TypeError)")
    causes = [
        Finding.at(
            whole_line("train.py", line), rule="GD304", name="d", severity=Severity.ERROR, message=text
        )
        for line, text in ((5, "`z` differs"), (3, "`y` differs"))
    ]
    reported = reported_once([seen, *causes], Sources(str(tmp_path)))
    assert [(f.line, f.evidence, f.message) for f in reported] == [
        (5, Evidence.SOURCE, "`z` differs"),
        (3, Evidence.BOTH, "`y` is int32 in one branch (TypeError)"),
    ]


def predicted(rule: str, line: int, message: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding.at(whole_line("train.py", line), rule=rule, name="d", severity=severity, message=message)


def test_a_failure_in_what_the_cause_calls_is_reported_with_it_once(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text("def add(a, b):\n    return a + b\ndef f(x):\n    y = 0\n")
    cause = predicted("GD306", 4, "`y` starts as an integer")
    seen = failure("GD306", 2, "`y` starts as 0")
    (one,) = reported_once([seen, cause], Sources(str(tmp_path)), [cause])
    assert (one.line, one.evidence, one.message) == (4, Evidence.BOTH, "`y` starts as 0")


@pytest.mark.parametrize("severity", [Severity.ERROR, Severity.WRONG, Severity.NOTE])
def test_a_run_confirms_what_was_predicted_with_less_certainty(
    severity: Severity, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "train.py").write_text("def f(x):\n    if x:\n        y = 1\n")
    both = [failure("GD701", 2, "seen"), predicted("GD701", 2, "will", severity)]
    (one,) = reported_once(both, Sources(str(tmp_path)))
    assert (one.evidence, one.severity, one.message) == (Evidence.BOTH, Severity.ERROR, "seen")


def test_what_no_rule_explains_is_explained_by_the_one_error_predicted_there(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text("def f(x):\n    y = 0\n    y = y + x\n\ndef g(x):\n    return x\n")
    seen, cause = failure("GD900", 3, "TypeError"), predicted("GD306", 2, "`y` starts as an integer")
    (one,) = reported_once([seen, cause], Sources(str(tmp_path)))
    assert (one.rule, one.line, one.evidence) == ("GD306", 2, Evidence.BOTH)
    assert one.message == "`y` starts as an integer"
    for others in (
        [cause, predicted("GD307", 3, "grows")],  # one of two
        [predicted("GD306", 6, "elsewhere")],
        [predicted("GD502", 2, "no exception")],
    ):
        assert reported_once([seen, *others], Sources(str(tmp_path))) == [seen, *others]


def test_a_failure_for_want_of_a_gradient_is_reported_with_it() -> None:
    trace = make_trace(failed="ValueError", own_seconds=2.0)
    missing = Gradient(
        reason="operation",
        operation="Round",
        sources=(Source(index=0, name="w", variable=True),),
        asked=1,
        broken=Place(path="train.py", line=7),
        chain=at("train.py", 9),
    )
    failures = {
        "No gradients provided for any variable.": ["GD504"],
        "None values not supported.": ["GD504"],
        "Dimensions must be equal, but are 3 and 4": ["GD900", "GD504"],
    }
    for text, rules in failures.items():
        failed = Failure(
            type="ValueError", text=text, trace=trace.number, through="keras", chain=at("train.py", 9)
        )
        findings = judge_recordings((make_recording(missing, failed, trace),), Config()).findings
        assert [finding.rule for finding in findings] == rules


def doubtful(finding: Finding) -> Finding:
    return finding.on(Grounds(reached=MAY, called=Called.PROGRAM, claim=finding.severity))


def confirmed(vague: str, *notes: Finding) -> list[tuple[str, Severity, Evidence]]:
    """What is reported a failure on line 5, which the source explains by notes."""
    trace = make_trace(failed="OperatorNotAllowedInGraphError", own_seconds=2.0)
    failed = Failure(type="TypeError", text="", trace=trace.number, chain=at("train.py", 5, "step"))
    seen = failure(vague, 5, "TensorFlow's own words", trace=trace.number)
    facts = Facts([make_recording(failed, trace)])
    return [(f.rule, f.severity, f.evidence) for f in confirm([seen], [seen, *notes], facts)]


def test_a_note_of_what_raises_explains_a_failure_that_has_many_reasons() -> None:
    low = doubtful(predicted("GD322", 5, "`:=` keeps AutoGraph from converting", Severity.ERROR))
    assert confirmed("GD340", low) == [("GD322", Severity.ERROR, Evidence.BOTH)]


def test_a_note_does_not_explain_what_is_explained_or_stands_elsewhere() -> None:
    note = doubtful(predicted("GD322", 5, "`:=` keeps AutoGraph from converting", Severity.ERROR))
    slow = doubtful(predicted("GD120", 5, "slow", Severity.SLOW))
    away = doubtful(predicted("GD322", 9, "there", Severity.ERROR))
    other = doubtful(predicted("GD332", 5, "is taken apart", Severity.ERROR))
    assert confirmed("GD301", note) == [("GD301", Severity.ERROR, Evidence.RUN)]
    for notes in ([slow], [away], [note, other]):
        assert confirmed("GD340", *notes) == [("GD340", Severity.ERROR, Evidence.RUN)]


def lines(program: str, rule: str) -> list[tuple[int, list[int]]]:
    """Where each finding of a rule is reported, and its other places."""
    text = "import numpy as np\nimport tensorflow as tf\n" + cleandoc(program) + "\n"
    found = grouped(check_text("program.py", text, Config(select=(rule,)))).findings
    return [(f.line, [r.line for r in f.related if r.message == "the same here"]) for f in found]


def test_two_functions_are_two_findings() -> None:
    program = """
        @tf.function
        def one(x):
            return tf.abs(x).numpy()
        @tf.function
        def two(x):
            return tf.abs(x).numpy()
        one(tf.ones(2))
        two(tf.ones(2))
        """
    assert lines(program, "GD801") == [(5, []), (8, [])]


def test_what_goes_wrong_with_two_names_is_two_findings() -> None:
    program = """
        a, b = [], []
        @tf.function
        def f(x):
            a.append(tf.abs(x))
            b.append(tf.abs(x))
            return x
        f(tf.ones(2))
        print(a, b)
        """
    assert lines(program, "GD202") == [(6, []), (7, [])]


def test_two_rules_are_two_findings() -> None:
    program = """
        @tf.function
        def f(x):
            y = tf.abs(x).numpy()
            for each in [v for v in tf.abs(x)]:
                x = x + each
            return y
        f(tf.ones(2))
        """
    assert lines(program, "GD801") == [(5, [])]
    assert lines(program, "GD330") == [(6, [])]


def test_an_exception_ends_the_trace_whatever_stands_behind_it() -> None:
    program = """
        def mean(x):
            return tf.reduce_mean(x).numpy()
        @tf.function
        def f(x):
            a = tf.abs(x).numpy()
            b = tf.sign(x).numpy() + mean(x)
            return a + b
        f(tf.ones(2))
        """
    assert lines(program, "GD801") == [(4, [7, 8])]


def test_one_list_that_is_filled_in_three_lines_is_one_finding() -> None:
    program = """
        found = {}
        @tf.function
        def f(x):
            found["a"] = tf.abs(x)
            found["b"] = tf.sign(x)
            found["c"] = tf.sign(x)
            return x
        f(tf.ones(2))
        print(found)
        """
    assert lines(program, "GD202") == [(6, [7, 8])]


def test_the_fix_of_one_cause_has_all_its_edits() -> None:
    text = "import tensorflow as tf\n@tf.function\ndef f(x):\n  print(tf.norm(x))\n  print(tf.norm(-x))\n"
    (one,) = grouped(check_text("program.py", text, Config(select=("GD201",)))).findings
    assert one.fix is not None
    assert [edit.line for edit in one.fix.edits] == [4, 5]


def drawn(column: int, end: int, evidence: Evidence, message: str = "draws once", line: int = 28) -> Finding:
    span = Span(path="train.py", line=line, column=column, end_line=line, end_column=end)
    made = {"rule": "GD208", "name": "GD208", "severity": Severity.WRONG}
    return Finding.at(span, message=message, evidence=evidence, **made)


@pytest.mark.parametrize(
    "findings",
    [
        [drawn(11, 20, Evidence.BOTH), drawn(25, 34, Evidence.BOTH)],
        [drawn(5, 40, Evidence.RUN), drawn(5, 40, Evidence.RUN, line=29)],
        [drawn(11, 20, Evidence.SOURCE), drawn(5, 40, Evidence.RUN)],
        [drawn(5, 40, Evidence.BOTH), drawn(11, 20, Evidence.BOTH)],
    ],
    ids=["two draws", "two lines", "only predicted", "both exact"],
)
def test_what_may_be_two_things_is_two_findings(findings: list[Finding]) -> None:
    assert reported_once(findings, Sources()) == findings


@pytest.mark.parametrize(
    ("findings", "left"),
    [
        ([drawn(5, 40, Evidence.RUN, "in a"), drawn(5, 40, Evidence.RUN, "in b")], [0]),
        ([drawn(5, 40, Evidence.RUN, "in a"), drawn(11, 20, Evidence.BOTH)], [1]),
        ([drawn(5, 40, Evidence.SOURCE, "in a"), drawn(5, 40, Evidence.RUN, "in b")], [1]),
        ([drawn(5, 40, Evidence.SOURCE, "for a"), drawn(5, 40, Evidence.SOURCE, "for b")], [0]),
    ],
    ids=["in two functions of Keras", "the exact place", "more evidence", "needed twice"],
)
def test_one_place_is_one_finding(findings: list[Finding], left: list[int]) -> None:
    assert reported_once(findings, Sources()) == [findings[number] for number in left]
