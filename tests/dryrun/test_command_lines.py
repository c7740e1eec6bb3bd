"""Options of command lines: their defaults, and what a program does when they are set otherwise."""

import pathlib

import pytest
from tests.checking import check

from graphdoctor.config import Config
from graphdoctor.judging.files import check_files
from graphdoctor.model import Severity

STEP = "import tensorflow as tf\n@tf.function\ndef step(x, n): return x * n\nx = tf.ones([2])\n"
ARGPARSE = "import argparse\nparser = argparse.ArgumentParser()\n"
TRAIN = "  for i in range(9): step(x, i)\n"
ABSL = "from absl import app, flags\n" + STEP
TYPER = "import typer\n" + STEP + "app = typer.Typer()\n"
CLICK = "import click\n" + STEP + "@click.command()\n"


def rules(program: str) -> list[str]:
    return [finding.rule for finding in check(program, "GD") if finding.is_shown]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            ARGPARSE
            + STEP
            + "parser.add_argument('--debug', action='store_true')\nargs = parser.parse_args()\n"
            "if args.debug:\n  tf.config.run_functions_eagerly(True)\nfor _ in range(9): step(x, 2)",
            id="an eager mode that somebody may ask for",
        ),
        pytest.param(
            ARGPARSE
            + STEP
            + "parser.add_argument('--scale', type=float, default=2.0)\nargs = parser.parse_args()\n"
            "for _ in range(9): step(x, args.scale)",
            id="one number for the whole run",
        ),
        pytest.param(
            ARGPARSE
            + STEP
            + "parser.add_argument('--norm', action='store_true')\nargs = parser.parse_args()\n"
            "class Net(tf.Module):\n"
            "  def __init__(self):\n"
            "    if args.norm: self.norm = tf.keras.layers.LayerNormalization()\n"
            "    self.use = args.norm\n"
            "  @tf.function\n"
            "  def __call__(self, x):\n"
            "    if self.use: x = self.norm(x)\n"
            "    return x\n"
            "net = Net()\nfor _ in range(9): net(x)",
            id="an option that decides what is made and what is used",
        ),
        pytest.param(
            ABSL
            + "flags.DEFINE_float('part', 1.0, '')\nFLAGS = flags.FLAGS\n"
            + "@tf.function\ndef test(batches):\n  for _ in tf.range(3): step(next(batches), 1)\n"
            + "def main(argv):\n  data = None\n  if FLAGS.part < 1.0: data = load()\n"
            + "  for _ in range(9):\n    if FLAGS.part < 1.0: test(iter(data))\napp.run(main)",
            id="two conditions that ask for one flag",
        ),
        pytest.param(
            ABSL
            + "flags.DEFINE_integer('n', 3, '')\nFLAGS = flags.FLAGS\n"
            + "def main(argv):\n  for _ in range(9): step(x, FLAGS.n)\napp.run(main)",
            id="a flag is one number for the whole run",
        ),
        pytest.param(
            TYPER + "@app.command()\ndef main(n: int = 3):\n  for _ in range(9): step(x, n)\napp()",
            id="an option of typer is one number",
        ),
        pytest.param(
            TYPER
            + "@app.command()\ndef one():\n  for _ in range(9): step(x, 1)\n"
            + "@app.command()\ndef two():\n  for _ in range(9): step(x, 2)\napp()",
            id="each command by itself",
        ),
        pytest.param(
            ABSL + "flags.DEFINE_string('file', None, '')\nflags.mark_flag_as_required('file')\n"
            "def main(argv):\n  if flags.FLAGS.file is None:\n"
            + TRAIN.replace("  for", "    for").replace("range(9)", "[1]")
            + "app.run(main)",
            id="one value",
        ),
        pytest.param(
            CLICK + "@click.option('--n', default=3)\ndef main(n):\n  for _ in range(9): step(x, n)\nmain()",
            id="an option of click is one number",
        ),
        pytest.param(
            "import fire\n" + STEP + "def main(n=3):\n  for _ in range(9): step(x, n)\nfire.Fire(main)",
            id="a parameter that fire fills is one number",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert rules(program) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            ARGPARSE
            + STEP
            + "parser.add_argument('--train', action='store_true')\nargs = parser.parse_args()\n"
            + "if args.train:\n"
            + TRAIN,
            id="what is done when a flag is given",
        ),
        pytest.param(
            ARGPARSE
            + STEP
            + "parser.add_argument('--mode', default='test')\nargs = parser.parse_args()\n"
            + "def main():\n  if args.mode.lower() != 'train':\n    print('tested')\n    return\n"
            + TRAIN
            + "main()",
            id="what follows where the default ends the function",
        ),
        pytest.param(
            ARGPARSE
            + STEP
            + "commands = parser.add_subparsers(dest='command')\n"
            + "def train(args):\n  for i in range(args.n): step(x, i)\n"
            + "def test(args): step(x, 1)\n"
            + "one = commands.add_parser('train')\none.add_argument('--n', type=int, default=9)\n"
            + "one.set_defaults(run=train)\ncommands.add_parser('test').set_defaults(run=test)\n"
            + "args = parser.parse_args()\nargs.run(args)",
            id="sub-commands",
        ),
        pytest.param(
            ABSL
            + "flags.DEFINE_integer('n', 9, '')\nflags.DEFINE_bool('train', False, '')\nFLAGS = flags.FLAGS\n"
            + "def main(argv):\n  if FLAGS.train:\n    for i in range(FLAGS.n): step(x, i)\n"
            + "if __name__ == '__main__': app.run(main)",
            id="absl",
        ),
        pytest.param(
            ABSL
            + "N = flags.DEFINE_integer('n', 9, '')\n"
            + "def main(argv):\n  for i in range(N.value): step(x, i)\napp.run(main)",
            id="a flag that is held",
        ),
        pytest.param(
            CLICK
            + "@click.option('--number', 'n', type=int, default=9)\n@click.option('--train/--test')\n"
            + "def main(n, train):\n  if train:\n    for i in range(n): step(x, i)\nmain()",
            id="click",
        ),
        pytest.param(
            "import fire\n"
            + STEP
            + "def main(n: int = 9):\n  for i in range(n): step(x, i)\nfire.Fire(main)",
            id="fire",
        ),
    ],
)
def test_what_the_options_lead_to_is_looked_at(program: str) -> None:
    assert rules(program) == ["GD101"]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            TYPER + "@app.command()\ndef main(n: int = 9):\n  for i in range(n): step(x, i)\napp()",
            id="typer",
        ),
        pytest.param(
            TYPER
            + "@app.callback()\ndef first(debug: bool = False): pass\n"
            + "@app.command()\ndef test(n: int): step(x, n)\n"
            + "@app.command('fit')\ndef train(n: int = typer.Option(9)):\n  for i in range(n): step(x, i)\n"
            + "app()",
            id="one of several commands",
        ),
        pytest.param(
            TYPER
            + "more = typer.Typer()\napp.add_typer(more, name='more')\n"
            + "@more.command()\ndef train(n: int = 9):\n  for i in range(n): step(x, i)\napp()",
            id="commands of commands",
        ),
        pytest.param(
            "import click\n"
            + STEP
            + "@click.group()\n@click.option('--debug/--quiet', default=False)\ndef cli(debug): pass\n"
            + "@cli.command()\n@click.option('--n', default=9)\n"
            + "def train(n):\n  for i in range(n): step(x, i)\ncli()",
            id="a group of click",
        ),
        pytest.param(
            "import click\n"
            + STEP
            + "@click.group()\ndef cli(): pass\n@click.command()\n@click.option('--n', default=9)\n"
            + "def train(n):\n  for i in range(n): step(x, i)\ncli.add_command(train)\ncli()",
            id="a command that is added",
        ),
        pytest.param(
            TYPER
            + "@app.command()\ndef main(train: bool = False):\n  if train:\n"
            + "    for i in range(9): step(x, i)\napp()",
            id="what an option of a command leads to",
        ),
    ],
)
def test_the_program_calls_one_of_its_commands(program: str) -> None:
    [found] = check(program, "GD101")
    assert found.severity is Severity.SLOW
    assert "`<module>` calls" in found.reached[0].message


