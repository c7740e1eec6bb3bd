"""How severe a finding is, given how certain it is: the one place that decides it."""

from msgspec.structs import replace

from graphdoctor.model import Certainty, Finding, Severity
from graphdoctor.recording.format import ASSUMED, MAY, SEEN, SOME

LOWER = {Severity.ERROR: Severity.WRONG, Severity.WRONG: Severity.NOTE, Severity.SLOW: Severity.NOTE}


def weighed(finding: Finding) -> Finding:
    """The finding with the severity that its certainty allows.

    An ERROR needs a place that each run of a program reaches, in code that is traced, and an exception that
    none catches. One behind a condition that nobody knows is a NOTE, and so is one in a function that no
    program was seen to call: of code that people have run, such claims were seldom right (docs/precision).
    What is silently wrong there is a NOTE where a setting stands before it: callers may leave that off.
    """
    certainty, severity = finding.certainty, finding.severity
    if certainty is None:
        return finding
    if certainty.caught and severity is Severity.ERROR:
        severity = LOWER[severity]
    if certainty.expected and finding.severity in (Severity.ERROR, Severity.WRONG):
        severity = Severity.NOTE
    doubt = _doubt(finding, certainty)
    if doubt:
        severity = Severity.NOTE
    elif certainty.reached == SOME and severity is Severity.ERROR:
        severity = LOWER[severity]
    if certainty.tested and certainty.reached != SEEN and severity is Severity.SLOW:
        severity = Severity.NOTE  # a test is not slow for long, and often eager on purpose
    if severity is finding.severity:
        return finding
    return replace(finding, severity=severity, certainty=replace(certainty, doubt=doubt))


def _doubt(finding: Finding, certainty: Certainty) -> str:
    """What would have to hold for a finding to be as severe as its rule says."""
    if certainty.traced == ASSUMED:
        return "if it is traced"
    wrong = finding.severity is Severity.WRONG and certainty.reached == SOME  # nor a setting that leads there
    if certainty.uncalled and (finding.severity is Severity.ERROR or wrong):
        return "if it is called"
    return "if a condition holds" if certainty.reached == MAY else ""
