"""The guide "My gradient is None" says what graphdoctor says today of the programs in it."""

import importlib.util
import pathlib
from types import ModuleType

import pytest

from graphdoctor.model import Report
from graphdoctor.reports import excerpt
from tests.running import TensorFlowServer

BUILDER = pathlib.Path(__file__).parents[2] / "docs/guides/build_gradient_is_none.py"


def load_builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_gradient_is_none", BUILDER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.tensorflow
def test_page_is_what_the_programs_show(
    tensorflow: TensorFlowServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = load_builder()

    def run(text: str) -> Report:
        ran = tensorflow.run(text, name=builder.PROGRAM)
        monkeypatch.chdir(ran.folder)
        excerpt._lines.cache_clear()
        return ran.report

    page = builder.build_page(run)
    assert page == builder.PAGE.read_text(encoding="utf-8")
