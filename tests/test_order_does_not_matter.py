"""All rules find what each finds alone, in any order of rules and files."""

import pathlib
import random

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths, check_text
from graphdoctor.judging import modules as checking
from graphdoctor.model import Finding
from graphdoctor.rules import Rule, all_rules
from tests.ratcheting import all_examples
from tests.test_hidden_state import EAGER, GRAPH, LISTS, OTHER, SCALE, USER, WAVE

RULES = [rule.id for rule in all_rules()]
SEEDS = range(3)
TEXTS = [text for _, _, example in all_examples() for text in (example.bad, example.good)]
PROGRAMS = sorted((pathlib.Path(__file__).parent / "programs/check").glob("*/*.py"))
# What one rule asks of a value half way down must not help another to what lies further than it looks.
LONG_CHAIN = """import logging

import numpy as np
import tensorflow as tf


@tf.function
def step(x0):
    x1 = x0 + 1.0
    x2 = x1 + 1.0
    x3 = x2 + 1.0
    x4 = x3 + 1.0
    logging.info(x4)
    x5 = x4 + 1.0
    x6 = x5 + 1.0
    x7 = x6 + 1.0
    x8 = x7 + 1.0
    return np.sin(x8)


step(tf.ones([3]))
"""
SMALL_PROJECTS = {
    "a long chain of names": {"a": LONG_CHAIN},
    "a helper fills a list": {"a": WAVE, "lists": LISTS},
    "two users of one helper": {"a": USER, "b": USER, "h": SCALE, "k": GRAPH},
    "a decorator that does nothing": {"a": USER, "b": OTHER, "h": SCALE, "k": EAGER},
    "all at once": {"a": WAVE, "b": USER, "c": OTHER, "lists": LISTS, "h": SCALE, "k": GRAPH},
}


def shuffled(items: list[str], seed: int) -> list[str]:
    """The items in another order."""
    return random.Random(seed).sample(items, len(items))


def halves(seed: int) -> tuple[list[str], list[str]]:
    """All rules, in two parts at random."""
    order = shuffled(RULES, seed)
    return order[: len(order) // 2], order[len(order) // 2 :]


def ordered(findings: "list[Finding] | tuple[Finding, ...]") -> list[Finding]:
    """The findings in an order that does not depend on who found them first."""
    return sorted(findings, key=lambda finding: (finding.place, finding.rule))


def shuffle_rules(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Have rules asked in another order."""
    select = checking.selected_rules

    def selected(*patterns: tuple[str, ...]) -> list[Rule]:
        rules = list(select(*patterns))
        random.Random(seed).shuffle(rules)
        return rules

    monkeypatch.setattr(checking, "selected_rules", selected)


def check_example(text: str, rules: list[str]) -> list[Finding]:
    """What these rules find in the text of an example."""
    return ordered(check_text("example.py", text, Config(select=tuple(rules), keras=3)).findings)


def check_project(files: list[str], rules: list[str]) -> list[Finding]:
    """What these rules find in files of the current directory."""
    return ordered(check_paths(files, Config(select=tuple(rules), keras=3)).findings)


@pytest.mark.parametrize("seed", SEEDS)
def test_two_halves_of_the_rules_find_what_all_find_in_examples(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = [check_example(text, RULES) for text in TEXTS]
    shuffle_rules(monkeypatch, seed)
    one, other = halves(seed)
    assert [ordered(check_example(text, one) + check_example(text, other)) for text in TEXTS] == everything


def test_each_rule_alone_finds_in_its_examples_what_it_finds_among_all() -> None:
    for _, rule, example in all_examples():
        among_all = [f for f in check_example(example.bad, RULES) if f.rule == rule.id]
        assert check_example(example.bad, [rule.id]) == among_all


@pytest.mark.parametrize("name", SMALL_PROJECTS)
def test_each_rule_alone_finds_in_a_project_what_all_find_together(
    name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for module, text in SMALL_PROJECTS[name].items():
        (tmp_path / f"{module}.py").write_text(text)
    files = sorted(path.name for path in tmp_path.iterdir())
    everything = check_project(files, RULES)
    assert ordered([f for rule in RULES for f in check_project(files, [rule])]) == everything
    for seed in SEEDS:
        shuffle_rules(monkeypatch, seed)
        assert check_project(shuffled(files, seed), RULES) == everything


@pytest.mark.parametrize("seed", SEEDS)
def test_files_in_another_order_show_the_same(
    seed: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, _, example in all_examples():
        pathlib.Path(f"{name.replace('-', '_').lower()}.py").write_text(example.bad)
    for number, program in enumerate(PROGRAMS):
        pathlib.Path(f"program{number}.py").write_text(program.read_text())
    files = sorted(path.name for path in tmp_path.iterdir())
    everything = check_project(files, RULES)
    shuffle_rules(monkeypatch, seed)
    assert check_project(shuffled(files, seed), RULES) == everything
