"""What `fix` proved, in the terminal and on the page."""

from graphdoctor.model import Report
from graphdoctor.model.fix_result import Compared, FixResult, Measured, TriedFix, Verdict
from graphdoctor.reports.fix_result import headline, render_fix_result
from graphdoctor.reports.formats import render

TRIED = TriedFix(rule="GD101", name="python-number-argument", path="train.py", line=9, title="Pass a tensor")
LEFT = TriedFix(
    rule="GD201", name="print-in-graph", path="train.py", line=4, title="Use `tf.print`", reason="it dies"
)
DIFF = "--- a/train.py\n+++ b/train.py\n@@ -9 +9 @@\n-step(x, i)\n+step(x, tf.constant(i))\n"
RESULT = FixResult(
    program="train.py",
    verdict=Verdict.FIXED,
    before=Measured(exit_code=0, traces=40, compilations=0, seconds=2.91),
    after=Measured(exit_code=0, traces=1, compilations=0, seconds=1.87),
    tolerance=1e-3,
    compared=(
        Compared(aspect="exit code", number=1, equal=True),
        Compared(aspect="output", number=3, equal=True),
        Compared(aspect="values", number=18, equal=True),
        Compared(aspect="variables", number=0, equal=True),
    ),
    tried=(TRIED,),
    edited=("train.py",),
    diff=DIFF,
)


def changed(**fields: object) -> FixResult:
    from msgspec.structs import replace

    return replace(RESULT, **fields)


def test_a_fix() -> None:
    assert render_fix_result(RESULT) == (
        "train.py: 1 edit · 40 traces → 1 · 2.9 s → 1.9 s · "
        "same output, same values (largest difference 0)\n" + DIFF + "Fixed:\n"
        "  train.py:9 GD101 python-number-argument · Pass a tensor\n"
    )


def test_differences_are_shown_with_what_is_allowed() -> None:
    compared = (
        Compared(aspect="output", number=1, equal=True, largest=2.5e-7),
        Compared(aspect="values", number=9, equal=True, random=True),
    )
    assert headline(changed(compared=compared)).endswith(
        "same output (largest difference 2.5e-07, allowed 0.001 of the value), "
        "values no further apart than with another seed"
    )


def test_a_program_that_died() -> None:
    before = Measured(exit_code=1, traces=1, compilations=0, seconds=0.5, error="TypeError: no")
    assert headline(changed(before=before, reference="eager")) == (
        "train.py: 1 edit · TypeError → runs · 1 trace → 1 · 0.5 s → 1.9 s · "
        "same output, same values as its eager run (largest difference 0)"
    )


def test_what_did_not_help_is_said() -> None:
    result = changed(
        verdict=Verdict.FAILED, after=None, diff="", tried=(LEFT,), remaining=(LEFT,), notes=("so",)
    )
    assert render_fix_result(result) == (
        "train.py: every edit was refused\n"
        "Tried and left out:\n"
        "  train.py:4 GD201 print-in-graph · Use `tf.print`: it dies\n"
        "Still found:\n"
        "  train.py:4 GD201 print-in-graph · Use `tf.print`: it dies\n"
        "Note: so\n"
    )


def test_nothing_to_fix() -> None:
    clean = changed(verdict=Verdict.CLEAN, after=None, diff="", tried=())
    assert render_fix_result(clean) == "train.py: nothing was found, there is nothing to fix\n"
    one = changed(verdict=Verdict.NONE, after=None, diff="", tried=(), remaining=(LEFT,))
    assert headline(one) == "train.py: 1 finding, and no edit for it"


def test_the_page_has_the_proof() -> None:
    page = render(Report(graphdoctor="0", fix_result=changed(diff=DIFF.replace("x", "<x>"))), "html")
    assert '<section id="proof"' in page
    assert "<td>traces</td>" in page
    assert "+step(&lt;x&gt;, tf.constant(i))" in page
    assert '<section id="proof"' not in render(Report(graphdoctor="0"), "html")


def test_json_has_the_proof() -> None:
    report = Report(graphdoctor="0", fix_result=RESULT)
    assert Report.from_json(report.to_json()) == report
