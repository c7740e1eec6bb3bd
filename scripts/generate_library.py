"""Writes src/graphdoctor/dryrun/library/*.json by running the installed TensorFlow, Keras and NumPy.

    python scripts/generate_library.py [LIBRARY…]

Every public function is called with small inputs, in a process of its own kind: where a call hangs or
crashes, that process is ended, the function is noted as unknown, and another goes on with the next one.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SCRIPTS = pathlib.Path(__file__).parent
TARGET = SCRIPTS.parent / "src/graphdoctor/dryrun/library"
LIBRARIES = ("tensorflow", "keras", "numpy", "scipy")
LONGEST_SILENCE = 40.0  # seconds without a new entry, the import of TensorFlow included


def main(libraries: list[str]) -> None:
    """Write the tables of these libraries."""
    for library in libraries or LIBRARIES:
        started = time.monotonic()
        lines = probe_in_processes(library)
        head, entries = lines[0], {line["name"]: line for line in lines[1:]}
        write(library, head, entries)
        print(library, len(entries), "entries,", f"{time.monotonic() - started:.0f} s")


def write(library: str, head: dict, entries: dict[str, dict]) -> None:
    """One line for each entry, so that a change of the library shows in a diff."""
    aliases = {alias: name for name, entry in entries.items() for alias in entry.pop("aliases", [])}
    signatures = shared(entry.get("parameters", "") for entry in entries.values())
    for entry in entries.values():
        if entry.get("parameters") in signatures:
            entry["parameters"] = f"@{signatures.index(entry['parameters'])}"
        if entry.get("result") == f"object:{entry.pop('name')}":
            entry["result"] = "object"
    sections = {
        **head,
        "signatures": signatures,
        "aliases": dict(sorted(aliases.items())),
        "operations": dict(sorted(entries.items())),
    }
    text = "{\n" + ",\n".join(section(key, value) for key, value in sections.items()) + "\n}\n"
    TARGET.joinpath(f"{library}.json").write_text(text, encoding="utf-8")


def shared(texts) -> list[str]:
    """Long texts that occur more than once: they are kept apart, and referred to by number."""
    counted = collections.Counter(texts)
    return sorted(text for text, count in counted.items() if count > 1 and len(text) > 20)


def section(key: str, value: object) -> str:
    if isinstance(value, list):
        return f"{json.dumps(key)}:[\n" + ",\n".join(compact(item) for item in value) + "\n]"
    if not isinstance(value, dict):
        return f"{json.dumps(key)}:{compact(value)}"
    lines = ",\n".join(f"{json.dumps(name)}:{compact(item)}" for name, item in value.items())
    return f"{json.dumps(key)}:{{\n{lines}\n}}"


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def probe_in_processes(library: str) -> list[dict]:
    """The head and the entries, however many processes that takes."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder, "entries.jsonl")
        output.touch()
        while True:
            code = watch(library, output)
            lines = [json.loads(line) for line in output.read_text().splitlines()]
            if code == 0:
                return [line for line in lines if "started" not in line]
            stuck = lines[-1]["started"]
            print("  ended at", stuck["name"], file=sys.stderr)
            with output.open("a") as file:
                file.write(json.dumps(stuck) + "\n")


def watch(library: str, output: pathlib.Path) -> int:
    """Run one worker; end it when it says nothing for long."""
    environment = os.environ | {
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "",
        "PYTHONPATH": f"{SCRIPTS}{os.pathsep}{SCRIPTS.parent / 'src'}",
    }
    with tempfile.TemporaryDirectory() as folder:
        worker = subprocess.Popen(
            [sys.executable, "-m", "library_probe.worker", library, str(output)],
            cwd=folder, env=environment, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        last = time.time()
        while worker.poll() is None:
            time.sleep(0.2)
            last = max(last, output.stat().st_mtime)
            if time.time() - last > LONGEST_SILENCE:
                worker.kill()
                worker.wait()
        return worker.returncode


if __name__ == "__main__":
    main(sys.argv[1:])
