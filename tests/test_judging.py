"""Recordings of static and runtime analysis go through one pipeline: joined, silenced, reported once."""

import dataclasses
import pathlib

import pytest
from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.judging import check_paths, judge, judge_recordings
from graphdoctor.judging.identity import identity
from graphdoctor.judging.static_and_runtime import programs
from graphdoctor.model import Certainty, Confidence, Evidence, Finding, Level, Severity
from graphdoctor.recording import Recording
from graphdoctor.recording.format import (
    DRY_RUN,
    MUST,
    AnyEvent,
    Argument,
    Definition,
    Effect,
    Escape,
    Failure,
    Frame,
    Gradient,
    Header,
    Looked,
    Place,
    Source,
    State,
    Trace,
    Value,
)
from graphdoctor.rules import all_rules
from graphdoctor.rules.facts import Facts
from graphdoctor.source import parse_module
from graphdoctor.source.sites import Sources
from tests.making import STEP, at, make_recording, make_trace, tensor, value


def dry(*events: AnyEvent) -> Recording:
    """What the dry run predicts."""
    return Recording(header=Header(recorder=DRY_RUN, sees=("trace", "escape", "gradient")), events=events)


def place(line: int, column: int = 5, path: str = "train.py") -> Place:
    return Place(path=path, line=line, column=column, end_line=line, end_column=column + 4)


def rounded(reached: str = "seen", chain: tuple[Frame, ...] = at("train.py", 9)) -> Gradient:
    """A gradient that `tf.round` breaks."""
    return Gradient(
        reason="operation",
        operation="Round",
        sources=(Source(index=0, name="w", variable=True),),
        asked=1,
        broken=Place(path="train.py", line=7),
        chain=chain,
        reached=reached,
    )


def found(*recordings: Recording, sources: Sources | None = None) -> list[Finding]:
    return judge(recordings, sources or Sources(), Config())


def counted(reached: str, *numbers: int) -> list[Trace]:
    """Traces of `step(x, k)` for these numbers, as the dry run tells them."""
    chain = (Frame(function="<module>", place=place(9)),)
    return [
        make_trace(
            tensor("x", 3),
            dataclasses.replace(value("k", number), place=place(9, 17)),
            chain=chain,
            reached=reached,
            own_seconds=0.0,
        )
        for number in numbers
    ]


def test_each_half_alone_gives_a_finding_with_its_evidence() -> None:
    (seen,) = found(make_recording(rounded()))
    (predicted,) = found(dry(rounded(MUST)))
    assert (seen.rule, seen.evidence, seen.severity) == ("GD504", Evidence.RUN, Severity.WRONG)
    assert (predicted.rule, predicted.evidence, predicted.severity) == (
        "GD504",
        Evidence.SOURCE,
        Severity.WRONG,
    )
    assert predicted.observed is None


def test_what_both_analyses_report_is_one_finding() -> None:
    exact = (Frame(function="<module>", place=place(9)),)
    (finding,) = found(make_recording(rounded()), dry(rounded(MUST, exact)))
    assert (finding.evidence, finding.certainty) == (Evidence.BOTH, Certainty())
    assert finding.related[0].column == 5


def test_the_order_of_recordings_does_not_matter() -> None:
    recordings = [make_recording(*counted("seen", 1, 2, 3)), dry(*counted(MUST, 1, 2, 3), rounded(MUST))]
    assert found(*recordings) == found(*reversed(recordings))


def test_numbers_that_the_dry_run_predicts_stand_at_the_argument() -> None:
    (finding,) = found(dry(*counted(MUST, 1, 2, 3, 4, 5)))
    assert (finding.rule, finding.line, finding.column, finding.evidence.value) == ("GD101", 9, 17, "source")
    assert finding.message == "each new value of the Python number `k` makes `step` trace again"
    assert found(dry(*counted(MUST, 1, 2, 3))) == []


def test_numbers_that_both_analyses_report_have_the_place_of_one_and_the_figures_of_the_other() -> None:
    (finding,) = found(make_recording(*counted("seen", 1, 2, 3, 4)), dry(*counted(MUST, 1, 2, 3, 4, 5)))
    assert (finding.column, finding.evidence.value) == (17, "both")
    assert finding.observed is not None
    assert finding.observed.traces == 3


def leak(reached: str) -> Escape:
    definition = Definition(name="step", path="train.py", line=3)
    return Escape(
        tensor=Value(kind="tensor", text="mul:0"),
        state=State(kind="global", name="kept", holder="global `kept`"),
        trace=1,
        chain=(Frame(function="step", place=place(5), definition=definition),),
        again=True,
        reached=reached,
    )


