"""Findings as HTML: nothing of a program's texts becomes markup."""

from graphdoctor.model import Finding, Fix, Report, Safety, Severity
from graphdoctor.model.span import whole_line


def finding(message: str) -> Finding:
    return Finding.at(
        whole_line("<b>.py", 3),
        rule="GD101",
        name="python-number-argument",
        severity=Severity.SLOW,
        message=message,
        fix=Fix(title="Pass `tf.constant(x)`", safety=Safety.UNSAFE),
    )


def test_a_finding_says_what_where_and_what_to_do() -> None:
    shown = finding("`f<x>` is traced & again")._repr_html_()
    assert "<code>f&lt;x&gt;</code> is traced &amp; again" in shown
    assert "<code>&lt;b&gt;.py:3:1</code>" in shown
    assert "fix (unsafe): Pass <code>tf.constant(x)</code>" in shown


def test_no_text_becomes_markup() -> None:
    shown = finding("<img src=x onerror=alert(1)> `<script>`")._repr_html_()
    assert "<img" not in shown
    assert "<script" not in shown


def test_a_report_counts_its_findings() -> None:
    report = Report(graphdoctor="1", findings=(finding("a"), finding("b")))
    assert report._repr_html_().count("python-number-argument") == 2
    assert "graphdoctor: 2 findings" in report._repr_html_()
    assert "graphdoctor: 0 findings" in Report(graphdoctor="1")._repr_html_()
