"""Run the preflight under the observer, and turn what it showed into checks and ranked advice."""

from __future__ import annotations

import json
import pathlib
import tempfile
from typing import Any

import msgspec

from graphdoctor.config import Config
from graphdoctor.diagnosis.advice import Advice, advise, advise_on_time
from graphdoctor.diagnosis.checklist import check_all
from graphdoctor.diagnosis.configuration import Check
from graphdoctor.diagnosis.measurements import Measurements, Phase
from graphdoctor.diagnosis.planned import LongRun, plan_long_run
from graphdoctor.errors import GraphdoctorError, LaunchError
from graphdoctor.judging import judge_recordings
from graphdoctor.model import Finding, Report
from graphdoctor.observer.launch import launch
from graphdoctor.recording import Recording, read_recording

CHILD = "graphdoctor.diagnosis.preflight"


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """All that a preflight showed."""

    target: str
    healthy: bool
    checks: tuple[Check, ...]
    advice: tuple[Advice, ...]
    phases: tuple[Phase, ...]
    report: Report | None
    error: str | None = None
    long_run: LongRun | None = None


def diagnose(
    target: str, config: dict[str, Any] | None, steps: int, python: str, long_run: int = 1000
) -> Diagnosis:
    """The diagnosis of the trainer that a target (`MODULE:NAME` or `FILE.py:NAME`) names, from so many steps.

    Args:
        long_run: the steps of the run to come, for which ways to make the batches are weighed.
    """
    module, separator, name = target.rpartition(":")
    if not (module and separator and name):
        raise GraphdoctorError(
            f"{target} names no trainer: expected MODULE:TRAINER or FILE.py:TRAINER, e.g. train:make_trainer"
        )
    with tempfile.TemporaryDirectory() as folder:
        recording_path = pathlib.Path(folder) / "recording.jsonl"
        result = pathlib.Path(folder) / "result.json"
        request = {
            "target": target,
            "config": config,
            "steps": steps,
            "recording": str(recording_path),
            "result": str(result),
        }
        status, _ = launch(["-m", CHILD, json.dumps(request)], python=python, recording=str(recording_path))
        if not result.exists():
            raise LaunchError(f"the trainer ended before its first steps were done (exit status {status})")
        measured = msgspec.json.decode(result.read_bytes(), type=Measurements)
        recording = read_recording(str(recording_path)) if recording_path.exists() else None
        report = judge_recordings((recording,), Config()) if recording else None
    return conclude(target, config, measured, recording, report, long_run)


def conclude(
    target: str,
    config: dict[str, Any] | None,
    measured: Measurements,
    recording: Recording | None,
    report: Report | None,
    long_run: int = 1000,
) -> Diagnosis:
    """What follows from the measurements."""
    checks = check_all(config, measured, recording)
    findings = [finding for finding in report.findings if _counts(finding)] if report else []
    healthy = measured.error is None and not findings and all(check.passed is not False for check in checks)
    return Diagnosis(
        target=target,
        healthy=healthy,
        checks=checks,
        advice=_ranked((*(advise(recording) if recording else ()), *advise_on_time(measured.phases))),
        phases=tuple(map(_without_vectors, measured.phases)),
        report=report,
        error=measured.error,
        long_run=_long_run(measured, recording, long_run) if recording else None,
    )


def _ranked(advice: tuple[Advice, ...]) -> tuple[Advice, ...]:
    return tuple(sorted(advice, key=lambda one: -one.seconds))


def _long_run(measured: Measurements, recording: Recording, steps: int) -> LongRun | None:
    """A plan for the training batches, if their shapes cost traces or compilations."""
    train = next((phase for phase in measured.phases if phase.name == "train"), None)
    if train is None:
        return None
    compiled = any(trace.jit_compile for trace in recording.traces)
    return None if train.settled and not compiled else plan_long_run(train, compiled, steps)


def _without_vectors(phase: Phase) -> Phase:
    """The phase without the numbers in its batches: they are the user's data, and many."""
    steps = tuple(msgspec.structs.replace(step, vectors={}) for step in phase.steps)
    return msgspec.structs.replace(phase, steps=steps)


def _counts(finding: Finding) -> bool:
    return finding.is_shown and finding.observed is not None
