"""The summary of a run: what part of it is explained, what is light; no name is cut to nothing."""

import pytest
from msgspec.structs import replace
from tests.making import make_recording, make_trace

from graphdoctor.config import Config
from graphdoctor.judging import judge_recordings
from graphdoctor.model import (
    Account,
    Evidence,
    Finding,
    FunctionSummary,
    Observed,
    Report,
    RunSummary,
    Severity,
)
from graphdoctor.model.span import whole_line
from graphdoctor.model.time_account import TimeAccount
from graphdoctor.recording.format import Definition
from graphdoctor.reports.html import render_page
from graphdoctor.reports.run import accounted, run_summary
from graphdoctor.reports.summary import summary, worst_cause
from graphdoctor.reports.terminal import by_weight, render_plain


@pytest.mark.parametrize(
    ("account", "expected"),
    [
        (Account(first_seconds=2.0), "all of it explained: first traces 2.0 s"),
        (
            Account(first_seconds=1.0, found_seconds=8.0, benign_seconds=1.0),
            "all of it explained: findings 8.0 s, first traces 1.0 s, benign 1.0 s",
        ),
        (
            Account(found_seconds=93.0, first_seconds=4.0, unexplained_seconds=3.0),
            "97 % of it explained: findings 93 s, first traces 4.0 s; nothing explains 3.0 s",
        ),
        (Account(unexplained_seconds=3.0), "0 % of it explained; nothing explains 3.0 s"),
    ],
)
def test_what_part_of_the_time_is_explained(account: Account, expected: str) -> None:
    assert accounted(account) == expected


def finding(line: int, seconds: float, severity: Severity = Severity.SLOW, traces: int = 3) -> Finding:
    return Finding.at(
        whole_line("train.py", line),
        rule="GD101",
        name="python-number-argument",
        severity=severity,
        message="m",
        evidence=Evidence.RUN,
        observed=Observed(traces=traces, seconds=seconds),
    )


def report(*findings: Finding, seconds: float = 100.0) -> Report:
    run = RunSummary(seconds=seconds, traces=9, tracing_seconds=9.0)
    return Report(graphdoctor="0", findings=findings, run=run)


def test_what_costs_more_than_its_traces_is_not_said_to_explain_more_than_all() -> None:
    reported = {seconds: report(finding(1, seconds)) for seconds in (8.0, 12.0)}
    texts = [worst_cause(each, each.run) for each in reported.values() if each.run]
    assert texts == ["; one cause explains 3 of them (8.0 s)", "; one cause explains 3 of them"]


@pytest.mark.parametrize(
    "reported",
    [
        pytest.param(report(finding(1, 0.01), finding(2, 0.02)), id="nothing is heavier"),
        pytest.param(report(finding(1, 9.0), finding(2, 1.5)), id="1 % of the run"),
        pytest.param(report(finding(1, 9.0), finding(2, 0.01, Severity.ERROR)), id="an error"),
        pytest.param(report(finding(1, 9.0), finding(2, 0.01, Severity.WRONG)), id="wrong results"),
        pytest.param(report(finding(1, 9.0), finding(2, 0.0, traces=0)), id="not a matter of time"),
        pytest.param(report(finding(1, 0.3), finding(2, 0.06), seconds=1.0), id="50 ms of a short run"),
    ],
)
def test_must_not_be_folded(reported: Report) -> None:
    assert by_weight(reported) == (list(reported.findings), [])


def test_what_is_light_is_one_line() -> None:
    reported = report(finding(1, 9.0), finding(2, 0.01), finding(3, 0.9, Severity.NOTE))
    assert "2 light findings (0.9 s in all): GD101 train.py:2, GD101 train.py:3\n" in render_plain(reported)
    assert render_plain(reported).count("python-number-argument") == 1
    assert "3 findings (" in render_plain(reported)


@pytest.mark.parametrize(
    ("name", "path", "shown"),
    [
        ("step", "train.py", "step train.py:12"),
        (
            "step",
            "a/very/long/way/to/the/file/of/the/program/train.py",
            "step …/the/file/of/the/program/train.py:12",
        ),
        (
            "ConditionalDiscriminatorTrainer._apply_generator_step",
            "src/training/trainer.py",
            "Condition…ply_generator_step …rainer.py:12",
        ),
        (
            "a_function_of_the_module_with_a_very_long_name",
            "t.py",
            "…_the_module_with_a_very_long_name t.py:12",
        ),
    ],
)
def test_names_are_never_cut_to_nothing(name: str, path: str, shown: str) -> None:
    function = FunctionSummary(
        name=name, path=path, line=12, objects=1, calls=3, traces=1, retraces=0, seconds=1.0, operations=5
    )
    table = render_plain(Report(graphdoctor="0", functions=(function,)))
    row = table.splitlines()[1]
    assert len(row) <= 80
    assert row.startswith(f"  {shown}  ")


def reported(*hidden: str, found: int = 0) -> str:
    findings = tuple(finding(line, 1.0) for line in range(1, found + 1))
    run = RunSummary(seconds=9.0, traces=5, tracing_seconds=1.0, hidden=hidden)
    return summary(Report(graphdoctor="0", findings=findings, run=run))


def test_what_is_hidden_is_no_clean_program() -> None:
    assert reported() == "No findings."
    assert reported("GD101 train.py:8") == (
        "No findings in what was asked for. 1 more is hidden by --include or --exclude: GD101 train.py:8."
    )
    assert reported("GD101 a.py:1", "GD102 a.py:2", "GD101 b.py:3", "GD215 b.py:4", found=1) == (
        "1 finding (1 SLOW). 4 more are hidden by --include or --exclude: "
        "GD101 a.py:1, GD102 a.py:2, GD101 b.py:3 and 1 more."
    )


def test_the_page_names_what_is_hidden() -> None:
    run = RunSummary(seconds=9.0, traces=5, tracing_seconds=1.0, hidden=("GD101 train.py:8",))
    page = render_page(Report(graphdoctor="0", run=run))
    assert "1 more is hidden by --include or --exclude: GD101 train.py:8." in page


def test_headline_table_and_json_count_the_same_traces() -> None:
    """TensorFlow traces `initialize_variables` by itself, which is no function of the table."""
    setup = Definition(name="initialize_variables", path="def_function.py", line=1)
    own = make_trace(library=True, object=0, function=setup)
    judged = judge_recordings((make_recording(make_trace(), own, make_trace(number=9_999)),), Config())
    assert judged.run is not None
    assert judged.details is not None
    assert judged.run.traces == sum(function.traces for function in judged.functions) == 2
    assert len(judged.details.traces) == 2
    assert ": 2 traces took " in run_summary(judged, judged.run)
    assert "went into 2 traces" in render_page(judged)


def test_the_share_of_the_traces_is_that_of_the_time_accounted_for() -> None:
    run = RunSummary(seconds=4.0, traces=3, tracing_seconds=1.0)
    traced = Report(graphdoctor="0", tensorflow="2.21.0", run=run)
    assert run_summary(traced, run) == "TensorFlow 2.21.0: 3 traces took 1.0 s of 4.0 s (25 %)"
    whole = replace(traced, time=TimeAccount(seconds=10.0, phases=()))
    assert run_summary(whole, run) == "TensorFlow 2.21.0: 3 traces took 1.0 s of 10 s (10 %)"
    assert "1.0 s of 10 s (10 %) went into 3 traces" in render_page(whole)