def test_what_runs_before_a_command() -> None:
    commands = "@app.callback()\ndef first(): {}\n@app.command()\ndef main():\n" + TRAIN + "app()"
    assert rules(TYPER + commands.format("pass")) == ["GD101"]
    assert rules(TYPER + commands.format("tf.config.run_functions_eagerly(True)")) == ["GD905"]


def test_flags_of_another_module(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pathlib.Path("options.py").write_text(
        "from absl import flags\nFLAGS = flags.FLAGS\nflags.DEFINE_integer('n', 9, '')\n"
    )
    pathlib.Path("other.py").write_text("from absl import flags\nflags.DEFINE_integer('n', 0, '')\n")
    train = "from absl import app\nfrom options import FLAGS\n" + STEP
    train += "def main(argv):\n  for i in range(FLAGS.n): step(x, i)\napp.run(main)\n"
    pathlib.Path("train.py").write_text(train)
    for order in (["other.py", "train.py"], ["train.py", "options.py", "other.py"]):
        found = check_files([(path, False) for path in order], Config()).findings
        assert [(finding.path, finding.rule) for finding in found] == [("train.py", "GD101")]


UNDECIDED = {
    "an early return": "def main():\n  files = glob.glob('*')\n  if not files:\n    return\n  BODY\nmain()",
    "a folder that may be there": "if os.path.isdir('data'):\n  BODY",
    "a setting of a file": "cfg = json.load(open('c.json'))\nif cfg['mode'] == 'train':\n  BODY",
    "an argument that may be missing": (
        "import numpy as np\ndef fit(data):\n  if data is None:\n    return\n  BODY\nfit(np.load('x.npy'))"
    ),
}


@pytest.mark.parametrize("around", UNDECIDED.values(), ids=UNDECIDED)
def test_a_condition_of_the_program_does_not_make_a_note_of_it(around: str) -> None:
    program = "import glob, json, os\n" + STEP + around
    assert rules(program.replace("BODY", "for i in range(9): step(x, i)")) == ["GD101"]
    assert rules(program.replace("BODY", "for i in range(9): step(x, 1)")) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            "class Steps:\n  def __init__(self): self.kept = {}\n  def get(self, key):\n"
            "    if key not in self.kept: self.kept[key] = tf.function(lambda x: x * 2)\n"
            "    return self.kept[key]\nsteps = Steps()\nfor i in range(9): steps.get(os.getenv('A'))(x)",
            id="a cache",
        ),
        pytest.param(
            "class Steps:\n  def get(self):\n    if not hasattr(self, 'f'):\n"
            "      self.f = tf.function(lambda x: x)\n    return self.f\n"
            "steps = Steps()\nfor i in range(9): steps.get()(x)",
            id="made when it is missing",
        ),
        pytest.param(
            "try:\n  step(x, 1)\nexcept ValueError:\n  for i in range(9): step(x, i)",
            id="what is done when something failed",
        ),
    ],
)
def test_a_condition_that_its_own_code_ends_is_doubtful(program: str) -> None:
    assert rules("import os\n" + STEP + program) == []
