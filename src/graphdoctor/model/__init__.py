"""The vocabulary that every part speaks; it imports nothing of ours but errors."""

from graphdoctor.model.confidence import Called, Confidence, Grounds, Level, Since, confidence
from graphdoctor.model.coverage import Coverage, NotFollowed
from graphdoctor.model.details import CompilationFact, GraphsFact, LineFact, RunDetails, TraceFact
from graphdoctor.model.difference import Change, Difference
from graphdoctor.model.edit import Edit, Fix, Safety, apply_edits
from graphdoctor.model.finding import Certainty, Evidence, Finding, Observed, Related
from graphdoctor.model.function import Cause, FunctionRef, FunctionSummary
from graphdoctor.model.report import (
    SCHEMA_VERSION,
    Account,
    HeldUp,
    NotShown,
    ProcessSummary,
    Report,
    RunSummary,
)
from graphdoctor.model.severity import Severity
from graphdoctor.model.showing import Threshold, shown
from graphdoctor.model.span import Span

__all__ = [
    "SCHEMA_VERSION",
    "Account",
    "Called",
    "Cause",
    "Certainty",
    "Change",
    "CompilationFact",
    "Confidence",
    "Coverage",
    "Difference",
    "Edit",
    "Evidence",
    "Finding",
    "Fix",
    "FunctionRef",
    "FunctionSummary",
    "GraphsFact",
    "Grounds",
    "HeldUp",
    "Level",
    "LineFact",
    "NotFollowed",
    "NotShown",
    "Observed",
    "ProcessSummary",
    "Related",
    "Report",
    "RunDetails",
    "RunSummary",
    "Safety",
    "Severity",
    "Since",
    "Span",
    "Threshold",
    "TraceFact",
    "apply_edits",
    "confidence",
    "shown",
]