def leaking(escape: Escape) -> Recording:
    """A dry run in which a tensor leaves the trace of `step`."""
    return dry(make_trace(tensor("x", 3), number=1, reached=MUST), escape)


def test_a_run_that_could_see_it_and_did_not_settles_what_was_predicted() -> None:
    run = make_recording(make_trace(tensor("x", 3)))
    sees = dataclasses.replace(run, header=dataclasses.replace(run.header, sees=("escape",)))
    assert [f.rule for f in found(leaking(leak(MUST)))] == ["GD212"]
    assert [f.rule for f in found(run, leaking(leak(MUST)))] == ["GD212"]
    assert found(sees, leaking(leak(MUST))) == []


def appended(reached: str, read: Place | None = None) -> Effect:
    """`state.losses.append(loss)` in a trace of `step`."""
    return Effect(
        what="append",
        name="state.losses",
        state=State(kind="list", name="state.losses"),
        shows="tensor",
        trace=1,
        chain=(Frame(function="step", place=place(5)),),
        reached=reached,
        read=read,
    )


def test_an_effect_that_was_seen_is_read_where_any_file_of_the_program_reads_it() -> None:
    run = make_recording(make_trace(tensor("x", 3), number=1), appended("seen"))
    library, program = appended(MUST), appended(MUST, read=place(12, path="program.py"))
    assert [f.rule for f in found(run, dry(library))] == []
    assert [f.rule for f in found(run, dry(library), dry(program))] == ["GD202"]


FAILS = "symbolic tf.Tensor as a Python bool"


def failed(trace: Trace, text: str = FAILS) -> Failure:
    return Failure(type="TypeError", text=text, trace=trace.number, chain=at("train.py", 5, "step"))


def test_a_failure_that_the_program_survives_is_no_error() -> None:
    trace = make_trace(failed="TypeError")
    ended = Failure(type="TypeError", text=FAILS, chain=at("train.py", 9))
    (caught,), (fatal,) = (
        found(make_recording(trace, failed(trace))),
        found(make_recording(trace, failed(trace), ended)),
    )
    assert (caught.confidence.level, fatal.confidence.level) == (Level.MEDIUM, Level.HIGH)


def test_the_most_specific_text_explains_a_failure() -> None:
    own, keras = make_trace(failed="TypeError"), make_trace(failed="TypeError", origin="keras")
    (plain,) = found(make_recording(own, failed(own)))
    (in_keras,) = found(make_recording(keras, failed(keras)))
    assert (plain.rule, in_keras.rule) == ("GD340", "GD701")
    assert plain.message == (
        "AutoGraph does not convert this code, so a tensor cannot be the condition of an `if` or a `while` "
        "(TypeError)"
    )


def test_a_failure_is_reported_where_it_began() -> None:
    outer = make_trace(failed="TypeError", function=Definition(name="outer", path="train.py", line=20))
    inner = make_trace(failed="TypeError", trace=outer.number)
    end = Failure(type="TypeError", text=FAILS, chain=at("train.py", 30))
    outside = dataclasses.replace(failed(outer), chain=at("train.py", 22, "outer"))
    (finding,) = found(make_recording(inner, failed(inner), outer, outside, end))
    assert (finding.line, finding.function) == (5, Facts([make_recording(inner)]).histories[0].function)


@pytest.mark.parametrize(("line", "reported"), [(2, True), (3, True), (4, False)])
def test_what_a_decorator_raises_is_found_also_at_its_def(
    line: int, reported: bool, tmp_path: pathlib.Path
) -> None:
    """Python 3.10 names the line of the `def`."""
    text = (
        "import tensorflow as tf\n@tf.function(input_signature=tf.TensorSpec([]))\ndef f(x):\n    return x\n"
    )
    (tmp_path / "train.py").write_text(text)
    failure = Failure(type="TypeError", text="input_signature must be a list", chain=at("train.py", line))
    recording = make_recording(failure)
    header = dataclasses.replace(recording.header, directory=str(tmp_path))
    findings = judge_recordings([dataclasses.replace(recording, header=header)], Config()).findings
    assert [finding.rule for finding in findings if finding.evidence is Evidence.BOTH] == ["GD104"] * reported


TEXT = """\
import tensorflow as tf
kept = []
@tf.function
def step(x):
    kept.append(x){here}
    return helper(x)
helper(1){caller}
"""


