"""`graphdoctor`: finds the command, and turns our errors into one line and exit code 2."""

import atexit
import gc
import importlib
import io
import sys
import traceback
from typing import Any

import click

from graphdoctor.cli.versions import show_versions
from graphdoctor.errors import GraphdoctorError
from graphdoctor.model.words import printable
from graphdoctor.rule_packages import rule_sources

# The order in which a newcomer meets them; each is loaded only when it is called.
COMMANDS = {
    "check": "what can go wrong, from the source; needs no TensorFlow",
    "run": "what did go wrong: run a program unchanged, and explain",
    "fix": "the fix with its proof: run, fix a copy, run again, compare",
    "tune": "the training in other ways, measured: as a graph, by XLA, with another pipeline",
    "report": "the report of a recording again",
    "explain": "what AutoGraph made of a function, line by line",
    "diff": "compare two recordings",
    "diagnose": "before the long run: config, batch shapes, N steps, retraces, step time, advice",
    "plan": "the bucket lengths that cost least, and what they waste",
    "rule": "a rule's page",
    "demo": "the bundled samples, diagnosed",
    "server": "findings in the editor: a language server",
    "schema": "the JSON schema of reports",
    "completion": "the script that completes commands in your shell",
}


class _Commands(click.Group):
    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(f"graphdoctor.cli.{name}"), f"{name}_command")
        assert isinstance(command, click.Command)
        return command

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        finally:
            _say_what_is_left_out()

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_versions,
    help="Show our version and TensorFlow's.",
)
def commands() -> None:
    """Find, explain, fix and prevent what breaks or slows TensorFlow in graph mode.

    \b
    graphdoctor check src/           look at the source
    graphdoctor run train.py ARGS    run it, unchanged, and say what was traced again and why
    graphdoctor fix train.py ARGS    fix a copy, run it, and prove that it computes the same
    """


def _say_what_is_left_out() -> None:
    """Name the rules of other packages that could not be used, after a command that asked for rules."""
    registry = sys.modules.get("graphdoctor.rules.registry")
    for error in registry.rule_package_errors() if registry is not None and rule_sources() else ():
        click.echo(f"graphdoctor: {printable(str(error))}", err=True)


def main() -> None:
    """Run the command line."""
    if sys.argv[1:2] == ["check"]:
        gc.disable()  # it holds millions of small objects, lets them go by itself, and does not live long
        atexit.register(gc.freeze)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what the locale cannot show is spelled out
            stream.reconfigure(errors="backslashreplace")
    try:
        commands(prog_name="graphdoctor")
    except GraphdoctorError as error:
        click.echo(f"graphdoctor: {printable(str(error))}", err=True)
        sys.exit(2)
    except Exception:  # 1 would say that something was found
        traceback.print_exc()
        click.echo("graphdoctor: this is a fault of graphdoctor, not of your program", err=True)
        sys.exit(2)
