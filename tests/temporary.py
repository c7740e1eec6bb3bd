"""One folder for all that a test run writes outside the tree; it is gone at the end.

It is the temporary directory, because processes that are killed, as some tests must be, cannot tidy up. It
is the home, too: what a user's home holds (settings of Keras, of Jupyter, a cache) must not decide
whether a test passes, and it need not be writable. To look at what a test wrote, run it with
`--basetemp=FOLDER`: then none of this is done.
"""

import os
import pathlib
import shutil
import tempfile

import pytest

FOLDER = pytest.StashKey[str]()
# They lead to other places than the home, or change what programs print.
UNWANTED = ("XDG_", "KERAS_", "JUPYTER_", "IPYTHONDIR", "PRE_COMMIT_HOME", "FORCE_COLOR", "CLICOLOR_FORCE")


def use_folder(config: pytest.Config) -> None:
    """Let this process and those that it starts write to a new folder."""
    if hasattr(config, "workerinput") or config.option.basetemp:  # xdist's workers inherit it
        return
    folder = pathlib.Path(tempfile.mkdtemp(prefix="graphdoctor-tests-"))
    for name in ("home", "temporary"):
        (folder / name).mkdir()
    for variable in [name for name in os.environ if name.startswith(UNWANTED)]:
        del os.environ[variable]
    os.environ.update(HOME=str(folder / "home"), TMPDIR=str(folder / "temporary"))
    tempfile.tempdir = None
    config.stash[FOLDER] = str(folder)


def leave_folder(config: pytest.Config) -> None:
    """Remove the folder."""
    if FOLDER in config.stash:
        shutil.rmtree(config.stash[FOLDER], ignore_errors=True)
