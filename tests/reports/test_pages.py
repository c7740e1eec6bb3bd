"""The pages of `explain` and `diagnose`: what stands in them, and that nothing of the program's is markup."""

import re

import msgspec
from test_html import parsed
from tests.making import make_recording, make_trace, value
from tests.reports.page_examples import HOSTILE, make_diagnosis, make_explanation

from graphdoctor.config import Config
from graphdoctor.diagnosis.planned import LongRun, Way
from graphdoctor.judging import judge_recordings
from graphdoctor.reports.diagnosis_page import render_diagnosis
from graphdoctor.reports.explanation_page import View, render_explanation


def texts(page: str) -> str:
    """The page's text, in one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", page.partition("<main")[2].partition("</main>")[0]).split())


def test_names_and_values_with_markup_stay_text() -> None:
    drawing = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    explained = render_explanation([make_explanation(HOSTILE)], [View(HOSTILE, HOSTILE, drawing)])
    for page in (explained, render_diagnosis(make_diagnosis(HOSTILE, error=HOSTILE))):
        found = parsed(page)
        assert found.names.count("script") == 2
        assert [name for name, _ in found.attributes if name.startswith("on")] == []
        assert {value[:26] for name, value in found.attributes if name == "src" and value} <= {
            "data:image/svg+xml;base64,"
        }


def test_an_explanation_shows_marks_reasons_and_views() -> None:
    page = render_explanation(
        [make_explanation(), make_explanation("second", failure=None)],
        [View("Generated code", "1 │ x\n2 │ y")],
        frozenset({"GD301"}),
        "2.21.0",
    )
    said = texts(page)
    assert "Converted by AutoGraph" in said
    assert "unrolled ×2 6 step_3() step" in said
    assert "run as is step (t.py:9) the lambda of step shares its line" in said
    assert "remedy name step graphdoctor rule GD301 explains the rule." in said
    assert "The trace ended at step.py:5 : ValueError: step" in said
    assert "1 │ x\n2 │ y</pre>" in page
    assert "a loop of the graph: runs as often as the tensor says" in said
    assert "TensorFlow 2.21.0" in page
    assert '<a href="#function-1">second</a>' in page


def test_a_diagnosis_shows_checks_advice_steps_and_the_report() -> None:
    traces = [make_trace(value("step", number)) for number in range(3)]
    report = judge_recordings((make_recording(*traces),), Config())
    page = render_diagnosis(make_diagnosis(report=report))
    said = texts(page)
    assert "Not ready: 1 check failed" in said
    assert "✘ failed b no" in said
    assert "0.5 s step was traced pad" in said
    assert page.count("<i style=") == 5
    assert 'style="height: 100.0%" title="step 1: 0.9 s, 1 trace (0.5 s)"' in page
    assert "GD101 python-number-argument" in said


def test_a_diagnosis_shows_the_batches_of_the_long_run() -> None:
    today, better = (
        Way("as now", 44.0, 10, 0, 0.0),
        Way("buckets", 40.0, 2, 0, 0.03, ((98,), (304,))),
    )
    plan = LongRun(1000, ("`x` axis 1",), 10, "of batches", 0.6, 0.0, 0.02, today, (better,))

    said = texts(render_diagnosis(msgspec.structs.replace(make_diagnosis(), long_run=plan)))

    assert (
        "1,000 steps, from 10 lengths (of batches) and the measured 0.6 s a trace, 20 ms a warm step." in said
    )
    assert "buckets 98, 304 saves at least 4.0 s." in said
    assert "40 s buckets 98, 304 2 0 3 % 44 s as now 10 0 0 %" in said


def test_a_trainer_that_cannot_run_says_why() -> None:
    said = texts(render_diagnosis(make_diagnosis(error="no such layer")))
    assert "The trainer could not be run" in said
    assert "no such layer" in said
