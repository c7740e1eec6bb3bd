"""The tables against the installed libraries: all names, and a sample of the entries, made again."""

import functools
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

import pytest

from graphdoctor.dryrun.libraries.tables.tables import LIBRARIES, canonical, table

ROOT = pathlib.Path(__file__).parents[3]
SEED, SAMPLE = 2026, 60
INSTALLED = [library for library in LIBRARIES if importlib.util.find_spec(library)]  # SciPy need not be

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]


@functools.cache
def asked(library: str) -> Any:
    """What the probe says today."""
    environment = os.environ | {
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "scripts"), str(ROOT / "src")]),
    }
    command = [sys.executable, "-m", "library_probe.again", library, str(SEED), str(SAMPLE)]
    known = table(library)
    assert known is not None
    with tempfile.TemporaryDirectory() as folder:  # a file in it would count as an effect
        done = subprocess.run(
            command,
            input=json.dumps(known.signatures),
            capture_output=True,
            text=True,
            check=True,
            env=environment,
            cwd=folder,
        )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("library", INSTALLED)
def test_every_public_name_is_in_the_table(library: str) -> None:
    """Whole namespaces are left out in `library_probe.names.SKIPPED`, each with its reason."""
    known = table(library)
    assert known is not None
    assert asked(library)["names"].keys() == known.operations.keys()
    names = asked(library)["names"]
    assert {alias: canonical(alias) for name in names for alias in names[name]} == {
        alias: name for name in names for alias in names[name]
    }


@pytest.mark.parametrize("library", INSTALLED)
def test_a_sample_of_the_entries_is_still_true(library: str) -> None:
    known = table(library)
    assert known is not None
    again = asked(library)["entries"]
    assert again == {name: json.loads(bytes(known.operations[name])) for name in again}
