"""One folder for all that a test run writes to the temporary directory; it is gone when the tests pass.

Processes that are killed, as some tests must, cannot tidy up; nor does pytest before its third next run.
"""

import os
import shutil
import tempfile

import pytest

FOLDER = pytest.StashKey[str]()


def use_folder(config: pytest.Config) -> None:
    """Let this process and those that it starts write their temporary files to a new folder."""
    if hasattr(config, "workerinput") or config.option.basetemp:  # xdist's workers inherit it
        return
    config.stash[FOLDER] = os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="graphdoctor-tests-")
    tempfile.tempdir = None


def leave_folder(config: pytest.Config, passed: bool) -> None:
    """Remove the folder, or say where it is if there is something to look at."""
    folder = config.stash.get(FOLDER, None)
    if folder is None:
        return
    if passed:
        shutil.rmtree(folder, ignore_errors=True)
    else:
        print(f"\nWhat the tests wrote is in {folder}")
