"""The VS Code extension: its client code in Node, against the server of this environment."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

EXTENSION = pathlib.Path(__file__).parents[2] / "editors/vscode"


def find_npm() -> str:
    """The path of npm; a machine without it skips the test, unless it is the one that must not."""
    found = shutil.which("npm") if shutil.which("node") else None
    if found is None:
        reason = "no Node on this machine: `apt-get install npm`"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def test_the_lock_file_names_no_other_registry() -> None:
    lines = (EXTENSION / "package-lock.json").read_text(encoding="utf-8").splitlines()
    resolved = [line.strip() for line in lines if '"resolved":' in line]
    assert [line for line in resolved if '"https://registry.npmjs.org/' not in line] == []


@pytest.mark.long
def test_the_extension_works_with_the_server_and_is_packaged(tmp_path: pathlib.Path) -> None:
    npm = find_npm()
    copy = tmp_path / "vscode"
    shutil.copytree(EXTENSION, copy, ignore=shutil.ignore_patterns("node_modules", "out", "*.vsix"))
    server = pathlib.Path(sys.executable).with_name("graphdoctor")
    for command in (["ci", "--no-audit", "--no-fund"], ["test"], ["run", "package"]):
        done = subprocess.run(
            [npm, *command],
            cwd=copy,
            env={**os.environ, "GRAPHDOCTOR": str(server)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert (copy / "graphdoctor.vsix").stat().st_size > 100_000
