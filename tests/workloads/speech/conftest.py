"""A configuration small enough to train in seconds, with tones for a voice."""

import msgspec
import pytest

from workloads.settings import convert
from workloads.speech.config import Config

TINY = {
    "data": {
        "voice": "tones",
        "sentences": 16,
        "words_per_minute": 220,
        "pad_to_fixed_length": True,
        "max_text_length": 40,
        "max_mel_frames": 80,
        "batch_size": 4,
    },
    "audio": {"hop": 512, "mel_bins": 16, "griffin_lim_iterations": 8},
    "model": {"channels": 16, "text_layers": 1, "mel_layers": 1, "kernel": 3},
    "training": {"steps": 6, "validate_every": 3, "checkpoint_every": 2, "log_every": 1},
}


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """A function that gives the tiny configuration with some settings changed."""
    cache = tmp_path_factory.getbasetemp() / "speech-cache"

    def make(output="run", **changes) -> Config:
        values = {section: dict(settings) for section, settings in TINY.items()}
        values["data"]["cache"] = str(cache)
        values["training"]["output"] = str(output)
        for name, value in changes.items():
            section = next(part for part in ("data", "audio", "model", "training") if _has(part, name))
            values[section][name] = value
        return convert(Config, values)

    return make


def _has(section: str, name: str) -> bool:
    kind = next(field.type for field in msgspec.structs.fields(Config) if field.name == section)
    return any(field.name == name for field in msgspec.structs.fields(kind))
