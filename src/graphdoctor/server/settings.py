"""What the editor may ask for, beside `[tool.graphdoctor]`: the initialization options."""

import os
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.errors import ConfigError
from graphdoctor.model import Level, Severity, Threshold


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """`all`: also notes and low confidence. `delay`: the pause in typing after which a text is checked.

    `select`, `extendSelect`, `ignore` and `minConfidence` are as on the command line; `lenses` shows what the
    last run measured.
    """

    all: bool = False
    min_confidence: Literal["HIGH", "MEDIUM", "LOW"] | None = None
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    lenses: bool = True
    delay: float = 0.1

    def on_top_of(self, config: Config) -> Config:
        """A project's configuration with the editor's choices."""
        return replace(
            config,
            select=self.select or config.select,
            extend_select=(*config.extend_select, *self.extend_select),
            ignore=(*config.ignore, *self.ignore),
        )

    def threshold(self, config: Config) -> Threshold:
        """Which findings are shown."""
        return Threshold(
            min_confidence=Level(self.min_confidence or config.min_confidence),
            fail_severity=Severity(config.fail_severity),
            everything=self.all,
        )


def read_settings(options: Any) -> Settings:
    """The settings in the initialization options; ConfigError names what is wrong."""
    try:
        return msgspec.convert({} if options is None else options, Settings)
    except msgspec.ValidationError as error:
        raise ConfigError(f"initialization options of graphdoctor: {error}") from error


def configuration_file(folder: str) -> str:
    """The pyproject.toml that holds for a folder, or where one would be."""
    folder, below = os.path.abspath(folder), ""
    first = os.path.join(folder, "pyproject.toml")
    while folder != below:
        file = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(file):
            return file
        folder, below = os.path.dirname(folder), folder
    return first
