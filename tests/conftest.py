"""Fixtures that many tests share."""

from collections.abc import Iterator

import pytest

from running import TensorFlowServer


@pytest.fixture(scope="session")
def tensorflow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TensorFlowServer]:
    """Runs programs under the real TensorFlow."""
    server = TensorFlowServer(tmp_path_factory.mktemp("tensorflow"))
    yield server
    server.close()
