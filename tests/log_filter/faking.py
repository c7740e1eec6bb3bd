"""A TensorFlow that speaks when it starts, on machines where it does not.

FAKE_LOG_NOISE=1 in the environment of pytest makes every TensorFlow that the tests start write what it writes
on other processors. The tests must not notice.
"""

import importlib.util
import os
import pathlib
import sys

STARTUP = pathlib.Path(__file__).parent / "startup"


def talkative(environment: dict[str, str]) -> dict[str, str]:
    """An environment in which TensorFlow writes log noise when it starts."""
    paths = [str(STARTUP), *filter(None, [environment.get("PYTHONPATH")])]
    return {**environment, "PYTHONPATH": os.pathsep.join(paths)}


def fake_where_asked() -> None:
    """Make TensorFlow talkative in this process, and in those that it starts, if FAKE_LOG_NOISE is set."""
    if not os.environ.get("FAKE_LOG_NOISE") or str(STARTUP) in sys.path:
        return
    os.environ.update(talkative(dict(os.environ)))
    sys.path.insert(0, str(STARTUP))  # some tests hand on `sys.path`
    spec = importlib.util.spec_from_file_location("fake_log_noise", STARTUP / "sitecustomize.py")
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
