"""Check and run each sample, as a user would check and run his own program."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator

import msgspec

from graphdoctor.config import Config
from graphdoctor.judging import check_paths, judge_recordings
from graphdoctor.log_filter import without_log_noise
from graphdoctor.model import Report
from graphdoctor.observer.launch import launch
from graphdoctor.recording import read_recording

SAMPLES = ("counting_trainer", "attention_loop", "uneven_batches")


class Diagnosis(msgspec.Struct, frozen=True):
    """What check and run say of one sample; `run` is None where TensorFlow is not installed."""

    name: str
    complaint: str
    check: Report
    run: Report | None
    exit_code: int | None
    last_words: str


def diagnose_samples() -> Iterator[Diagnosis]:
    """Diagnose the samples one after the other, each in a copy of its own."""
    here = pathlib.Path.cwd()
    with tempfile.TemporaryDirectory(prefix="graphdoctor-demo-") as folder:
        os.chdir(folder)
        try:
            for name in SAMPLES:
                shutil.copy(pathlib.Path(__file__).parent / "samples" / f"{name}.py", ".")
                yield _diagnose(name, pathlib.Path(f"{name}.py"))
        finally:
            os.chdir(here)


def _diagnose(name: str, program: pathlib.Path) -> Diagnosis:
    check = check_paths([str(program)], Config())
    complaint = program.read_text(encoding="utf-8").split('"""')[1]
    if importlib.util.find_spec("tensorflow") is None:
        return Diagnosis(name, complaint, check, None, None, "")
    recording = pathlib.Path(f"{name}.jsonl").absolute()
    with tempfile.TemporaryFile("w+") as output:
        status, _ = launch(
            [str(program)],
            python=sys.executable,
            recording=str(recording),
            stdout=output.fileno(),
            stderr=subprocess.STDOUT,
        )
        output.seek(0)
        lines = [line.strip() for line in without_log_noise(output.read()).splitlines() if line.strip()]
    run = judge_recordings((read_recording(str(recording)),), Config()).without_details()
    return Diagnosis(name, complaint, check, run, status, lines[-1] if lines else "")
