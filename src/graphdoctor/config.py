"""`[tool.graphdoctor]` in pyproject.toml → a frozen Config; unknown keys are errors."""

import os
import sys
from typing import Any, Literal

import msgspec

from graphdoctor.errors import ConfigError
from graphdoctor.model.reading import read_regular


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What a project asks of graphdoctor.

    `select`, `extend-select` and `ignore` hold rule ids, prefixes of ids, or rule names; `exclude` holds
    glob patterns of files; `per-file-ignores` maps such patterns to the rules that are quiet
    there; `keras` is the generation the project uses, 2 or 3. `leave-out` names the parts of a project of
    which nothing is reported: tests, examples, vendored. `min-confidence` is the least that is shown, and
    `fail-severity` the least that makes `check` fail.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: dict[str, tuple[str, ...]] = {}
    keras: int | None = None
    leave_out: tuple[Literal["tests", "examples", "vendored"], ...] = ("vendored",)
    min_confidence: Literal["HIGH", "MEDIUM", "LOW"] = "MEDIUM"
    fail_severity: Literal["ERROR", "WRONG", "SLOW", "NOTE"] = "SLOW"


def load_config(directory: str | os.PathLike[str]) -> Config:
    """The configuration of the nearest pyproject.toml at or above a directory; defaults without one."""
    folder, below = os.fspath(directory), ""
    while folder != below:
        file = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(file):
            return _read(file)
        folder, below = os.path.dirname(folder), folder
    return Config()


def _read(file: str) -> Config:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        data = tomllib.loads(read_regular(file).decode("utf-8").replace("\r\n", "\n"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read as TOML: {error}") from error
    table = data.get("tool", {}).get("graphdoctor", {})
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: [tool.graphdoctor] must be a table, not {table!r}")
    _refuse_unknown_keys(file, table)
    try:
        config = msgspec.convert(table, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{file}: [tool.graphdoctor] {error}") from error
    if config.keras not in (None, 2, 3):
        raise ConfigError(f"{file}: [tool.graphdoctor] keras must be 2 or 3, not {config.keras}")
    return config


def _refuse_unknown_keys(file: str, table: dict[str, Any]) -> None:
    known = [field.encode_name for field in msgspec.structs.fields(Config)]
    for key in table:
        if key not in known:
            import difflib

            close = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean `{close[0]}`?" if close else f"known are {', '.join(known)}"
            raise ConfigError(f"{file}: [tool.graphdoctor] has no key `{key}`; {hint}")
