"""The listings of the documents that graphdoctor was made for: both halves find the problem of each."""

import pathlib
import re

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.model import Evidence
from graphdoctor.model.fix_result import Verdict
from graphdoctor.source import parse_module
from tests.fixing_programs import open_laboratory, search_fix
from tests.running import TensorFlowServer

LISTINGS = [
    pytest.param(path, id=path.stem)
    for path in sorted((pathlib.Path(__file__).parent / "listings").glob("*.py"))
]
MARK = re.compile(r"# finds (GD\d+)")
SHOWN = re.compile(r"# a run shows (GD\d+)")  # where a run tells it, when that is another line


def marked(text: str, mark: re.Pattern[str] = MARK) -> list[tuple[str, int]]:
    """The rule and line of each problem, as the listing's own comments say."""
    lines = enumerate(text.split("\n"), start=1)
    return [(found.group(1), number) for number, line in lines if (found := mark.search(line))]


@pytest.mark.parametrize("path", LISTINGS)
def test_the_problem_of_a_listing_is_found_where_it_stands(path: pathlib.Path) -> None:
    text = path.read_text(encoding="utf-8")
    findings = check_module(parse_module(path.name, text, 3), Config())
    assert [(finding.rule, finding.line) for finding in findings] == marked(text)


@pytest.mark.tensorflow
@pytest.mark.parametrize("path", LISTINGS)
def test_fix_repairs_a_listing_as_it_is(
    path: pathlib.Path, tmp_path: pathlib.Path, oracle: TensorFlowServer
) -> None:
    (tmp_path / path.name).write_bytes(path.read_bytes())
    with open_laboratory(tmp_path, path.name, oracle) as laboratory:
        found = search_fix(laboratory).result()
    assert found.verdict is Verdict.FIXED


@pytest.mark.tensorflow
@pytest.mark.parametrize("path", LISTINGS)
def test_a_run_shows_the_problem_of_a_listing(path: pathlib.Path, tensorflow: TensorFlowServer) -> None:
    text = path.read_text(encoding="utf-8")
    found = tensorflow.run(text, name=path.name).report.findings
    shown = {(f.rule, f.line) for f in found if f.evidence is not Evidence.SOURCE}
    assert shown >= set(marked(text, SHOWN) or marked(text))
