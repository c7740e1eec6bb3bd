"""`graphdoctor --version`: ours, and TensorFlow's without importing it."""

import click

from graphdoctor.version import __version__

TENSORFLOWS = ("tensorflow", "tensorflow-cpu", "tensorflow-macos", "tf-nightly", "tf-nightly-cpu")


def show_versions(context: click.Context, _: click.Parameter, asked_for: bool) -> None:
    """Print them and end, when asked for."""
    if asked_for and not context.resilient_parsing:
        import platform

        click.echo(f"graphdoctor {__version__}, {_tensorflow()}, Python {platform.python_version()}")
        context.exit()


def _tensorflow() -> str:
    found = tensorflow_version()
    return f"TensorFlow {found}" if found else "no TensorFlow in this environment"


def tensorflow_version() -> str | None:
    """The version of the TensorFlow that is installed here."""
    import importlib.metadata  # it is slow to load, and few commands ask

    for name in TENSORFLOWS:
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return None
