"""A module of the project that hands on a whole library: `from tensorflow.keras import *`."""

import pathlib

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths

METRIC = """
from backend import api
from keras import ops


class Share({base}):
    def __init__(self):
        super().__init__()
        self.total = self.add_weight(name="total")

    def result(self):
        if self.total == 0:
            return 0.0
        return ops.exp(self.total)
"""


def findings(folder: pathlib.Path, backend: str, base: str) -> list[tuple[str, bool]]:
    """What is reported of a metric that takes its base from a module of the project."""
    (folder / "backend").mkdir()
    (folder / "backend/__init__.py").write_text("")
    (folder / "backend/api.py").write_text(backend)
    (folder / "metric.py").write_text(METRIC.format(base=base))
    report = check_paths([str(folder / "metric.py")], Config())
    return [(finding.rule, finding.is_shown) for finding in report.findings]


@pytest.mark.parametrize(
    ("backend", "base"),
    [
        pytest.param("class metrics:\n    Metric = object\n", "api.metrics.Metric", id="the project's own"),
        pytest.param("from keras import *\nmetrics = load()\n", "api.metrics.Metric", id="set again"),
        pytest.param("from unheard_of import *\n", "api.metrics.Metric", id="another library"),
        pytest.param("from keras import *\n", "api._metrics.Metric", id="a private name"),
    ],
)
def test_must_not_fire(tmp_path: pathlib.Path, backend: str, base: str) -> None:
    assert findings(tmp_path, backend, base) == []


@pytest.mark.parametrize(
    "backend",
    [
        "from keras import *\n",
        "if unknown():\n    from keras_core import *\nelse:\n    from tensorflow.keras import *\n",
    ],
    ids=["one", "one of two"],
)
def test_must_fire(tmp_path: pathlib.Path, backend: str) -> None:
    assert findings(tmp_path, backend, "api.metrics.Metric") == [("GD701", False)]
