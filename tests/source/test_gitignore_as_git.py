"""What `check` leaves out is what git leaves out."""

import os
import pathlib
import random
import subprocess

import pytest

from graphdoctor.source.files import find_files

NAMES = ("a", "b", "keep", "lib", "out")
PATTERNS = (
    "*.py", "!keep.py", "keep.py", "a", "a/", "/a", "a/b", "lib/", "!lib/", "!lib/keep.py", "**/out",
    "out/**", "b*.py", "[ab].py", "?.py", "# comment", r"\#x", "lib/*", "!lib/b.py", "/lib/**/keep.py", "!*/",
    "out/*.py", "*", "!/a.py", "!a/**", "keep", "b.py ", "",
)  # fmt: skip


def git(folder: pathlib.Path, *arguments: str) -> str:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, text=True, check=True, env=environment
    ).stdout


def plant(folder: pathlib.Path, chance: random.Random, depth: int = 0) -> None:
    """Files, folders and `.gitignore` files, as chance has it."""
    folder.mkdir(exist_ok=True)
    for name in NAMES:
        (folder / f"{name}.py").touch()
        if depth < 2 and chance.random() < 0.5:
            plant(folder / name, chance, depth + 1)
    if chance.random() < 0.6:
        lines = [chance.choice(PATTERNS) for _ in range(chance.randint(1, 4))]
        (folder / ".gitignore").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("seed", range(200))
def test_the_same_files_as_git(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    chance = random.Random(seed)
    plant(tmp_path, chance)
    git(tmp_path, "init", "-q")
    if chance.random() < 0.3:
        (tmp_path / ".git/info/exclude").write_text(chance.choice(PATTERNS) + "\n")
    monkeypatch.chdir(tmp_path)
    listed = git(tmp_path, "ls-files", "-co", "--exclude-standard").splitlines()
    assert sorted(path for path, _ in find_files(["."])) == sorted(n for n in listed if n.endswith(".py"))
