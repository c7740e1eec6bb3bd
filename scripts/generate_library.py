"""Writes src/graphdoctor/dryrun/libraries/tables/*.json by running the installed TensorFlow, Keras and NumPy.

    python scripts/generate_library.py [LIBRARY…]

Every public function is called with small inputs, in a process of its own kind: where a call hangs or
crashes, that process is ended, the function is noted as unknown, and another goes on with the next one.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from library_probe.writing import text_of

SCRIPTS = pathlib.Path(__file__).parent
TARGET = SCRIPTS.parent / "src/graphdoctor/dryrun/libraries/tables"
LIBRARIES = ("tensorflow", "keras", "numpy", "scipy")
LONGEST_SILENCE = 90.0  # seconds without a new entry, the import of TensorFlow included


def main(libraries: list[str]) -> None:
    """Write the tables of these libraries."""
    for library in libraries or LIBRARIES:
        started = time.monotonic()
        lines = probe_in_processes(library)
        head, entries = lines[0], {line["name"]: line for line in lines[1:]}
        TARGET.joinpath(f"{library}.json").write_text(text_of(head, entries), encoding="utf-8")
        print(library, len(entries), "entries,", f"{time.monotonic() - started:.0f} s")


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
        "PYTHONPATH": os.pathsep.join(
            [str(SCRIPTS), str(SCRIPTS.parent / "src"), os.environ.get("PYTHONPATH", "")]
        ),
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
