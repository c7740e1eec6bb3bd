"""The report page in the real browser: it renders, filters, links, and says nothing in the console."""

import pathlib

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, expect
from test_html import hostile_report
from tests.browsing import Chromium, Opened
from tests.making import make_recording, make_trace, tensor, value
from tests.reports.page_examples import make_diagnosis, make_explanation

from graphdoctor.config import Config
from graphdoctor.integrations.shown import ShownReport
from graphdoctor.judging import judge_recordings
from graphdoctor.model import (
    Cause,
    Change,
    Difference,
    FunctionSummary,
    Report,
    RunDetails,
    RunSummary,
    TraceFact,
)
from graphdoctor.reports.diagnosis_page import render_diagnosis
from graphdoctor.reports.explanation_page import View, render_explanation
from graphdoctor.reports.formats import write_report


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    traces = [
        make_trace(value("step", number), tensor("x", 4 if number % 3 else 5), start=number / 4)
        for number in range(30)
    ]
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_report(judge_recordings((make_recording(*traces),), Config()), str(path))
    return path


def rows(opened: Opened) -> Locator:
    return opened.page.locator("#traces tbody tr")


def test_renders_without_a_word_in_the_console(chromium: Chromium, page_file: pathlib.Path) -> None:
    opened = chromium.open(page_file)
    assert opened.complaints == []
    assert opened.page.locator(".headline").inner_text().startswith("15 s of 10 s")
    assert opened.page.locator("#trace-count").inner_text() == "30 of 30"
    coloured = """(canvas) => new Set(new Uint32Array(canvas.getContext("2d")
        .getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size"""
    assert opened.page.locator("#chart").evaluate(coloured) > 4


def test_search_filters_findings_and_traces_and_escape_ends_it(
    chromium: Chromium, page_file: pathlib.Path
) -> None:
    opened = chromium.open(page_file)
    shown = opened.page.locator(".finding:visible")
    everything = shown.count()
    opened.page.keyboard.press("/")
    opened.page.keyboard.type("now 17")
    expect(rows(opened)).to_have_count(0)
    assert opened.page.locator("#nothing").is_visible()
    opened.page.locator("#search").fill("17")
    expect(rows(opened)).to_have_count(2)
    opened.page.keyboard.press("Escape")
    expect(rows(opened)).to_have_count(25)
    assert shown.count() == everything > 0
    assert opened.complaints == []


def test_a_cause_filters_the_traces(chromium: Chromium, page_file: pathlib.Path) -> None:
    opened = chromium.open(page_file)
    causes = opened.page.locator(".cause")
    assert [text.strip() for text in causes.all_inner_texts()] == [
        "step is a Python value",
        "x has another shape on axis 0",
    ]
    causes.nth(1).click()
    assert causes.nth(1).get_attribute("aria-pressed") == "true"
    assert opened.page.locator("#trace-count").inner_text() == "1 of 30"
    opened.page.locator("#every-cause").click()
    assert opened.page.locator("#trace-count").inner_text() == "30 of 30"


def test_keyboard_walks_findings_and_traces(chromium: Chromium, page_file: pathlib.Path) -> None:
    opened = chromium.open(page_file)
    opened.page.keyboard.press("j")
    first = opened.page.evaluate("document.activeElement.id")
    assert opened.page.locator(".finding").first.get_attribute("id") == first
    opened.page.locator("#chart").focus()
    for key in ("ArrowRight", "ArrowRight", "+"):
        opened.page.keyboard.press(key)
    said = opened.page.locator("#chosen").inner_text()
    assert said == "Trace 2 at 0.250 s: step, 0.5 s. step is a Python value: now 1, before 0; " + (
        "x has another shape on axis 0: now 4, before 5; equal graph"
    )
    opened.page.keyboard.press("?")
    assert opened.page.locator("#help").is_visible()


def test_pointing_at_a_trace_shows_now_and_before(chromium: Chromium, page_file: pathlib.Path) -> None:
    opened = chromium.open(page_file)
    box = opened.page.locator("#chart").bounding_box()
    assert box is not None
    opened.page.locator("#chart").scroll_into_view_if_needed()
    opened.page.locator("#chart").hover(position={"x": box["width"] * 2.3 / 10, "y": 30})
    assert "step is a Python value: now 9, before 6" in opened.page.locator("#hint").inner_text()


def test_a_tree_of_differences_opens_from_a_link(chromium: Chromium, page_file: pathlib.Path) -> None:
    opened = chromium.open(page_file, anchor="#function-0")
    function = opened.page.locator("#function-0")
    assert function.get_attribute("open") is not None
    assert "first trace: step: 0, x: float32[5]" in function.inner_text()
    function.locator(".branch summary").first.click()
    leaves = function.locator(".branch").first.locator("li")
    leaves.first.wait_for()
    assert leaves.count() == 29
    leaves.first.locator("a").click()
    opened.page.locator("#chosen", has_text="Trace 2 at").wait_for()  # the page hears of its link later
    assert opened.page.evaluate("location.hash") == "#trace-2"


