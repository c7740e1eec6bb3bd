"""The settings file that lies beside a model's weights."""

import dataclasses
import json
from pathlib import Path
from typing import Any, TypeVar

from workloads.handwriting.config import ConfigError, DataConfig, ModelConfig, TrainConfig

FILE = "settings.json"
Settings = TypeVar("Settings")


def keep_settings(folder: Path, config: ModelConfig, settings: TrainConfig, measured: DataConfig) -> None:
    """Write the settings, or make sure that a training in this folder had the same."""
    path = folder / FILE
    parts = {"model": config, "training": settings, "data": measured}
    plain = {name: dataclasses.asdict(part) for name, part in parts.items()}
    text = json.dumps(plain, indent=2) + "\n"
    if path.exists() and _load(path) != json.loads(text):
        raise ConfigError(f"{path} was written with other settings: use them, or another folder")
    path.write_text(text, encoding="utf-8")


def read_settings(folder: Path) -> tuple[ModelConfig, DataConfig]:
    """The shape of a trained model, and what was measured on its data."""
    path = folder / FILE
    values = _load(path)
    return _part(ModelConfig, values, "model", path), _part(DataConfig, values, "data", path)


def _load(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: expected a settings file, {error}") from error
    return values if isinstance(values, dict) else {}


def _part(kind: type[Settings], values: dict[str, Any], part: str, path: Path) -> Settings:
    try:
        return kind(**values[part])
    except (KeyError, TypeError) as error:
        raise ConfigError(f"{path}: the part {part!r} does not fit, {error}") from error
