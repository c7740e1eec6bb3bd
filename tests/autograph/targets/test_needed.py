"""Which statements of a script `explain` runs: what the function needs, and no training."""

import ast
import pathlib

import pytest

from graphdoctor.autograph.targets.needed import needed_statements
from graphdoctor.autograph.targets.target import find_target

STEP = "@tf.function\ndef step(x):\n    return model(x) * rate\n"
HEAD = "import tensorflow as tf\nfrom nets import build\n"


def ran(program: str, name: str = "step", *given: str) -> list[str]:
    """The first lines of the statements that are run, without imports."""
    needed = needed_statements(program, name, given)
    assert needed is not None
    kept = [one for one in needed.tree.body if not isinstance(one, ast.Import | ast.ImportFrom)]
    return [(ast.get_source_segment(program, one) or "").splitlines()[0] for one in kept]


@pytest.mark.parametrize(
    "training",
    [
        "for x in data:\n    step(x)\n",
        "step(tf.ones([2]))\n",
        "def main():\n    step(tf.ones([2]))\nmain()\n",
        "def inner():\n    step(1)\ndef main():\n    inner()\nmain()\n",
        "while True:\n    losses = step(next(data))\n",
        "model.fit(data)\n",
        "print(other_training())\n",
        "history = other_training()\n",
    ],
)
def test_training_is_not_run(training: str) -> None:
    program = f"{HEAD}model = build()\nrate = 0.1\n{STEP}data = load()\n{training}"
    assert ran(program) == ["model = build()", "rate = 0.1", "def step(x):"]


def test_a_name_that_is_bound_again_after_the_first_call_is_the_first_one() -> None:
    program = f"{HEAD}model = build()\nrate = 0.1\n{STEP}step(1)\nmodel = None\nrate = 0.2\n"
    assert ran(program) == ["model = build()", "rate = 0.1", "def step(x):"]


def test_a_name_that_is_bound_again_before_the_first_call_is_the_last_one() -> None:
    program = f"{HEAD}model = None\nrate = 0.1\n{STEP}model = build(units)\nunits = 3\nstep(1)\n"
    assert ran(program) == ["model = None", "rate = 0.1", "def step(x):", "model = build(units)", "units = 3"]


def test_what_is_bound_only_after_the_first_call_is_bound_once() -> None:
    program = f"{HEAD}rate = 0.1\n{STEP}calls = [step]\nmodel = build()\nmodel = None\n"
    assert ran(program) == ["rate = 0.1", "def step(x):", "model = build()"]


def test_what_sets_up_is_run() -> None:
    set_up = ["model.add(layer)", "tf.random.set_seed(1)", "model.build([None, 2])", 'config["rate"] = rate']
    lines = ["config = {}", "rate = config", "model = build(config)", "layer = 1", *set_up]
    program = HEAD + "\n".join(lines) + f"\n{STEP}step(1)\n"
    assert ran(program) == [*lines, "def step(x):"]


def test_what_the_users_expressions_name_is_run() -> None:
    program = f"{HEAD}model = build()\nrate = 1\nbatch = load()\nother = load()\n{STEP}step(batch)\n"
    assert ran(program, "step", "batch[:2]") == [
        "model = build()",
        "rate = 1",
        "batch = load()",
        "def step(x):",
    ]


def test_an_object_is_made_and_prepared_and_its_training_is_not_run() -> None:
    program = f"{HEAD}trainer = build()\ntrainer.compile('adam')\ntrainer.train()\n"
    assert ran(program, "trainer") == ["trainer = build()", "trainer.compile('adam')"]


@pytest.mark.parametrize("program", ["from nets import *\ndef step(x): pass\n", "globals()['step'] = len\n"])
def test_everything_is_run_where_names_are_not_known(program: str) -> None:
    assert needed_statements(program, "step") is None


def test_the_lines_that_are_left_out_are_known() -> None:
    program = (
        f"{HEAD}model = build()\nrate = 0.1\ndata = load()\n{STEP}for x in data:\n    step(x)\nprint(1)\n"
    )
    needed = needed_statements(program, "step")
    assert needed is not None
    assert needed.skipped == ((5, 5), (9, 11))


def test_a_script_is_explained_without_its_training(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "trains_for_hours.py"
    script.write_text(
        "rate = 1\ndef step(x):\n    return x * rate\nstep(1)\nrate = 2\nraise RuntimeError('it trained')\n"
    )
    target = find_target(f"{script}:step")
    assert target.function(3) == 3
    assert target.remark == f"{script}: not run, because `step` does not need it: lines 4-6"
