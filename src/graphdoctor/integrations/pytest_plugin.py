"""The pytest plugin: options, markers and the fixture; all else is loaded with `--graphdoctor` only."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from graphdoctor.integrations.observation import Observation

MARKERS = (
    "max_traces(most): with --graphdoctor, fail when a function is traced more often in this test",
    "no_retrace(warmup=0): with --graphdoctor, fail when a function is traced again in this test, "
    "the first `warmup` traces apart",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Nothing happens without the first of these."""
    group = parser.getgroup("graphdoctor", "what TensorFlow traced, and why again")
    group.addoption("--graphdoctor", action="store_true", help="Observe the tests, and explain at the end.")
    group.addoption(
        "--graphdoctor-report", metavar="FILE", help="Also write the report; the extension says the format."
    )
    group.addoption(
        "--graphdoctor-lock",
        metavar="FILE",
        help="The file that says how often functions may be traced [default: graphdoctor.lock].",
    )
    group.addoption(
        "--graphdoctor-fail-on-increase",
        action="store_true",
        help="Fail when a function is traced more often than the lock file says.",
    )
    group.addoption(
        "--graphdoctor-update-lock", action="store_true", help="Write the lock file from this run."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Begin to observe, if asked to."""
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)
    if _is_on(config):
        from graphdoctor.integrations.pytest_session import ObservedSession

        config.pluginmanager.register(ObservedSession(config), "graphdoctor-session")


def _is_on(config: pytest.Config) -> bool:
    if config.getoption("--graphdoctor"):
        return True
    for option in ("report", "lock", "fail-on-increase", "update-lock"):
        if config.getoption(f"--graphdoctor-{option}"):
            raise pytest.UsageError(f"--graphdoctor-{option} does nothing without --graphdoctor: add it")
    return False


@pytest.fixture
def observation() -> "Iterator[Observation]":
    """What TensorFlow traces during this test; `observation.report()` tells, also in the middle of it."""
    from graphdoctor.integrations.observation import observe

    with observe() as observing:
        yield observing
