"""Variants of programs, fixed by our edits and proven by running them."""

import pathlib

import pytest
from tests.fixing_programs import open_laboratory, search_fix
from tests.refactoring.programs import FIXED
from tests.refactoring.unseen_programs import UNSEEN
from tests.running import TensorFlowServer

from graphdoctor.model.fix_result import Verdict


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", [*FIXED, *UNSEEN])
def test_fixed(name: str, tmp_path: pathlib.Path, oracle: TensorFlowServer) -> None:
    files = {**FIXED, **UNSEEN}[name]
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    with open_laboratory(tmp_path, next(iter(files)), oracle) as laboratory:
        fix = search_fix(laboratory).result()
    assert (fix.verdict, fix.remaining) == (Verdict.FIXED, ())
