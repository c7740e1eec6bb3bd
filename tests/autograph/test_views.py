"""The pages of `graphdoctor explain`, whole, and no wider than a terminal of 100 columns."""

import re
import xml.etree.ElementTree as ElementTree

import msgspec
import pytest
from tests.autograph.explained import Answer, run_explain
from tests.autograph.snapshots import FOLDER, check_snapshot
from tests.running import TensorFlowServer

from graphdoctor.autograph.facts import Explanation, Mark

pytestmark = pytest.mark.tensorflow

EVERYTHING = ["marks.py:everything", "--arg", "x=float32[4]", "--arg", "n=int32[]"]
PAIR = ["--arg", "x=float32[2]"]
VIEWS = {
    "everything.txt": EVERYTHING,
    "follow.txt": [*EVERYTHING, "--follow"],
    "code.txt": [*EVERYTHING, "--code"],
    "graph.txt": [*EVERYTHING, "--graph"],
    "signature.txt": [*EVERYTHING, "--arg", "training=True", "--signature"],
    "retrace-if.txt": [*EVERYTHING, "--arg", "training=True", "--retrace-if"],
    "verbosity.txt": [*EVERYTHING, "--verbosity", "1"],
    "while-loop.txt": ["marks.py:while_loop", "--arg", "x=float32[None]"],
    "error.txt": ["marks.py:leak", "--arg", "x=float32[3]"],
    "train-step.txt": ["marks.py:Trainer.train_step"],
    "train-step-retrace-if.txt": [
        "marks.py:Trainer.train_step",
        "--self",
        "Trainer(units=2)",
        "--retrace-if",
    ],
    "code-not-generated.txt": ["marks.py:walrus", *PAIR, "--code"],
    "odd.txt": ["odd.py:odd_of_two"],
    "odd-retrace-if.txt": ["odd.py:odd_of_two", "--retrace-if"],
    "compare-mismatched.txt": ["odd.py:mismatched", *PAIR, "--compare"],
    "compare-frozen.txt": ["marks.py:frozen", *PAIR, "--compare"],
    "compare-side-effects.txt": ["marks.py:side_effects", *PAIR, "--compare"],
    "compare-random.txt": ["marks.py:drawn", *PAIR, "--compare"],
    "compare-equal.txt": ["marks.py:honest", *PAIR, "--compare"],
    "compare-dropped-write.txt": ["marks.py:dropped", *PAIR, "--compare"],
    "compare-error.txt": ["marks.py:walrus", *PAIR, "--compare"],
}
# A measured time and a random number are not the same twice.
TIME = re.compile(r"^  time .*\n(?:   .*\n)*", re.MULTILINE)


@pytest.fixture(scope="module")
def answers(tensorflow: TensorFlowServer) -> dict[str, Answer]:
    """What each command printed."""
    return dict(zip(VIEWS, run_explain(tensorflow, *VIEWS.values()), strict=True))


@pytest.mark.parametrize("name", VIEWS)
def test_page_is_as_kept(answers: dict[str, Answer], name: str) -> None:
    assert answers[name].error == ""
    text = TIME.sub("  time            (measured)\n", answers[name].output)
    check_snapshot(name, text)


@pytest.mark.parametrize("name", VIEWS)
def test_page_fits_a_terminal_of_100_columns(answers: dict[str, Answer], name: str) -> None:
    assert [line for line in answers[name].output.splitlines() if len(line) > 100] == []


def test_comparing_measures_both_modes(answers: dict[str, Answer]) -> None:
    timed = TIME.findall(answers["compare-equal.txt"].output)
    assert len(timed) == 1
    assert re.search(r"the graph (is|takes) [\d.]+ times as (fast|long)", timed[0])


def test_files_are_written_by_extension(tensorflow: TensorFlowServer) -> None:
    svg, facts, text = run_explain(
        tensorflow,
        [*EVERYTHING, "-o", "graph.svg"],
        [*EVERYTHING, "-o", "facts.json"],
        [*EVERYTHING, "-o", "page.txt"],
    )
    check_snapshot("graph.svg", svg.written)
    assert ElementTree.fromstring(svg.written).tag == "{http://www.w3.org/2000/svg}svg"
    page = msgspec.json.decode(facts.written, type=Explanation)
    marks = {line.text.strip(): line.mark for line in page.lines}
    assert marks["for i in tf.range(n):"] is Mark.GRAPH_LOOP
    assert marks["for k in range(3):"] is Mark.UNROLLED
    assert text.written == str(page)
    assert (svg.output, facts.output, text.output) == ("", "", "")


def test_the_page_in_docs_is_as_kept() -> None:
    """When this fails: paste the snapshot into docs/explain.md."""
    guide = FOLDER.parents[2] / "docs" / "explain.md"
    shown = guide.read_text(encoding="utf-8").split("$ graphdoctor explain")[1].split("\n", 1)[1]
    assert shown.split("```")[0] == (FOLDER / "everything.txt").read_text(encoding="utf-8")
