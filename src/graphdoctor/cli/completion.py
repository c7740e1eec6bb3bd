"""`graphdoctor completion SHELL`: what makes a shell complete our commands, options, files and rules."""

import click
from click.shell_completion import get_completion_class

VARIABLE = "_GRAPHDOCTOR_COMPLETE"


@click.command("completion", short_help="the script that completes commands in your shell")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the script that makes Tab complete commands, options, files and rules.

    \b
    graphdoctor completion bash >> ~/.bashrc
    graphdoctor completion zsh >> ~/.zshrc
    graphdoctor completion fish > ~/.config/fish/completions/graphdoctor.fish
    """
    from graphdoctor.cli.main import commands

    completing = get_completion_class(shell)
    assert completing is not None
    click.echo(completing(commands, {}, "graphdoctor", VARIABLE).source())
