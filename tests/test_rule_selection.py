"""Which rules a word names: an id, the beginning of one, a name, or a family."""

import pytest

from graphdoctor.config import Config
from graphdoctor.judging.modules import check_module
from graphdoctor.model import Severity
from graphdoctor.rules.registry import all_rules, selected_rules
from graphdoctor.source import parse_module

PROGRAM = "import tensorflow as tf\n@tf.function\ndef f(x):\n  print(tf.norm(x))\n"


@pytest.mark.parametrize(
    ("word", "named"),
    [
        ("GD201", lambda rule: rule.id == "GD201"),
        ("gd201", lambda rule: rule.id == "GD201"),
        ("GD2", lambda rule: rule.id.startswith("GD2")),
        ("GD2xx", lambda rule: rule.id.startswith("GD2")),
        ("print-in-graph", lambda rule: rule.id == "GD201"),
        ("SLOW", lambda rule: rule.family is Severity.SLOW),
        ("slow", lambda rule: rule.family is Severity.SLOW),
        ("GD999", lambda rule: False),
        ("nonsense", lambda rule: False),
    ],
)
def test_what_a_word_names(word: str, named) -> None:
    wanted = tuple(rule for rule in all_rules() if named(rule))
    assert selected_rules((word,), ()) == wanted
    assert selected_rules((), (word,)) == tuple(rule for rule in all_rules() if rule not in wanted)
    assert set(selected_rules(("GD101",), (), (word,))) >= set(wanted)


@pytest.mark.parametrize(
    ("quiet", "count"), [(("GD2",), 0), (("WRONG",), 0), (("print-in-graph",), 0), ((), 1), (("GD3",), 1)]
)
def test_per_file_ignores_take_the_same_words(quiet: tuple[str, ...], count: int) -> None:
    config = Config(select=("GD201",), per_file_ignores={"old/*": quiet})
    assert len(check_module(parse_module("old/f.py", PROGRAM), config)) == count
