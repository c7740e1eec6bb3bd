"""A preflight as one page: the checklist, the advice, the steps, and then the report of what was traced."""

from graphdoctor.diagnosis.diagnosis import Diagnosis
from graphdoctor.diagnosis.measurements import Phase
from graphdoctor.model import Report
from graphdoctor.model.words import count
from graphdoctor.reports.html import render_page
from graphdoctor.version import __version__

PASSED = {True: ("✔", "passed"), False: ("✘", "failed"), None: ("·", "nothing to check")}


def render_diagnosis(found: Diagnosis) -> str:
    """The whole page."""
    return render_page(
        found.report or Report(graphdoctor=__version__),
        "diagnosis.html",
        title=found.target,
        headline=_headline(found),
        found=found,
        passed=PASSED,
        longest=_longest,
        ways=(*found.long_run.ways, found.long_run.today) if found.long_run else (),
    )


def _headline(found: Diagnosis) -> str:
    if found.error:
        return "The trainer could not be run"
    if found.healthy:
        missing = any(check.missing for check in found.checks)
        return "Healthy in what was seen" if missing else "Healthy: ready for the long run"
    failed = sum(check.passed is False for check in found.checks)
    return f"Not ready: {count(failed, 'check')} failed" if failed else "Not ready"


def _longest(phase: Phase) -> float:
    """The seconds of its longest step, never zero."""
    return max(step.seconds for step in phase.steps) or 1.0
