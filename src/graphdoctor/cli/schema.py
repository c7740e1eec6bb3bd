"""`graphdoctor schema`: the JSON schema of reports."""

import json

import click
import msgspec

from graphdoctor.model import Report


@click.command("schema", short_help="the JSON schema of reports")
def schema_command() -> None:
    """Print the JSON schema that every JSON report of graphdoctor keeps to."""
    click.echo(json.dumps(msgspec.json.schema(Report), indent=2))
