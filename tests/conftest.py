"""Fixtures that many tests share."""

from collections.abc import Iterator

import hypothesis
import pytest

from browsing import Chromium, start_chromium
from running import TensorFlowServer

# The machine is shared and slow at times; no test asserts a time.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")


@pytest.fixture(scope="session")
def tensorflow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TensorFlowServer]:
    """Runs programs under the real TensorFlow."""
    server = TensorFlowServer(tmp_path_factory.mktemp("tensorflow"))
    yield server
    server.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """Opens pages in the real Chromium."""
    yield from start_chromium()
