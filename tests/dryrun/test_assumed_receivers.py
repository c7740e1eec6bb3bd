"""Methods that nothing calls, on objects that nobody makes: what their other methods set may be set."""

import pytest
from tests.checking import check, recorded

from graphdoctor.recording.format import Looked

INDEX = """
import tensorflow as tf
class Index:
    def __init__(self):
        self.rows = None
    {}
    def search(self):
        if self.rows is None:
            raise ValueError("nothing to search in")
        return tf.data.Dataset.range(3).map(lambda x: x.numpy())
"""


def test_another_method_may_have_set_what_is_none_at_first() -> None:
    found = check(INDEX.format("def fill(self, rows): self.rows = rows"), "GD801")
    assert [finding.rule for finding in found] == ["GD801"]


def test_what_no_method_sets_stays_none() -> None:
    assert check(INDEX.format("def size(self): return len(self.rows)"), "GD801") == []


TABLES = "import pandas as pd\nimport tensorflow as tf\ndef read(source, model):\n  {}\n"


@pytest.mark.parametrize(
    "use",
    [
        "return list(source.parts[0].map(lambda x: x.numpy()).as_numpy_iterator())",
        "return model.predict(source.part.map(lambda x: x.numpy()))",
        "source.part.map(abs).prefetch(2)\n  return source.part.map(lambda x: x.numpy())",
    ],
)
def test_what_is_used_as_a_dataset_beside_tables(use: str) -> None:
    assert [finding.rule for finding in check(TABLES.format(use), "GD801")] == ["GD801"]


@pytest.mark.parametrize(
    "use",
    [
        "return source.part.map(lambda x: x.numpy())",
        "source.other.map(abs_).prefetch(2)\n  return source.part.map(lambda x: x.numpy())",
        "return model.transform(source.part.map(lambda x: x.numpy()))",
    ],
)
def test_what_may_be_a_table_is_none(use: str) -> None:
    assert check(TABLES.format(use), "GD801") == []


def test_a_function_given_to_what_may_be_a_table_is_named() -> None:
    recording = recorded(TABLES.format("return source.part.map(lambda x: x.numpy())"))
    reasons = [event.skipped for event in recording.events if isinstance(event, Looked)]
    assert "given to what nobody knows" in reasons


def test_a_lambda_that_was_not_reached_is_named() -> None:
    program = (
        "import tensorflow as tf\ndef f(dataset):\n  raise ValueError\n  return dataset.map(lambda x: x)\n"
    )
    skipped = {e.function.name: e.skipped for e in recorded(program).events if isinstance(e, Looked)}
    assert skipped == {"f": "", "f.<lambda>": "not reached"}
