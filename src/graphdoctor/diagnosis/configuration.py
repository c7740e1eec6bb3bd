"""The settings that decide about shapes, held against the batches and traces that were really seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from graphdoctor.diagnosis.lengths import rows_of
from graphdoctor.diagnosis.measurements import Measurements, Phase
from graphdoctor.model.words import count

LENGTHS = ("max_text_length", "max_mel_frames")
SWITCHES = ("enable_graph_mode", "enable_xla_compilation")
KNOWN = ("pad_to_fixed_length", *LENGTHS, "batch_size", *SWITCHES)
NAME = "configuration"


class Check(msgspec.Struct, frozen=True):
    """One line: passed (True), failed (False), or nothing to check (None), and why.

    `missing`: what it asks belongs to a healthy trainer, and could not be seen.
    """

    name: str
    passed: bool | None
    sentence: str
    missing: bool = False


def check_configuration(
    config: dict[str, Any] | None, measured: Measurements, compiled: bool
) -> Iterator[Check]:
    """One line per setting that we know, from --config or else from the trainer's own `config`."""
    given = dict(_settings(config or {}))
    own = dict(_settings(measured.settings or {}))
    settings = {**own, **given}
    if not any(name in settings for name in KNOWN):
        yield Check(NAME, None, _nothing(config))
        return
    train = next((phase for phase in measured.phases if phase.name == "train"), None)
    for name in KNOWN:
        if name in given and name in own and given[name] != own[name]:
            text = f"{name} is {_shown(given[name])} in the file, but {_shown(own[name])} in the trainer"
            yield Check(NAME, False, text)
        elif name in settings:
            yield _setting(name, settings, train, compiled)


def _nothing(config: dict[str, Any] | None) -> str:
    return "no --config was given" if config is None else f"none of {', '.join(KNOWN)} is set"


def _setting(name: str, settings: dict[str, Any], train: Phase | None, compiled: bool) -> Check:
    if name == "batch_size":
        return _batch_size(settings[name], train)
    if name in LENGTHS:
        return _length(name, settings, train)
    if name in SWITCHES:
        return _switch(name, settings[name], train, compiled)
    value = settings[name]
    missing = [other for other in LENGTHS if other not in settings] if value is True else []
    needs = f" and needs {' and '.join(missing)}" if missing else ""
    return Check(NAME, isinstance(value, bool) and not missing, f"{name} is {_shown(value)}{needs}")


def _batch_size(value: Any, train: Phase | None) -> Check:
    text = f"batch_size is {_shown(value)}"
    if not _is_size(value):
        return Check(NAME, False, f"{text}: expected a whole number of at least 1")
    if train is None or rows_of(train) == value:
        return Check(NAME, True, text + (", and so many rows the batches have" if train else ""))
    # Several replicas, or micro-batches: another number is no fault in itself.
    return Check(NAME, None, f"{text}, the batches have {count(rows_of(train), 'row')}")


def _length(name: str, settings: dict[str, Any], train: Phase | None) -> Check:
    value = settings[name]
    text = f"{name} is {_shown(value)}"
    if not _is_size(value):
        return Check(NAME, False, f"{text}: expected a whole number of at least 1")
    if train is None or settings.get("pad_to_fixed_length") is not True:
        return Check(NAME, True, text)
    for path, shape in train.steps[0].shapes:
        for axis in range(1, len(shape)):
            if all(dict(step.shapes).get(path, ())[axis : axis + 1] == (value,) for step in train.steps):
                return Check(NAME, True, f"{text}, and so long `{path}` is along axis {axis}")
    return Check(NAME, False, f"{text}, but no tensor of the batches is so long in every step")


def _switch(name: str, value: Any, train: Phase | None, compiled: bool) -> Check:
    text = f"{name} is {_shown(value)}"
    if not isinstance(value, bool):
        return Check(NAME, False, f"{text}: expected true or false")
    if train is None:
        return Check(NAME, True, text)
    if name == "enable_graph_mode":
        real, seen, unseen = train.in_graph, "steps are traced", "no step was traced"
    else:
        real, seen, unseen = compiled, "XLA compiles the steps", "no step uses jit_compile"
    if real == value:
        return Check(NAME, True, f"{text}, and {seen if real else unseen}")
    # Something may be traced or compiled beside the step; what was switched on must be seen.
    return Check(NAME, False if value else None, f"{text}, but {seen if real else unseen}")


def _settings(config: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in config.items():
        if isinstance(value, dict):
            yield from _settings(value)
        else:
            yield name, value


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _shown(value: Any) -> str:
    if value is None:
        return "not set"
    return str(value).lower() if isinstance(value, bool) else repr(value)
