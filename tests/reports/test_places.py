"""One cause in several places of a file is reported once."""

import pytest
from msgspec.structs import replace

from graphdoctor.model import Finding, Fix, Observed, Report, Safety, Severity
from graphdoctor.reports.html import render_page
from graphdoctor.reports.places import reported_once
from graphdoctor.reports.terminal import render_plain

FIRST = Finding(
    path="train.py",
    line=3,
    column=5,
    end_line=3,
    end_column=13,
    rule="GD201",
    name="print-in-graph",
    severity=Severity.WRONG,
    message="`print` runs only while `step` is traced, not at each call",
    fix=Fix(title="Use `tf.print`", safety=Safety.UNSAFE),
)
SECOND = replace(FIRST, line=7, end_line=7)


def test_the_same_words_are_reported_once_with_all_places():
    text = render_plain(Report(graphdoctor="1", findings=(FIRST, SECOND, replace(SECOND, line=9, column=9))))
    assert text.count("GD201") == 1
    assert "  also at 7:5, 9:9\n" in text
    assert "3 findings" in text


def test_a_page_shows_one_card_with_links_to_all_places():
    page = render_page(Report(graphdoctor="1", findings=(FIRST, SECOND)))
    assert page.count('<article id="') == 1
    assert ">7:5</a>" in page


@pytest.mark.parametrize(
    "change",
    [
        {"path": "model.py"},
        {"cell": 2},
        {"rule": "GD202"},
        {"severity": Severity.NOTE},
        {"message": "`print` runs only while `other` is traced, not at each call"},
        {"argument": "x"},
        {"fix": None},
        {"fix": Fix(title="Print with the graph", safety=Safety.UNSAFE)},
        {"observed": Observed(traces=2, seconds=0.5)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_differs_in_what_is_said_is_reported_by_itself(change):
    other = replace(SECOND, **change)
    assert list(reported_once([FIRST, other])) == [(FIRST, ()), (other, ())]
