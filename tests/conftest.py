"""Fixtures that many tests share."""

import os
import pathlib
import signal
from collections import Counter
from collections.abc import Iterator

import hypothesis
import pytest

from tests.browsing import Chromium, start_chromium
from tests.log_filter.faking import fake_where_asked
from tests.oracle_server import REFRESH, Oracle
from tests.running import TensorFlowServer
from tests.temporary import leave_folder, use_folder

fake_where_asked()

# The machine is shared and slow at times; no test asserts a time.
hypothesis.settings.register_profile("sample", deadline=None)
hypothesis.settings.load_profile("sample")


def pytest_configure(config: pytest.Config) -> None:
    use_folder(config)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background of a shell
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_unconfigure(config: pytest.Config) -> None:
    leave_folder(config)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How often the dry run does not claim to know what a run sees: tests/dryrun/test_agreement.py."""
    outcomes = Counter(
        tuple(outcome)
        for reports in terminalreporter.stats.values()
        for report in reports
        for name, reported in getattr(report, "user_properties", ())
        if name == "agreement" and report.when == "call"
        for outcome in reported
    )
    for kind in sorted({kind for kind, _ in outcomes}):
        unknown, every = outcomes[kind, "unknown"], sum(n for (k, _), n in outcomes.items() if k == kind)
        terminalreporter.write_line(f"dry run and TensorFlow: {kind}: {unknown} of {every} unknown")


@pytest.fixture(scope="session")
def tensorflow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TensorFlowServer]:
    """Runs programs under the real TensorFlow."""
    server = TensorFlowServer(tmp_path_factory.mktemp("tensorflow"), shared_by_workers(tmp_path_factory))
    yield server
    server.close()


@pytest.fixture(scope="session")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TensorFlowServer]:
    """What TensorFlow did with programs, from tests/oracle; it is run for what is not kept there."""
    server = Oracle(tmp_path_factory.mktemp("oracle"), shared_by_workers(tmp_path_factory))
    yield server
    server.close()


def shared_by_workers(factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder that is the same for all processes of one run of the tests."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """`make oracle` runs the tests that ask the oracle."""
    if REFRESH:
        asking = [item for item in items if "oracle" in getattr(item, "fixturenames", ())]
        config.hook.pytest_deselected(items=[item for item in items if item not in asking])
        items[:] = asking


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """Opens pages in the real Chromium."""
    yield from start_chromium()
