"""`graphdoctor --version`: ours, and TensorFlow's without importing it."""

import importlib.metadata
import platform

import click

from graphdoctor.version import __version__

TENSORFLOWS = ("tensorflow", "tensorflow-cpu", "tensorflow-macos", "tf-nightly", "tf-nightly-cpu")


def show_versions(context: click.Context, _: click.Parameter, asked_for: bool) -> None:
    """Print them and end, when asked for."""
    if asked_for and not context.resilient_parsing:
        click.echo(f"graphdoctor {__version__}, {_tensorflow()}, Python {platform.python_version()}")
        context.exit()


def _tensorflow() -> str:
    for name in TENSORFLOWS:
        try:
            return f"TensorFlow {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            continue
    return "no TensorFlow in this environment"
