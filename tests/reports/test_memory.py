"""The memory of a run on its page."""

import re

from tests.making import make_recording, make_trace, thing, value

from graphdoctor.config import Config
from graphdoctor.judging import judge_recordings
from graphdoctor.reports.formats import render
from graphdoctor.reports.memory import MOST_POINTS, memory_curves


def test_the_curve_ends_at_the_last_trace_and_is_never_long() -> None:
    traces = [make_trace(value("n", n), start=n / 400, resident_bytes=(n + 1) * 10**6) for n in range(3000)]
    (curve,) = memory_curves(judge_recordings((make_recording(*traces),), Config()))
    assert (curve.first_bytes, curve.last_bytes, curve.most_bytes) == (10**6, 3 * 10**9, 3 * 10**9)
    points = [tuple(map(float, point.split(","))) for point in curve.points.split()]
    assert len(points) <= MOST_POINTS + 1
    assert points[0][1] > 159
    assert points[-1][1] == 0.0
    assert all(0 <= x <= 1000 and 0 <= y <= 160 for x, y in points)


def test_where_the_system_does_not_tell_there_is_no_curve() -> None:
    report = judge_recordings(
        (make_recording(make_trace(value("n", 1)), make_trace(value("n", 2))),), Config()
    )
    assert memory_curves(report) == ()
    assert "<polyline" not in render(report, "html")


def test_graphs_that_are_of_no_more_use_are_counted() -> None:
    traces = [make_trace(thing("config", n), graph_bytes=200_000, resident_bytes=10**9) for n in range(3)]
    report = judge_recordings((make_recording(*traces, dead_objects=(0, 1)),), Config())
    page = " ".join(re.sub(r"<[^>]+>", " ", render(report, "html")).split())
    assert "Of no more use Size step 3 2 0.6 MB" in page
    assert "1,000.0 MB after the first trace, 1,000.0 MB after the last (all" in page.replace(" ,", ",")
