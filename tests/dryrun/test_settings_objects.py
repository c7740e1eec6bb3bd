"""Dicts of settings whose entries are attributes: what they say is known, unless a run may change it."""

import pathlib

import pytest
from tests.checking import check

from graphdoctor.config import Config
from graphdoctor.judging.files import check_files
from graphdoctor.model import Severity

HEAD = """
import tensorflow as tf
import ml_collections
from addict import Dict
from easydict import EasyDict as edict
from ml_collections import config_dict
from munch import Munch, munchify
from omegaconf import OmegaConf
from yacs.config import CfgNode as CN
from elsewhere import opts, path

@tf.function
def step(x, n): return x * n

x = tf.ones([2])
"""
TRAIN = "\nif {}:\n  for i in range(9): step(x, i)\n"
KNOWN = {
    "set one by one": ("__C = edict()\ncfg = __C\n__C.TRAIN = edict()\n__C.TRAIN.N = {}", "cfg.TRAIN.N"),
    "of a dict": ("c = edict({{'n': 5, 'sub': {{'k': {}}}}})", "c.sub.k"),
    "of names": ("c = Munch(n={})", "c['n']"),
    "of dicts in dicts": ("c = munchify({{'a': {{'b': {}}}}})", "c.a.b"),
    "ml_collections": (
        "def get():\n  c = ml_collections.ConfigDict()\n  c.train = ml_collections.ConfigDict()\n"
        "  c.train.n = {}\n  return c\nc = get()",
        "c.train.n",
    ),
    "locked": ("c = ml_collections.ConfigDict({{'n': {}}}).lock()", "c.n"),
    "the module of it": ("c = config_dict.ConfigDict({{'n': {}}})", "c.n"),
    "omegaconf": ("c = OmegaConf.create({{'n': {}}})", "c.n"),
    "merged": ("c = OmegaConf.merge(OmegaConf.create({{'n': 7}}), {{'n': {}}})", "c.n"),
    "back in a dict": ("c = OmegaConf.to_container(OmegaConf.create({{'n': {}}}))", "c['n']"),
    "a copy": ("_C = CN()\n_C.A = CN()\n_C.A.N = {}\nc = _C.clone()\nc.freeze()", "c.A.N"),
    "set as an entry": ("c = edict()\nc['n'] = {}", "c.n"),
    "asked for by name": ("c = edict(n={})", "c.get('n', 1)"),
}


def severities(program: str) -> list[Severity]:
    return [finding.severity for finding in check(HEAD + program, "GD101")]


@pytest.mark.parametrize(("made", "read"), KNOWN.values(), ids=KNOWN)
def test_what_is_set_is_known(made: str, read: str) -> None:
    assert severities(made.format(0) + TRAIN.format(read)) == []
    assert severities(made.format(3) + TRAIN.format(read)) == [Severity.SLOW]


@pytest.mark.parametrize(
    "other",
    [
        "c.merge_from_file(path)",
        "c.merge_from_list(opts)",
        "c = OmegaConf.merge(c, OmegaConf.from_cli())",
    ],
)
def test_what_a_run_may_set_otherwise_is_looked_at_both_ways(other: str) -> None:
    assert severities(f"c = CN({{'n': 0}})\n{other}" + TRAIN.format("c.n")) == [Severity.SLOW]
    assert severities(f"c = CN({{'n': 0}})\n{other}" + TRAIN.format("not c.n")) == [Severity.SLOW]


def test_one_setting_is_one_number_for_the_whole_run() -> None:
    assert severities("c = edict(n=3)\nfor i in range(9): step(x, c.n)") == []


def test_a_setting_that_changes_after_the_trace_is_stale() -> None:
    program = "c = edict(n=3)\n@tf.function\ndef f(x): return x * c.n\nf(x)\nc.n = 4\nf(x)\n"
    assert [finding.rule for finding in check(HEAD + program, "GD2")] == ["GD215"]


@pytest.mark.parametrize("name", ["conf", "conf.yaml"])
def test_hydra(name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pathlib.Path("configs").mkdir()
    pathlib.Path("configs/conf.yaml").write_text("train:\n  epochs: 9\n  step_as_number: true\n")
    pathlib.Path("train.py").write_text(
        "import hydra\n" + HEAD + f"@hydra.main(config_path='configs', config_name={name!r})\n"
        "def main(cfg):\n  if cfg.train.step_as_number:\n"
        "    for i in range(cfg.train.epochs): step(x, i)\n"
        "  for i in range(9): step(x, cfg.train.epochs)\n\nif __name__ == '__main__': main()\n"
    )
    found = check_files([("train.py", False)], Config()).findings
    assert [(each.rule, each.severity) for each in found] == [("GD101", Severity.SLOW)]


@pytest.mark.parametrize(
    "use", ["c = c.copy()", "c = edict(c)", "c.merge_from_list([])", "c.update_from(c)", "c.me = c.to_dict()"]
)
def test_settings_that_hold_themselves(use: str) -> None:
    program = f"c = edict(n=3)\nc.me = c\n{use}" + TRAIN.format("c.n")
    assert severities(program) == [Severity.SLOW]
