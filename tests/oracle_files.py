"""TensorFlow's answers as files: tests/oracle/<versions>/<key>.json holds what it did with one program."""

import dataclasses
import functools
import hashlib
import importlib.metadata
import json
import os
import pathlib
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

import graphdoctor
from graphdoctor.fixing.printed import lines_of
from graphdoctor.log_filter import without_log

FOLDER = pathlib.Path(__file__).with_name("oracle")
# What differs between two runs of one program: clocks, processes, memory; and our own version.
VOLATILE = {
    "process", "parent", "time", "thread", "start", "seconds", "own_seconds", "resident_bytes", "graphdoctor",
}  # fmt: skip
FRACTION = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")
# Where an object is in memory, as its text or its `id` says.
ADDRESS = re.compile(r"0x[0-9a-f]{6,}|\bid=\d{6,}")


class Answer(msgspec.Struct):
    """How a program ended, what it printed, and what the observer wrote; paths are replaced by names.

    `repeats` says that a second run gave the same facts: only then a later run is held against them.
    """

    status: int | None
    output: str
    errors: str | None = None
    error: str | None = None
    files: dict[str, list[str]] = {}
    repeats: bool = True

    def facts(self) -> list[str]:
        """What a run on another day or machine has to give again."""
        ended = [f"status {self.status}", f"error {self.error}"]
        if not self.repeats:
            return ended
        # Of what was written over, such as a bar with its seconds, only the words.
        lines = lines_of(_rounded(without_log(self.output)))
        printed = [line.words if line.progress else line.text for line in lines]
        events = [_event(line) for _, lines in sorted(self.files.items()) for line in lines]
        return [
            ADDRESS.sub("«address»", fact) for fact in (*ended, *(f"printed {p}" for p in printed), *events)
        ]


def _rounded(text: str) -> str:
    """With three digits of each fraction: the last ones depend on the processor."""
    return FRACTION.sub(lambda found: f"{float(found[0]):.3g}", text)


def _event(line: str) -> str:
    return json.dumps(_lasting(json.loads(line)), sort_keys=True, ensure_ascii=False)


def _lasting(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _lasting(each) for key, each in value.items() if key not in VOLATILE}
    if isinstance(value, list):
        return [_lasting(each) for each in value]
    if isinstance(value, float):
        return f"{value:.3g}"
    return _rounded(value) if isinstance(value, str) else value


