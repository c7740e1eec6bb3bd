"""The same examples, really run: trace counts, the error, the output; `run` reports the bad ones only."""

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.model import Evidence, Safety
from graphdoctor.rules import Example, Rule, all_rules
from graphdoctor.source import parse_module
from tests.advice import contrary
from tests.ratcheting import read_record
from tests.running import Ran, TensorFlowServer

pytestmark = pytest.mark.tensorflow

EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.id}-{number}")
    for rule in all_rules()
    for number, example in enumerate(rule.examples, start=1)
]


def operations(ran: Ran) -> int:
    return sum(trace.operations for trace in ran.recording.traces if not trace.library)


def graph_bytes(ran: Ran) -> int:
    return sum(trace.graph_bytes for trace in ran.recording.traces if not trace.library)


def _was_found(rule: Rule, example: Example) -> bool:
    """Whether a run showed the example's problem before: it has to, for ever."""
    return f"{rule.id}-{rule.examples.index(example) + 1}" in read_record("run").examples


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_example_behaves_as_it_says(rule: Rule, example: Example, oracle: TensorFlowServer) -> None:
    bad, good = (oracle.run_once(text, calls=example.calls) for text in (example.bad, example.good))
    assert not bad.timed_out
    assert (good.timed_out, good.error) == (False, None), good.output
    assert bad.error == example.raises, bad.output
    if example.traces is not None:
        assert (bad.traces, good.traces) == example.traces
    if example.output is not None:
        assert (bad.printed, good.printed) == example.output
    if example.operations is not None:
        assert (operations(bad), operations(good)) == example.operations
    if example.graph_bytes is not None:
        assert (graph_bytes(bad), graph_bytes(good)) == example.graph_bytes
    if _was_found(rule, example):
        assert rule.id in {f.rule for f in bad.report.findings if f.evidence is not Evidence.SOURCE}
    assert [f.rule for f in good.report.findings if f.rule == rule.id] == []
    assert [contrary(ran.report.findings) for ran in (bad, good)] == [[], []]


def is_safely_fixed(rule: Rule, example: Example) -> bool:
    found = check_module(parse_module("example.py", example.bad), Config(select=(rule.id,)))
    return any(finding.fix and finding.fix.safety is Safety.SAFE for finding in found)


def has_result(rule: Rule, example: Example) -> bool:
    """False where the original gives an error or no gradient: there is nothing that a fix could change."""
    return example.raises is None and (example.output is None or example.output[0] != "None")


WITH_RESULT = [parameter for parameter in EXAMPLES if has_result(*parameter.values)]
EAGERLY = "import tensorflow\n\ntensorflow.config.run_functions_eagerly(True)\n"


@pytest.mark.parametrize(("rule", "example"), WITH_RESULT)
def test_safe_fix_computes_in_graph_mode_what_the_original_computes_eagerly(
    rule: Rule, example: Example, oracle: TensorFlowServer
) -> None:
    if not is_safely_fixed(rule, example):  # asked here, not while tests are collected: it takes a dry run
        return
    original, fixed = (
        oracle.run_once(EAGERLY + example.bad),
        oracle.run_once(example.good, calls=example.calls),
    )
    assert (original.error, fixed.error) == (None, None)
    assert original.output == fixed.output
