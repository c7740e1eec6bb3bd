"""Where the wall time of a run went, from phases that are built by hand."""

from graphdoctor.recording.format import (
    COMPILING,
    EAGER_OPERATIONS,
    GRAPH_EXECUTION,
    IMPORT,
    INPUT,
    OTHER_PYTHON,
    Compilations,
    CompiledShape,
    Frame,
    Header,
    Holding,
    Memory,
    Phase,
    Place,
    Steps,
)
from graphdoctor.recording.recording import Recording
from graphdoctor.recording.time_account import NOT_SEPARATED, account_for_time
from graphdoctor.reports.time_account import time_lines


def _at(line: int, entered: str = "") -> tuple[Frame, ...]:
    return (Frame(function="<module>", place=Place(path="train.py", line=line), entered=entered),)


def _recording(*events: object) -> Recording:
    return Recording(header=Header(), events=tuple(events))  # type: ignore[arg-type]


def _fit(count: int = 10) -> Steps:
    return Steps(
        kind="fit",
        count=count,
        seconds=4.0,
        first_seconds=1.0,
        median_seconds=0.3,
        late_seconds=0.4,
        begun=2.0,
        ended=6.0,
        chain=_at(9, "fit"),
    )


def test_a_recording_without_phases_has_no_account() -> None:
    assert account_for_time(_recording()) is None


def test_a_program_that_never_steps_has_phases_alone() -> None:
    account = account_for_time(_recording(Phase(phase=IMPORT, seconds=2.0, span=2.0, chain=_at(1))))
    assert account is not None
    assert (account.seconds, account.steps, account.remarks) == (2.0, (), ())
    assert account.phases[0].lines[0].line == 1


def test_what_fit_waits_for_input_is_taken_from_graph_execution_and_given_to_the_generator() -> None:
    account = account_for_time(
        _recording(
            Phase(phase=IMPORT, seconds=2.0, span=2.0),
            Phase(
                phase=GRAPH_EXECUTION,
                seconds=4.0,
                start=2.0,
                span=4.0,
                chain=_at(9, "fit"),
                behind=Place(path="train.py", line=4),
            ),
            Phase(phase=INPUT, of=GRAPH_EXECUTION, seconds=0.75, looked_at=1.0, chain=_at(9, "fit")),
            _fit(),
        )
    )
    assert account is not None
    reported = {one.phase: (one.seconds, one.estimated) for one in account.phases}
    assert reported == {IMPORT: (2.0, False), INPUT: (3.0, True), GRAPH_EXECUTION: (1.0, True)}
    waited = next(one for one in account.phases if one.phase == INPUT)
    assert [(line.line, line.seconds) for line in waited.lines] == [(4, 3.0)]
    assert {one.phase for one in account.steady} == {INPUT, GRAPH_EXECUTION}


def test_a_fit_that_was_too_short_for_a_look_says_so() -> None:
    graph = Phase(phase=GRAPH_EXECUTION, seconds=1.0, span=1.0, chain=_at(9, "fit"))
    account = account_for_time(_recording(graph, _fit()))
    assert account is not None
    assert account.remarks == (NOT_SEPARATED,)


def test_a_fit_that_ran_no_graph_has_nothing_to_separate() -> None:
    eager = Phase(phase=EAGER_OPERATIONS, seconds=1.0, span=1.0, chain=_at(9, "fit"))
    account = account_for_time(_recording(eager, _fit()))
    assert account is not None
    assert account.remarks == ()


def test_other_threads_are_listed_apart_and_are_part_of_no_sum() -> None:
    account = account_for_time(
        _recording(
            Phase(phase=GRAPH_EXECUTION, seconds=1.0, span=1.0),
            Phase(phase=OTHER_PYTHON, seconds=0.5, chain=_at(4), thread="Thread-1 (make)"),
            Phase(phase=INPUT, seconds=0.25, chain=_at(4), thread="Thread-1 (make)"),
        )
    )
    assert account is not None
    assert account.seconds == 1.0
    assert [(one.thread, one.seconds, one.lines[0].line) for one in account.threads] == [
        ("Thread-1 (make)", 0.75, 4)
    ]
    lines = list(time_lines(account))
    assert lines[-1] == "  beside it, Thread-1 (make) ran 0.8 s of Python, most at train.py:4"
    assert "  no training steps were seen" in lines


def test_what_xla_compiled_behind_one_trace_is_no_graph_execution() -> None:
    shapes = tuple(
        CompiledShape(shapes=str(number), first_seconds=1.1, best_seconds=0.1, calls=2) for number in range(3)
    )
    account = account_for_time(
        _recording(
            Phase(phase=GRAPH_EXECUTION, seconds=5.0, start=3.0, span=3.0, chain=_at(9, "__call__")),
            Compilations(shapes=shapes, chain=_at(9)),
            _fit(),
        )
    )
    assert account is not None
    assert {one.phase: one.seconds for one in account.phases} == {COMPILING: 3.0, GRAPH_EXECUTION: 2.0}
    assert {one.phase: one.seconds for one in account.steady} == {COMPILING: 2.0, GRAPH_EXECUTION: 3.0}


