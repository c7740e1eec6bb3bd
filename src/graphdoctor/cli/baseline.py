"""`--baseline FILE`: only findings that are new since the file was written count."""

import collections
import pathlib
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from graphdoctor.errors import GraphdoctorError
from graphdoctor.judging.identity import identity
from graphdoctor.model import Finding, Report
from graphdoctor.reports.sources import SourceTexts

VERSION = 2


class _Baseline(msgspec.Struct):
    version: int = msgspec.field(name="graphdoctor-baseline")
    findings: dict[str, int]


def save_baseline(report: Report, path: str) -> None:
    """Write down the findings of today."""
    key = _key(VERSION)
    counts = collections.Counter(key(finding) for finding in report.findings)
    text = msgspec.json.format(msgspec.json.encode(_Baseline(VERSION, dict(counts))))
    try:
        pathlib.Path(path).write_bytes(text + b"\n")
    except OSError as error:
        raise GraphdoctorError(f"--write-baseline {path}: cannot be written: {error.strerror}") from error


def without_known(report: Report, path: str) -> Report:
    """The report without what the baseline knows already, however often it knows it."""
    baseline = _read(path)
    known = collections.Counter(baseline.findings)
    key = _key(baseline.version)
    new = []
    for finding in report.findings:
        if known[key(finding)] > 0:
            known[key(finding)] -= 1
        else:
            new.append(finding)
    return replace(report, findings=tuple(new))


def _read(path: str) -> _Baseline:
    try:
        baseline = msgspec.json.decode(pathlib.Path(path).read_bytes(), type=_Baseline)
    except OSError as error:
        hint = "write it with --write-baseline"
        raise GraphdoctorError(f"--baseline {path}: cannot be read: {error.strerror}; {hint}") from error
    except msgspec.MsgspecError as error:
        raise GraphdoctorError(f"--baseline {path}: is not a baseline of graphdoctor: {error}") from error
    if baseline.version > VERSION:
        raise GraphdoctorError(
            f"--baseline {path}: has format {baseline.version}, this version reads up to {VERSION}: "
            "upgrade graphdoctor"
        )
    return baseline


def _key(version: int) -> Callable[[Finding], str]:
    """What distinguishes findings in a baseline of this version; in the first one it was the message."""
    texts = SourceTexts()
    if version == 1:
        return lambda finding: (
            f"{finding.path}|{finding.rule}|{finding.function.name if finding.function else ''}|"
            f"{finding.message}"
        )
    return lambda finding: identity(finding, texts.text)
