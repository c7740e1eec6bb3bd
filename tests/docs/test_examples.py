"""The examples of the guides print today what the pages show."""

import pathlib

import pytest
from docs.builder.examples import ExampleError, run_page, same

DOCS = pathlib.Path(__file__).parents[2] / "docs"
PAGES = [
    "../README.md",
    "tutorial.md",
    "fix.md",
    "guides/slow-training.md",
    "guides/wrong-results.md",
    "guides/graph-errors.md",
    "guides/keras-3.md",
    "guides/not-converted.md",
    "guides/tensor-loops.md",
    "guides/ci.md",
]


@pytest.mark.tensorflow
@pytest.mark.long
@pytest.mark.log_noise
@pytest.mark.parametrize("page", PAGES)
def test_examples_print_what_the_page_shows(page: str, tmp_path: pathlib.Path) -> None:
    """When this fails: `make docs`, and look at what has changed."""
    text = (DOCS / page).read_text(encoding="utf-8")
    assert run_page(text, tmp_path) == text


def test_programs_are_written_and_commands_run_in_order(tmp_path: pathlib.Path) -> None:
    page = (
        "```python\n# a.py\nprint('one')\n```\n\n```console\n$ python a.py; python a.py | wc -l\nold\n```\n"
        "\n```python\nuntouched\n```\n\n```console\n$ true\nold\n```\n"
    )
    assert run_page(page, tmp_path) == page.replace("wc -l\nold", "wc -l\none\n1").replace(
        "true\nold\n", "true\n"
    )


def test_a_command_that_breaks_is_not_written_down(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ExampleError, match="ZeroDivisionError"):
        run_page("```console\n$ python -c '1 / 0'\n```\n", tmp_path)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("5 traces took 1.2 s of 3 s (40 %)", "5 traces took 310 ms of 12 s (3 %)", True),
        ("TensorFlow 2.21.0: 5 traces", "TensorFlow 2.16.2: 5 traces", True),
        ("traced 5 times\n  because", "traced 5\n  times because", True),
        ("Recording: .graphdoctor/train-123.jsonl", "Recording: .graphdoctor/train-99.jsonl", True),
        (
            "Where 3 s went: input 2 s\n  ███\nTensorFlow 2: 5",
            "Where 3 s went: import 3 s\nTensorFlow 2: 5",
            True,
        ),
        ("Where 3 s went: input 2 s\nTensorFlow 2: 5", "Where 3 s went: input 2 s\nTensorFlow 2: 6", False),
        ("5 traces took 1.2 s", "6 traces took 1.2 s", False),
        ("train.py:17:33", "train.py:18:33", False),
        ("exit code 1", "exit code 0", False),
    ],
)
def test_only_figures_of_time_may_differ(one: str, other: str, expected: bool) -> None:
    assert same(one, other) is expected
