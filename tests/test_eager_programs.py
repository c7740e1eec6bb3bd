"""Code that a program runs eagerly, in another file than the one that switches graphs off."""

import pathlib

import pytest

from graphdoctor.config import Config
from graphdoctor.judging.checks import check_paths

AGENT = """
import tensorflow as tf
class Agent:
    @tf.function
    def act(self, x): return tf.argmax(x, 1).numpy()
    def learn(self):
        for i in range(3): print(self.act(tf.random.normal([2, 3])))
"""
MAIN = """
import tensorflow as tf
from agent import Agent
def train():
    {}
    Agent().learn()
if __name__ == "__main__":
    train()
"""
SWITCH = "tf.config.run_functions_eagerly(True)"
RUN = MAIN.format("pass")


def shown(folder: pathlib.Path, **files: str) -> bool:
    for name, text in {"agent": AGENT, **files}.items():
        (folder / f"{name}.py").write_text(text)
    report = check_paths([str(folder)], Config(), cache=False)
    [found] = [finding for finding in report.findings if finding.rule == "GD801"]
    return found.is_shown


@pytest.mark.parametrize("switch", [SWITCH, "tf.config.run_functions_eagerly( run_eagerly=True )"])
def test_a_program_with_the_switch_leads_to_it(tmp_path: pathlib.Path, switch: str) -> None:
    assert shown(tmp_path, main=MAIN.format(switch)) is False


@pytest.mark.parametrize("switch", ["pass", f"# {SWITCH}", "tf.config.run_functions_eagerly(False)"])
def test_no_program_switches_graphs_off(tmp_path: pathlib.Path, switch: str) -> None:
    assert shown(tmp_path, main=MAIN.format(switch)) is True


def test_the_switch_of_a_test_says_nothing_of_the_program(tmp_path: pathlib.Path) -> None:
    assert shown(tmp_path, main=RUN, test_agent=MAIN.format(SWITCH)) is True


def test_a_program_that_leads_elsewhere(tmp_path: pathlib.Path) -> None:
    assert shown(tmp_path, main=RUN, other=f"import tensorflow as tf\n{SWITCH}\n") is True


def test_the_switch_holds_where_reaching_a_call_is_unknown(tmp_path: pathlib.Path) -> None:
    learning = AGENT.replace("for i in range(3): print", "for i in range(3):\n            if input(): print")
    assert shown(tmp_path, agent=learning, main=MAIN.format(SWITCH)) is False
