"""`graphdoctor server`: findings in the editor, by the language server protocol."""

import logging
import os
import sys

import click

from graphdoctor.errors import GraphdoctorError

LEVELS = ("error", "warning", "info", "debug")


@click.command("server", short_help="findings in the editor: a language server")
@click.option("--stdio", is_flag=True, help="Speak over standard input and output, which is the default.")
@click.option(
    "--log-level", type=click.Choice(LEVELS), default="warning", show_default=True, help="What is logged."
)
def server_command(stdio: bool, log_level: str) -> None:
    """Be a language server over standard input and output, for an editor to start.

    Shows what `check` finds while you type, with quick fixes, the pages of rules, and what the last
    `graphdoctor run` measured beside the lines that it went through. Logs go to standard error.

    Needs `pip install 'graphdoctor[lsp]'`. Set up VS Code, Neovim, Helix and Emacs: docs/guides/editor.md.
    """
    try:
        from graphdoctor.server.protocol import make_server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs", "attrs", "attr"):
            raise
        raise GraphdoctorError(
            f"the language server needs `{error.name}`: pip install 'graphdoctor[lsp]'"
        ) from error
    logging.basicConfig(stream=sys.stderr, level=log_level.upper())
    # What prints by mistake must not reach the editor, which reads messages there.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        make_server().start_io(stdin=sys.stdin.buffer, stdout=output)