@dataclasses.dataclass(frozen=True)
class Asked:
    """A request as tests/tensorflow_server.py reads it, and what stands for the paths in it."""

    request: Mapping[str, Any]

    @functools.cached_property
    def root(self) -> pathlib.Path:
        """The folder that holds all files of the program."""
        witness = (self.request["settings"] or {}).get("witness")
        return pathlib.Path(witness["moved"][1] if witness else os.path.dirname(self.request["program"]))

    @functools.cached_property
    def places(self) -> list[tuple[str, str]]:
        """Paths with the names that stand for them, the longest first."""
        settings = self.request["settings"] or {}
        found = {
            str(self.root): "program",
            str(pathlib.Path(self.request["output"]).parent): "output",
            os.getcwd(): "here",
            os.path.expanduser("~"): "home",
            sys.base_prefix: "python",
            sys.prefix: "environment",
        }
        if witness := settings.get("witness"):
            found |= {
                str(pathlib.Path(witness["file"]).parent): "laboratory",
                witness["moved"][0]: "original",
            }
        longest = sorted(found.items(), key=lambda pair: -len(pair[0]))
        return [(path, f"«{name}»") for path, name in longest if len(path) > 1]

    def hide(self, text: str) -> str:
        """A text with names instead of paths."""
        for path, name in self.places:
            text = text.replace(path, name)
        return text

    def show(self, text: str) -> str:
        """A text with the paths of now."""
        for path, name in self.places:
            text = text.replace(name, path)
        return text

    @functools.cached_property
    def files(self) -> dict[pathlib.Path, str]:
        """The program's files, as they are before it runs."""
        return {path: _digest(path) for path in sorted(self.root.rglob("*")) if path.is_file()}

    @property
    def key(self) -> str:
        """What the answer depends on: the program's files, how it is started, the observer's settings."""
        texts = {str(path.relative_to(self.root)): digest for path, digest in self.files.items()}
        started = [self.request.get(name) for name in ("program", "arguments", "directory", "settings")]
        known = json.dumps([texts, started], sort_keys=True)
        return hashlib.sha256(self.hide(known).encode()).hexdigest()[:24]

    @property
    def written(self) -> Iterator[tuple[str, pathlib.Path]]:
        """The files that the observer writes, by name."""
        settings = self.request["settings"] or {}
        if settings.get("recording"):
            yield "recording", pathlib.Path(settings["recording"])
        if settings.get("witness"):
            yield "witness", pathlib.Path(settings["witness"]["file"])

    def collect(self, answer: Mapping[str, Any]) -> Answer:
        """What a run left in files."""
        return Answer(
            status=answer["status"],
            output=self.hide(_text(self.request["output"]) or ""),
            errors=self.hide(_text(self.request["errors"]) or "") if self.request.get("errors") else None,
            error=_text(self.request["error"]),
            files={
                name: self.hide(text).splitlines()
                for name, path in self.written
                if (text := _text(path)) is not None
            },
        )

    def forget(self) -> None:
        """Remove what a run left, before another one; what the program wrote itself, too."""
        left = [self.request["output"], self.request["error"], self.request.get("errors")]
        own = [path for path in self.root.rglob("*") if path.is_file() and path not in self.files]
        for path in [*filter(None, left), *(path for _, path in self.written), *own]:
            pathlib.Path(path).unlink(missing_ok=True)

    def replay(self, answer: Answer) -> dict[str, Any]:
        """Leave the files that the run left."""
        _write(self.request["output"], self.show(answer.output))
        if answer.errors is not None:
            _write(self.request["errors"], self.show(answer.errors))
        if answer.error is not None:
            _write(self.request["error"], answer.error)
        for name, path in self.written:
            if name in answer.files:
                _write(path, self.show("".join(f"{line}\n" for line in answer.files[name])))
        return {"status": answer.status, "timed_out": False}


def _digest(path: pathlib.Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _text(path: str | pathlib.Path) -> str | None:
    file = pathlib.Path(path)
    return file.read_text(encoding="utf-8", errors="replace") if file.exists() else None


def _write(path: str | pathlib.Path, text: str) -> None:
    pathlib.Path(path).write_text(text, encoding="utf-8")


@functools.cache
def folder_of_versions() -> pathlib.Path:
    """Where the answers of the installed TensorFlow are."""
    installed = {
        each.metadata["Name"].lower().replace("_", "-"): each.version
        for each in importlib.metadata.distributions()
    }
    names = ("tensorflow", "tensorflow-cpu", "tensorflow-intel", "tensorflow-macos")
    tensorflow = next((installed[name] for name in names if name in installed), "none")
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return FOLDER / f"tensorflow-{tensorflow}-keras-{installed.get('keras', 'none')}-python-{python}"


def read_answer(key: str) -> Answer | None:
    """What is kept of a program."""
    path = folder_of_versions() / f"{key}.json"
    return msgspec.json.decode(path.read_bytes(), type=Answer) if path.exists() else None


def write_answer(key: str, answer: Answer) -> None:
    """Keep it; whole, also for another process that looks for it now."""
    path = folder_of_versions() / f"{key}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_suffix(f".{os.getpid()}")
    made.write_bytes(msgspec.json.format(msgspec.json.encode(answer), indent=1) + b"\n")
    made.replace(path)


def observer_digest() -> str:
    """What stands for the source of the observer, which writes a part of each answer."""
    package = pathlib.Path(graphdoctor.__file__).parent
    files = [*(package / "observer").rglob("*.py"), *(package / "recording").glob("format.py")]
    return hashlib.sha256("".join(map(_digest, sorted(files))).encode()).hexdigest()[:24]
