"""The listings of the documents that graphdoctor was made for: `check` finds the problem of each."""

import pathlib
import re

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

LISTINGS = [
    pytest.param(path, id=path.stem)
    for path in sorted((pathlib.Path(__file__).parent / "listings").glob("*.py"))
]
MARK = re.compile(r"# finds (GD\d+)")


@pytest.mark.parametrize("path", LISTINGS)
def test_the_problem_of_a_listing_is_found_where_it_stands(path: pathlib.Path) -> None:
    text = path.read_text(encoding="utf-8")
    marked = [
        (found.group(1), number)
        for number, line in enumerate(text.split("\n"), start=1)
        if (found := MARK.search(line))
    ]
    findings = check_module(parse_module(path.name, text, 3), Config())
    assert [(finding.rule, finding.line) for finding in findings] == marked
