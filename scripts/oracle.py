"""Ask TensorFlow again what it does with the programs of the tests, and keep its answers in tests/oracle.

`python scripts/oracle.py` runs all of them; with `--missing` those of which no answer is kept.
"""

import os
import pathlib
import subprocess
import sys

from tests.oracle_files import folder_of_versions, observer_digest


def main() -> int:
    """Run the tests that ask; after all of them, forget the answers that none asked for."""
    everything = "--missing" not in sys.argv[1:]
    folder = folder_of_versions()
    folder.mkdir(parents=True, exist_ok=True)
    used = folder / "used.txt"
    used.unlink(missing_ok=True)
    workers = os.environ.get("WORKERS", "2")
    command = [sys.executable, "-m", "pytest", "-q", "-n", workers, "--dist", "worksteal"]
    environment = {**os.environ, "GRAPHDOCTOR_ORACLE": "all" if everything else "missing"}
    status = subprocess.run(command, env=environment, check=False).returncode
    if everything and status == 0:
        forget(folder, set(used.read_text(encoding="utf-8").split()))
        (folder / "observer.txt").write_text(f"{observer_digest()}\n", encoding="utf-8")
    used.unlink(missing_ok=True)
    return status


def forget(folder: pathlib.Path, used: set[str]) -> None:
    """Remove the answers that are no longer asked for."""
    for path in folder.glob("*.json"):
        if path.stem not in used:
            path.unlink()


if __name__ == "__main__":
    sys.exit(main())
