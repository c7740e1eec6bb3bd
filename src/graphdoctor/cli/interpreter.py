"""Says of an interpreter that it has no TensorFlow: for commands that ran a program in vain."""

import subprocess

import click

from graphdoctor.model.words import printable

LACKING = 3
SCRIPT = f"import importlib.util, sys\nif not importlib.util.find_spec('tensorflow'): sys.exit({LACKING})"


def say_if_without_tensorflow(python: str) -> None:
    """Name the interpreter and the remedy; nothing where it has TensorFlow, or does not start."""
    try:
        asked = subprocess.run([python, "-c", SCRIPT], capture_output=True, check=False)
    except OSError:
        return
    if asked.returncode == LACKING:
        remedy = f"`{python} -m pip install tensorflow`, or --python names another"
        click.echo(printable(f"graphdoctor: {python} has no TensorFlow: {remedy}"), err=True)