@pytest.mark.parametrize(
    ("here", "caller", "reported"),
    [
        ("", "", True),
        ("  # noqa: GD212", "", False),
        ("  # noqa", "", False),
        ("", "  # noqa: GD212", False),
        ("", "  # noqa: GD101", True),
        ("", "  # noqa", True),
    ],
)
def test_a_comment_at_the_cause_or_at_the_place_silences(
    here: str, caller: str, reported: bool, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "train.py").write_text(TEXT.format(here=here, caller=caller))
    chain = (Frame(function="<module>", place=place(7)), Frame(function="step", place=place(5)))
    event = dataclasses.replace(leak("seen"), chain=chain)
    assert bool(found(make_recording(event), sources=Sources(str(tmp_path)))) == reported


def test_the_chain_of_an_event_is_the_way_to_its_finding() -> None:
    chain = (Frame(function="<module>", place=place(7)), Frame(function="step", place=place(5)))
    (finding,) = found(leaking(dataclasses.replace(leak(MUST), chain=chain)))
    assert [(step.line, step.message) for step in finding.reached] == [(7, "`<module>` calls `step`")]


def test_an_identity_survives_moved_lines_and_other_words() -> None:
    (finding,) = found(make_recording(rounded()))
    lines = ["a = 1", *["pass"] * 5, "    y = tf.round(  w )", "b = 2"]

    def reported(moved: Finding, *above: str) -> str:
        return identity(moved, lambda path, cell: "\n".join([*above, *lines]))

    moved = replace(finding, line=finding.line + 1, message="other words")
    assert reported(finding) == reported(moved, "# one more") == "train.py|GD504||y = tf.round( w )"


def test_recordings_of_several_processes_tell_a_matter_once() -> None:
    first, second = make_recording(rounded()), make_recording(rounded())
    assert len(found(first, second)) == 1


def test_a_function_without_arguments_that_vary_is_no_matter() -> None:
    same = Argument(path="k", kind="value", type="int", text="1")
    assert found(make_recording(make_trace(same, function=STEP))) == []


def test_no_rule_has_a_word_on_a_dry_run_in_which_nothing_happened(tmp_path: pathlib.Path) -> None:
    (tmp_path / "model.py").write_text("import tensorflow as tf\n\ndef step(x):\n    return x\n")
    looked = [
        Looked(function=STEP, traced=traced, skipped=why)
        for traced in (True, False)
        for why in ("", "budget")
    ]
    project = parse_module(str(tmp_path / "model.py"), (tmp_path / "model.py").read_text()).project
    facts = Facts([dry(*looked)], Sources.of(project))
    assert [finding for rule in all_rules() for finding in rule.judge(facts)] == []


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (("python", "main.py", "--epochs", "3"), {"main.py"}),
        (("python", "/project/src/main.py"), {"src/main.py"}),
        (("python", "/elsewhere/main.py"), {"/elsewhere/main.py"}),
        (("python", "-m", "package.train", "main.py"), {"package/train.py", "package/train/__main__.py"}),
        (("python", "/usr/bin/tool"), set()),
        (("python",), set()),
        ((), set()),
    ],
)
def test_the_program_itself_is_followed(program: tuple[str, ...], expected: set[str]) -> None:
    run = make_recording()
    header = dataclasses.replace(run.header, program=program, directory="/project")
    assert programs([dataclasses.replace(run, header=header)]) == expected


def test_a_rule_that_crashes_on_a_run_is_reported_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recording = make_recording(rounded())
    before = [finding.rule for finding in found(recording)]
    broken = next(rule for rule in all_rules() if rule.id not in before)

    def crash(facts: Facts) -> None:
        raise RuntimeError("of a rule")

    monkeypatch.setattr(broken, "judge", crash)
    after = found(recording)
    assert sorted(finding.rule for finding in after) == sorted(["GD000", *before])
    (crashed,) = (finding for finding in after if finding.rule == "GD000")
    assert crashed.message == f"{broken.id} failed on this file: RuntimeError: of a rule"
    report = judge_recordings((recording,), Config())  # which asks all rules once more what they explain
    assert "GD000" in {finding.rule for finding in report.findings}


def test_what_is_frozen_in_a_function_that_the_run_traced_is_sure(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = """import random
import tensorflow as tf


class Net(tf.keras.Model):
    def call(self, x):
        return x * random.random()
"""
    (tmp_path / "net.py").write_text(text)
    config = Config(select=("GD208",))
    (alone,) = check_paths(["net.py"], config).findings
    assert alone.confidence.level is Level.LOW
    call = Definition(name="Net.call", path="net.py", line=6)
    traces = [make_trace(function=call, chain=at("net.py", 6)) for _ in range(2)]
    run = make_recording(*traces)
    here = dataclasses.replace(run.header, directory=str(tmp_path))
    (joined,) = judge_recordings((dataclasses.replace(run, header=here),), config).findings
    assert (joined.rule, joined.line) == (alone.rule, alone.line)
    assert joined.confidence == Confidence()
