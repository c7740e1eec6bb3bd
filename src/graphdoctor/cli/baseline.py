"""`--baseline FILE`: only findings that are new since the file was written count."""

import collections
import pathlib

import msgspec
from msgspec.structs import replace

from graphdoctor.errors import GraphdoctorError
from graphdoctor.model import Finding, Report


def save_baseline(report: Report, path: str) -> None:
    """Write down the findings of today."""
    counts = collections.Counter(_key(finding) for finding in report.findings)
    text = msgspec.json.format(msgspec.json.encode({"graphdoctor-baseline": 1, "findings": dict(counts)}))
    try:
        pathlib.Path(path).write_bytes(text + b"\n")
    except OSError as error:
        raise GraphdoctorError(f"--write-baseline {path}: cannot be written: {error.strerror}") from error


def without_known(report: Report, path: str) -> Report:
    """The report without what the baseline knows already, however often it knows it."""
    try:
        data = msgspec.json.decode(pathlib.Path(path).read_bytes())
        known = collections.Counter({str(k): int(v) for k, v in data["findings"].items()})
    except OSError as error:
        hint = "write it with --write-baseline"
        raise GraphdoctorError(f"--baseline {path}: cannot be read: {error.strerror}; {hint}") from error
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise GraphdoctorError(f"--baseline {path}: is not a baseline of graphdoctor: {error}") from error
    new = []
    for finding in report.findings:
        if known[_key(finding)] > 0:
            known[_key(finding)] -= 1
        else:
            new.append(finding)
    return replace(report, findings=tuple(new))


def _key(finding: Finding) -> str:
    """What stays the same when lines move: the file, the rule, the function and the words."""
    function = finding.function.name if finding.function else ""
    return f"{finding.path}|{finding.rule}|{function}|{finding.message}"
