"""Whether a compiled graphdoctor says what this one says, word for word.

    make compiled && python scripts/compiled.py build/compiled/bin/python [FOLDER…]

Both look at the field cases, the programs of the tests and every rule's examples, and what each has seen
(`check --recording`) and found is compared; of folders what is found. Exit 1 where something differs.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from graphdoctor.rules import all_rules

TESTS = pathlib.Path(__file__).parents[1] / "tests"
PROGRAMS = ("cases", "programs", "listings")
CHECK = ("-m", "graphdoctor", "check", "--no-cache", "--exit-zero", "--output-format", "json", "--jobs", "1")
IS_COMPILED = "import graphdoctor.dryrun.core.machine as m; print(m.__file__.endswith(('.so', '.pyd')))"


def main() -> int:
    """Let both look, and compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("python")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    other = os.path.abspath(options.python)
    if said(other, ["-c", IS_COMPILED], os.curdir).strip() != "True":
        sys.exit(f"{options.python}: its graphdoctor is not compiled")
    with tempfile.TemporaryDirectory() as temporary:
        here = pathlib.Path(temporary)
        for folder in options.folders or [TESTS / name for name in PROGRAMS]:
            shutil.copytree(folder, here / folder.resolve().name)
        if not options.folders:
            write_examples(here / "examples")
        folders, seen = sorted(here.iterdir()), not options.folders
        (here / "pyproject.toml").write_text("[tool.graphdoctor]\nkeras = 3\n")  # whichever is installed
        differing = [folder.name for folder in folders if not is_same(folder, other, seen)]
    print("\n".join(f"{name}: differs" for name in differing) or "the same")
    return 1 if differing else 0


def write_examples(folder: pathlib.Path) -> None:
    """Each rule's examples, the bad and the good, as a file each."""
    folder.mkdir()
    for rule in all_rules():
        for number, example in enumerate(rule.examples):
            for kind, text in (("bad", example.bad), ("good", example.good)):
                (folder / f"{rule.id}_{number}_{kind}.py").write_text(text or "", encoding="utf-8")


def is_same(folder: pathlib.Path, other: str, seen: bool) -> bool:
    """Whether both say the same of a folder; each program in it is one of its own."""
    ours, theirs = (looked(python, folder, seen) for python in (sys.executable, other))
    print(f"{folder.name}: {len(ours):,} characters")
    return ours == theirs


def looked(python: str, folder: pathlib.Path, seen: bool) -> str:
    """What a graphdoctor finds in a folder, and what it has seen there."""
    found = said(python, [*CHECK, "."], str(folder))
    if not seen:
        return found
    with tempfile.TemporaryDirectory() as temporary:
        recording = pathlib.Path(temporary) / "seen.jsonl"
        said(python, [*CHECK, "--recording", str(recording), "."], str(folder))
        return found + recording.read_text(encoding="utf-8")


def said(python: str, arguments: list[str], folder: str) -> str:
    """What a Python prints."""
    return subprocess.run([python, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