def test_a_link_carries_a_search(chromium: Chromium, page_file: pathlib.Path) -> None:
    opened = chromium.open(page_file, anchor="#search=17")
    expect(rows(opened)).to_have_count(2)


@pytest.fixture(scope="module")
def kinds(page_file: pathlib.Path) -> dict[str, pathlib.Path]:
    """A page of each kind."""
    explanations = [make_explanation(), make_explanation("other", failure=None)]
    views = [View("Generated code", "a wide line of code " * 12), View("Drawing", drawing=DRAWING)]
    pages = {
        "explain": render_explanation(explanations, views, frozenset({"GD301"})),
        "diagnose": render_diagnosis(make_diagnosis()),
    }
    made = {"run": page_file}
    for kind, page in pages.items():
        made[kind] = page_file.with_name(f"{kind}.html")
        made[kind].write_text(page, encoding="utf-8")
    return made


DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="50"><rect width="900" height="50"/></svg>'
)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
@pytest.mark.parametrize("kind", ["run", "explain", "diagnose"])
def test_accessible_and_no_wider_than_the_window(
    chromium: Chromium, kinds: dict[str, pathlib.Path], kind: str, width: int, scheme: str
) -> None:
    opened = chromium.open(kinds[kind], width, scheme)
    opened.page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    found = Axe().run(opened.page)
    assert [violation["id"] for violation in found.response["violations"]] == []
    assert len(found.response["passes"]) > 15
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    assert opened.complaints == []


def test_search_works_on_an_explanation(chromium: Chromium, kinds: dict[str, pathlib.Path]) -> None:
    opened = chromium.open(kinds["explain"], anchor="#search=other_3")
    expect(opened.page.locator("tr.searchable:visible")).to_have_count(1)


def test_names_with_markup_do_nothing(chromium: Chromium, tmp_path: pathlib.Path) -> None:
    write_report(hostile_report(), str(tmp_path / "r.html"))
    opened = chromium.open(tmp_path / "r.html")
    opened.page.locator(".cause").first.click()
    opened.page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    opened.page.locator(".leaves li").first.wait_for()
    opened.page.locator("#chart").focus()
    opened.page.keyboard.press("ArrowRight")
    assert opened.page.locator("img").count() == 0
    assert opened.complaints == []


def test_a_script_that_is_not_ours_would_not_run(chromium: Chromium, page_file: pathlib.Path) -> None:
    """The second wall, should anything ever slip through the escaping."""
    injected = page_file.with_name("injected.html")
    text = page_file.read_text(encoding="utf-8")
    injected.write_text(text.replace("</main>", "<script>alert(1)</script></main>"), encoding="utf-8")
    opened = chromium.open(injected)
    assert [complaint[:6] for complaint in opened.complaints] == ["error:"]
    assert "Content Security Policy" in opened.complaints[0]


def test_in_the_frame_of_a_notebook_links_stay_inside(chromium: Chromium, tmp_path: pathlib.Path) -> None:
    shown = ShownReport(judge_recordings((make_recording(make_trace()),), Config()), Config())
    (tmp_path / "cell.html").write_text(shown._repr_html_(), encoding="utf-8")
    opened = chromium.open(tmp_path / "cell.html")
    frame = opened.page.frame_locator("iframe")
    frame.locator("nav a[href='#functions']").click()
    assert frame.locator("#trace-count").inner_text() == "1 of 1"
    frame.locator("#traces tbody a").click()
    assert frame.locator("#chosen").inner_text().startswith("Trace 1 at")
    assert opened.complaints == []


def many_traces(number: int) -> Report:
    """A report of a run in which `step` was traced that often."""
    cause = Cause(
        argument="step", change=Change.PYTHON_VALUE, before="0", now="1", axis=None, count=1, seconds=1.0
    )
    function = FunctionSummary(
        name="step",
        path="train.py",
        line=3,
        objects=1,
        calls=number,
        traces=number,
        retraces=number - 1,
        seconds=1.0,
        operations=7,
        causes=(cause,),
    )
    traces = tuple(
        TraceFact(
            number=index,
            function=0,
            start=index / 100,
            seconds=0.01,
            closest=index - 1 if index else None,
            differences=(
                Difference(
                    argument="step", change=Change.PYTHON_VALUE, before=str(index - 1), now=str(index)
                ),
            )
            if index
            else (),
        )
        for index in range(number)
    )
    return Report(
        graphdoctor="0",
        functions=(function,),
        run=RunSummary(seconds=number / 100, traces=number, tracing_seconds=number / 100),
        details=RunDetails(directory="", traces=traces),
    )


def test_a_hundred_thousand_traces_can_be_searched(chromium: Chromium, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "r.html"
    write_report(many_traces(100_000), str(path))
    assert path.stat().st_size < 12_000_000
    opened = chromium.open(path)
    assert opened.page.locator("#trace-count").inner_text() == "100,000 of 100,000"
    opened.page.locator("#search").fill("99998")
    expect(rows(opened)).to_have_count(2)
    assert opened.complaints == []
