"""The vocabulary that every part speaks; it imports nothing of ours but errors."""

from graphdoctor.model.coverage import Coverage, NotFollowed
from graphdoctor.model.details import CompilationFact, GraphsFact, LineFact, RunDetails, TraceFact
from graphdoctor.model.difference import Change, Difference
from graphdoctor.model.edit import Edit, Fix, Safety, apply_edits
from graphdoctor.model.finding import Certainty, Evidence, Finding, Observed, Related, Severity
from graphdoctor.model.function import Cause, FunctionRef, FunctionSummary
from graphdoctor.model.report import SCHEMA_VERSION, Account, ProcessSummary, Report, RunSummary
from graphdoctor.model.span import Span

__all__ = [
    "SCHEMA_VERSION",
    "Account",
    "Cause",
    "Certainty",
    "Change",
    "CompilationFact",
    "Coverage",
    "Difference",
    "Edit",
    "Evidence",
    "Finding",
    "Fix",
    "FunctionRef",
    "FunctionSummary",
    "GraphsFact",
    "LineFact",
    "NotFollowed",
    "Observed",
    "ProcessSummary",
    "Related",
    "Report",
    "RunDetails",
    "RunSummary",
    "Safety",
    "Severity",
    "Span",
    "TraceFact",
    "apply_edits",
]
