"""Edits of variants: the finding is gone, and the graph computes what eager code does."""

import ast

import pytest
from tests.refactoring.graph_programs import FIXED, STATED
from tests.running import TensorFlowServer

from graphdoctor.config import Config
from graphdoctor.fixing import fix_text
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

HEAD = "import keras\nimport numpy as np\nimport tensorflow as tf\n\n"
EAGERLY = "import tensorflow\n\ntensorflow.config.run_functions_eagerly(True)\n"


def fixed_text(program: str) -> str:
    return fix_text("program.py", HEAD + program, Config(keras=3), unsafe=True)[0]


@pytest.mark.parametrize("name", FIXED)
def test_the_finding_is_gone(name: str) -> None:
    rule, program = name.split()[0], FIXED[name]
    fixed = fixed_text(program)
    ast.parse(fixed)
    found = [
        {finding.rule for finding in check_module(parse_module("program.py", text, 3), Config())}
        for text in (HEAD + program, fixed)
    ]
    assert rule in found[0]
    assert rule not in found[1]


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", FIXED)
def test_the_graph_computes_what_eager_code_computes(name: str, oracle: TensorFlowServer) -> None:
    fixed = oracle.run(fixed_text(FIXED[name]))
    assert fixed.error is None, fixed.output
    if name in STATED:  # the original is wrong, or dies, eagerly too
        assert fixed.output.strip() == STATED[name]
    else:
        eager = oracle.run(EAGERLY + HEAD + FIXED[name])
        assert (fixed.output, eager.error) == (eager.output, None)
