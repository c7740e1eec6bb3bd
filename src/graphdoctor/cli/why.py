"""`check --why FILE:LINE`: what is known of the values on a line."""

import os

import click

from graphdoctor.config import Config
from graphdoctor.errors import GraphdoctorError


def say_why(place: str, paths: tuple[str, ...], config: Config) -> None:
    """Print what the dry runs of the project say of each expression on a line."""
    from graphdoctor.judging.line_values import values_on_line
    from graphdoctor.model.words import printable

    path, _, number = place.rpartition(":")
    if not path or not number.isdigit():
        raise GraphdoctorError(f"--why takes FILE:LINE, as in train.py:14, not {place!r}")
    if not os.path.isfile(path):
        raise GraphdoctorError(f"{path}: no such file")
    found = values_on_line(path, int(number), paths or (path,), config)
    if not found:
        click.echo(f"{printable(place)}: nothing on this line was evaluated")
    shown = ""
    for known in found:
        if known.expression != shown:
            click.echo(f"{printable(place)}:{known.column + 1}  {printable(known.expression)}")
            shown = known.expression
        click.echo(f"    {printable(known.value)}  ({printable(known.context)})")
