"""Runs `graphdoctor explain` many times in one process that has TensorFlow loaded."""

import dataclasses
import json
import pathlib

from tests.running import TensorFlowServer

PROGRAMS = pathlib.Path(__file__).parents[1] / "programs" / "explain"
COMMANDS = """
import contextlib, io, json, os, shutil, sys
from graphdoctor.cli.main import commands
from graphdoctor.errors import GraphdoctorError

for name in os.listdir({programs!r}):
    if name.endswith(".py"):
        shutil.copy(os.path.join({programs!r}, name), name)
for arguments in {invocations!r}:
    output, error = io.StringIO(), ""
    with contextlib.redirect_stdout(output):
        try:
            commands(["explain", *arguments], standalone_mode=False)
        except GraphdoctorError as raised:
            error = str(raised)
    path = arguments[arguments.index("-o") + 1] if "-o" in arguments else None
    written = open(path, encoding="utf-8").read() if path and os.path.exists(path) else ""
    print("@" + json.dumps({{"output": output.getvalue(), "error": error, "written": written}}))
"""


@dataclasses.dataclass(frozen=True)
class Answer:
    """What one command printed, the error it raised on purpose, and the file it wrote with -o."""

    output: str
    error: str
    written: str


def run_explain(tensorflow: TensorFlowServer, *invocations: list[str]) -> list[Answer]:
    """The answers to several commands, in the folder that holds the programs."""
    text = COMMANDS.format(programs=str(PROGRAMS), invocations=list(invocations))
    ran = tensorflow.run(text, name="driver.py")
    assert ran.error is None, ran.output
    lines = [line[1:] for line in ran.output.splitlines() if line.startswith("@")]
    return [Answer(**json.loads(line)) for line in lines]
