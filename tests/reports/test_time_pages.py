"""The account of time on the page and as a trace for Perfetto, from recordings that are built by hand."""

import json
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.making import at, make_recording, make_trace

from graphdoctor.config import Config
from graphdoctor.errors import GraphdoctorError
from graphdoctor.judging import judge_recordings
from graphdoctor.model import Report
from graphdoctor.recording.format import GRAPH_EXECUTION, IMPORT, INPUT, Failure, Phase, Steps
from graphdoctor.reports.formats import format_for, render
from graphdoctor.reports.perfetto import Slice, nested

STEPS = Steps(
    kind="fit",
    count=4,
    seconds=4.0,
    first_seconds=2.5,
    median_seconds=0.5,
    late_seconds=0.5,
    begun=2.0,
    ended=6.0,
    durations=(2.5, 0.5, 0.5, 0.5),
    chain=at("train.py", 9, entered="fit"),
)


def _report(*more: Any) -> Report:
    events = (
        Phase(phase=IMPORT, seconds=2.0, start=0.0, span=2.0, chain=at("train.py", 1)),
        Phase(phase=GRAPH_EXECUTION, seconds=3.0, start=2.0, span=4.0, chain=at("train.py", 9)),
        Phase(phase=INPUT, seconds=1.0, start=2.0, span=4.0, chain=at("data.py", 4)),
        make_trace(start=2.0, own_seconds=0.5),
        make_trace(start=2.2, own_seconds=1.0),
        STEPS,
    )
    return judge_recordings((make_recording(*events, *more),), Config())


def _section(page: str, name: str) -> str:
    return page.partition(f'<section id="{name}"')[2].partition("</section>")[0]


def test_the_page_begins_with_the_account_and_its_bar() -> None:
    summary = _section(render(_report(), "html"), "summary")
    first = summary.partition('<p class="headline">')[2].partition("</p>")[0]
    assert first == "Where 6.0 s went: graph execution 3.0 s (50 %) · import 2.0 s · input 1.0 s"
    weights = [part.partition('"')[0] for part in summary.split("flex-grow: ")[1:]]
    assert weights == ["0.5", "0.3333", "0.1667"]


def test_each_phase_has_its_lines_behind_a_click() -> None:
    time = _section(render(_report(), "html"), "time")
    assert time.count("<details") == 3
    graph = time.partition('id="phase-0"')[2].partition("</details>")[0]
    assert "graph execution: 3.0 s (50 %)" in graph
    assert 'href="#line-train.py-9">train.py:9</a>' in graph


def test_the_steps_are_bars_and_the_first_does_not_flatten_the_others() -> None:
    time = _section(render(_report(), "html"), "time")
    assert "4 steps (fit at train.py:9): first 2.5 s, median 0.5 s, 95 % within 0.5 s" in time
    heights = [part.partition("%")[0] for part in time.split('<span style="height: ')[1:]]
    assert heights == ["100.0", "33.3", "33.3", "33.3"]


def test_a_crash_comes_first_with_the_lines_that_led_to_it() -> None:
    chain = (*at("train.py", 9), *at("model.py", 4, "call"))
    summary = _section(
        render(_report(Failure(type="ValueError", text="no <b>", chain=chain)), "html"), "summary"
    )
    crash, _, rest = summary.partition("Where 6.0 s went")
    assert "The program ended with ValueError</b>: no &lt;b&gt;" in crash
    assert crash.index("train.py:9") < crash.index("model.py:4")
    assert rest


def test_a_program_that_ended_well_has_no_crash() -> None:
    assert 'id="crash"' in render(_report(Failure(type="ValueError", text="x")), "html")
    assert render(_report(), "html").count('id="crash"') == 0


def _tracks(report: Report) -> dict[str, list[dict[str, Any]]]:
    events = json.loads(render(report, "perfetto"))["traceEvents"]
    names = {one["tid"]: one["args"]["name"] for one in events if one["name"] == "thread_name"}
    found = defaultdict(list)
    for one in events:
        if one["ph"] == "X":
            found[names[one["tid"]]].append(one)
    return found


def test_phases_are_slices_with_their_lines_inside() -> None:
    reported = [(one["name"], one["ts"], one["dur"]) for one in _tracks(_report())["phases"]]
    assert reported == [
        ("import", 0, 2_000_000),
        ("train.py:1", 0, 2_000_000),
        ("graph execution", 2_000_000, 3_000_000),
        ("train.py:9", 2_000_000, 3_000_000),
        ("input", 5_000_000, 1_000_000),
        ("data.py:4", 5_000_000, 1_000_000),
    ]


def test_steps_and_traces_have_tracks_of_their_own() -> None:
    tracks = _tracks(_report())
    assert [one["name"] for one in tracks["steps: fit train.py:9"]] == [
        "step 1",
        "step 2",
        "step 3",
        "step 4",
    ]
    # The first trace holds the second: it lasts until that one ends.
    assert [(one["ts"], one["dur"]) for one in tracks["traces"]] == [
        (2_000_000, 1_200_000),
        (2_200_000, 1_000_000),
    ]


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 50)), max_size=20))
def test_slices_always_nest(stretches: list[tuple[int, int]]) -> None:
    found = nested([Slice(start, start + length, "", {}) for start, length in stretches])
    assert len(found) == len(stretches)
    for one in found:
        for other in found:
            disjoint = one.end <= other.start or other.end <= one.start
            inside = one.start >= other.start and one.end <= other.end
            around = other.start >= one.start and other.end <= one.end
            assert disjoint or inside or around


def test_the_name_of_the_file_chooses_the_format() -> None:
    assert (format_for("run.perfetto.json"), format_for("run.json")) == ("perfetto", "json")


def test_a_check_has_no_timeline() -> None:
    with pytest.raises(GraphdoctorError, match="needs the account of time of a run"):
        render(Report(graphdoctor="1"), "perfetto")
