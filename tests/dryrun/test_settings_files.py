"""What a program reads from its own files of settings is known; others are not."""

import json
import pathlib

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths

PROGRAM = """
import json, os, pathlib, sys, yaml
from pathlib import Path
import tensorflow as tf

{read}

class Model:
    def __init__(self, settings):
        self.settings = settings

    @tf.function
    def __call__(self, x):
        return x * self.settings["rate"]

model = Model(settings)
model(tf.ones([2]))
model.settings["rate"] = 2.0
model(tf.ones([2]))
"""
WAYS = {
    "beside the module": 'settings = yaml.safe_load(open(os.path.join(os.path.dirname(__file__), "a.yaml")))',
    "its real path": (
        "here = os.path.dirname(os.path.realpath(__file__))\n"
        'with open(os.path.join(here, "a.yaml")) as file:\n    settings = yaml.load(file, Loader=yaml.Loader)'
    ),
    "pathlib": 'settings = yaml.safe_load((Path(__file__).parent / "a.yaml").read_text())',
    "a sibling": 'settings = yaml.safe_load(Path(__file__).resolve().with_name("a.yaml").open())',
    "a folder above": (
        "root = pathlib.Path(__file__).parents[1]\n"
        'settings = yaml.safe_load((root / "conf/a.yaml").read_text())'
    ),
    "where it is started": 'settings = yaml.safe_load(open("a.yaml"))',
    "JSON": 'with open("a.json") as file:\n    settings = json.load(file)',
    "the text of JSON": 'with open("a.json") as file:\n    settings = json.loads(file.read())',
}
OTHERS = {
    "no such file": 'settings = yaml.safe_load(open("b.yaml"))',
    "a file of the machine": 'settings = yaml.safe_load(open("/etc/a.yaml"))',
    "a name that is unknown": "settings = yaml.safe_load(open(sys.argv[1]))",
    "more than settings": 'settings = yaml.safe_load(open("anchors.yaml"))',
    "the same value": 'settings = json.loads(open("two.json").read())',
}


def found(folder: pathlib.Path, read: str) -> list[str]:
    """What is reported of a program that reads its settings so."""
    program = folder / "program"
    for place, text in (
        ("program/a.yaml", "rate: 1.0\n"), ("conf/a.yaml", "rate: 1.0\n"),
        ("program/a.json", '{"rate": 1.0}'),
        ("program/anchors.yaml", "x: &x 1.0\nrate: *x\n"), ("program/two.json", '{"rate": 2.0}'),
    ):  # fmt: skip
        (folder / place).parent.mkdir(exist_ok=True)
        (folder / place).write_text(text)
    (program / "main.py").write_text(PROGRAM.format(read=read))
    report = check_paths([str(program)], Config())
    return [finding.rule for finding in report.findings]


@pytest.mark.parametrize("read", OTHERS.values(), ids=OTHERS)
def test_nothing_is_supposed(read: str, tmp_path: pathlib.Path) -> None:
    assert found(tmp_path, read) == []


@pytest.mark.parametrize("read", WAYS.values(), ids=WAYS)
def test_the_program_s_own_settings_are_known(read: str, tmp_path: pathlib.Path) -> None:
    assert found(tmp_path, read) == ["GD215"]


def test_settings_that_change_are_read_again(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "main.py").write_text(PROGRAM.format(read='settings = json.load(open("a.json"))'))
    reported = []
    for rate in (None, 1.0, 1.0, 2.0):
        if rate is not None:
            (tmp_path / "a.json").write_text(json.dumps({"rate": rate}))
        reported.append([finding.rule for finding in check_paths(["."], Config(), cache=True).findings])
    assert reported == [[], ["GD215"], ["GD215"], []]
