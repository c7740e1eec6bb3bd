"""The reference of the command line, from its own help."""

import click

from graphdoctor.cli.main import COMMANDS, commands

WIDTH = 96


def help_context(width: int) -> click.Context:
    """The context in which help is printed: with the settings that click applies only where it parses."""
    return click.Context(commands, info_name="graphdoctor", terminal_width=width, **commands.context_settings)


def render_commands() -> str:
    """The page as Markdown."""
    parts = ["# Commands", "What `graphdoctor COMMAND --help` says."]
    group = help_context(WIDTH)
    parts += ["```text\n" + commands.get_help(group) + "\n```"]
    for name in COMMANDS:
        command = commands.get_command(group, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=group, terminal_width=WIDTH)
        parts += [f"## graphdoctor {name}", "```text\n" + command.get_help(context) + "\n```"]
    return "\n\n".join(parts) + "\n"