def test_what_grows_is_named_with_how_fast() -> None:
    held = [
        Holding(start=start, kind=kind, count=count, before=before, name=name)
        for start, kind, count, before, name in (
            (2.0, "graphs", 5, 0, ""),
            (2.0, "models", 2, 0, ""),
            (4.0, "graphs", 9, 0, ""),
            (4.0, "models", 2, 0, ""),
            (4.0, "list of tensors", 120, 20, "history"),
        )
    ]
    memory = [Memory(start=2.0 + number / 4, resident_bytes=number * 2**24, busy=0.5) for number in range(17)]
    phase = Phase(phase=GRAPH_EXECUTION, seconds=1.0, span=1.0)
    account = account_for_time(_recording(phase, *memory, *held, _fit(count=401)))
    assert account is not None
    assert [(one.kind, one.name, one.more) for one in account.grows] == [
        ("graphs", "", 2.0),
        ("list of tensors", "history", 50.0),
    ]
    assert account.busy == 0.5
    assert list(time_lines(account))[-1].endswith(
        "MiB more after each 100 steps (graphs +2 · list of tensors `history` +50)"
    )


def test_what_compiling_takes_is_no_more_than_what_the_line_took() -> None:
    account = account_for_time(
        _recording(
            Phase(phase=GRAPH_EXECUTION, seconds=1.0, span=1.0, chain=_at(3)),
            Phase(phase=COMPILING, of=GRAPH_EXECUTION, seconds=5.0, chain=_at(3)),
        )
    )
    assert account is not None
    assert {one.phase: one.seconds for one in account.phases} == {COMPILING: 1.0}


def test_the_terminal_names_the_largest_part_first_and_marks_estimates() -> None:
    account = account_for_time(
        _recording(
            Phase(phase=GRAPH_EXECUTION, seconds=4.0, span=4.0, chain=_at(9, "fit")),
            Phase(phase=IMPORT, seconds=1.0, span=1.0),
            Phase(phase=INPUT, of=GRAPH_EXECUTION, seconds=0.75, looked_at=1.0, chain=_at(9, "fit")),
            _fit(),
        )
    )
    assert account is not None
    first, bar, *lines = time_lines(account)
    assert first == "Where 5.0 s went: input about 3.0 s (60 %) · import 1.0 s · graph execution about 1.0 s"
    assert bar == "  " + "█" * 36 + "▓" * 12 + "▒" * 12
    assert lines == [
        "    3.0 s  train.py:9 (fit): input → no Python per element, `cache()`, cheaper stages",
        "    1.0 s  train.py:9 (fit): graph execution",
        "  10 steps (fit): first 1.0 s, median 0.3 s, 95 % within 0.4 s",
    ]


def test_two_looks_at_one_line_are_one_estimate() -> None:
    look = Phase(phase=INPUT, of=GRAPH_EXECUTION, seconds=0.5, looked_at=1.0, chain=_at(9))
    account = account_for_time(
        _recording(
            Phase(phase=GRAPH_EXECUTION, seconds=4.0, start=2.0, span=4.0, chain=_at(9, "fit")), look, look
        )
    )
    assert account is not None
    assert {one.phase: one.seconds for one in account.phases} == {INPUT: 2.0, GRAPH_EXECUTION: 2.0}


def test_the_first_call_of_a_graph_before_the_training_is_no_part_of_it() -> None:
    early = Phase(phase=COMPILING, of=GRAPH_EXECUTION, seconds=1.0, start=2.0, span=0.5, chain=_at(9))
    steady = Phase(phase=GRAPH_EXECUTION, seconds=3.0, start=3.0, span=3.0, chain=_at(9, "fit"))
    account = account_for_time(_recording(steady, early, _fit()))
    assert account is not None
    assert {one.phase: one.seconds for one in account.steady} == {GRAPH_EXECUTION: 3.0}


def test_memory_that_grows_with_the_steps() -> None:
    held = [Memory(start=3.0 + at / 5, resident_bytes=100_000_000 + 1_000_000 * at) for at in range(15)]
    phase = Phase(phase=GRAPH_EXECUTION, seconds=3.0, start=3.0, span=3.0, chain=_at(9, "fit"))
    account = account_for_time(_recording(phase, *held, _fit(count=301)))
    assert account is not None
    assert (account.peak_bytes, account.growth_bytes) == (114_000_000, 5_000_000)
    assert list(time_lines(account))[-2] == "  memory: 109 MiB at most, 4.8 MiB more after each 100 steps"


def test_memory_of_a_short_training_says_nothing_of_growth() -> None:
    phase = Phase(phase=GRAPH_EXECUTION, seconds=3.0, start=3.0, span=3.0, chain=_at(9, "fit"))
    account = account_for_time(_recording(phase, Memory(start=4.0, resident_bytes=2**20), _fit()))
    assert account is not None
    assert (account.peak_bytes, account.growth_bytes) == (2**20, None)


def test_a_fit_that_was_not_looked_into_is_not_said_to_be_graph_execution() -> None:
    phase = Phase(phase=GRAPH_EXECUTION, seconds=3.0, start=3.0, span=3.0, chain=_at(9, "fit"))
    account = account_for_time(_recording(phase, _fit()))
    assert account is not None
    assert list(time_lines(account))[-2:] == [
        "  after the first step: graph execution or input 100 %",
        f"  {NOT_SEPARATED}",
    ]
