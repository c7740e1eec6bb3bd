"""How the HTML report grows with the number of traces: making it, its size, opening and searching it.

Pages of 1,000 and of 100,000 traces take turns; each figure is the median of the ratio within a round.
Opening and searching need a Chromium; without one only the first two figures are printed.
"""

import pathlib
import shutil
import statistics
import tempfile
import time

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
from graphdoctor.reports.html import render_page

FEW, MANY, ROUNDS = 1_000, 100_000, 3
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def report(traces: int) -> Report:
    """A run in which one function was traced again for each value of `step`."""
    cause = Cause(
        argument="step", change=Change.PYTHON_VALUE, before="0", now="1", axis=None, count=1, seconds=1.0
    )
    function = FunctionSummary(
        name="step",
        path="train.py",
        line=3,
        objects=1,
        calls=traces,
        traces=traces,
        retraces=traces - 1,
        seconds=1.0,
        operations=7,
        causes=(cause,),
    )
    facts = tuple(
        TraceFact(
            number=index,
            function=0,
            start=index / 100,
            seconds=0.01,
            closest=index,
            differences=(
                Difference(
                    argument="step", change=Change.PYTHON_VALUE, before=str(index - 1), now=str(index)
                ),
            ),
        )
        for index in range(traces)
    )
    run = RunSummary(seconds=traces / 100, traces=traces, tracing_seconds=traces / 100)
    details = RunDetails(directory="", traces=facts)
    return Report(graphdoctor="0", functions=(function,), run=run, details=details)


def making(reports: dict[int, Report], folder: pathlib.Path) -> float:
    """Processor seconds for the large page by those for the small one; writes both."""
    taken = {}
    for traces, given in reports.items():
        begun = time.process_time()
        page = render_page(given)
        taken[traces] = time.process_time() - begun
        (folder / f"{traces}.html").write_text(page, encoding="utf-8")
    return taken[MANY] / taken[FEW]


def browsing(folder: pathlib.Path, chromium: str) -> tuple[list[float], list[float], float]:
    """Ratios of opening and of searching, and the seconds of a search in the large page."""
    from playwright.sync_api import sync_playwright

    opening, searching, last = [], [], 0.0
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=chromium, args=FLAGS).new_page()
        for _ in range(ROUNDS):
            opened, searched = {}, {}
            for traces in (FEW, MANY):
                begun = time.perf_counter()
                page.goto((folder / f"{traces}.html").as_uri())
                opened[traces] = time.perf_counter() - begun
                begun = time.perf_counter()
                page.locator("#search").fill(str(traces - 2))
                page.locator("#traces tbody tr").nth(2).wait_for(state="detached")
                searched[traces] = time.perf_counter() - begun
            opening.append(opened[MANY] / opened[FEW])
            searching.append(searched[MANY] / searched[FEW])
            last = searched[MANY]
    return opening, searching, last


def main() -> None:
    """Print the figures."""
    reports = {traces: report(traces) for traces in (FEW, MANY)}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = statistics.median(making(reports, folder) for _ in range(ROUNDS))
        sizes = {traces: (folder / f"{traces}.html").stat().st_size for traces in reports}
        print(f"{MANY:,} traces against {FEW:,}, that is {MANY // FEW} times as many:")
        print(f"  making the page    {made:6.1f} times the processor time")
        print(f"  size of the page   {sizes[MANY] / sizes[FEW]:6.1f} times, {sizes[MANY] / 1e6:.1f} MB")
        chromium = shutil.which("chromium")
        if chromium is None:
            print("  opening, searching: no Chromium here")
            return
        opening, searching, last = browsing(folder, chromium)
        print(f"  opening the page   {statistics.median(opening):6.1f} times the time")
        print(
            f"  searching in it    {statistics.median(searching):6.1f} times the time, {last:.2f} s at last"
        )


if __name__ == "__main__":
    main()
