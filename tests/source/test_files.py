"""Which files a folder has that are looked at."""

import os
import pathlib

from graphdoctor.source.files import find_files


def test_what_packaging_made_is_skipped_and_packages_are_not(tmp_path: pathlib.Path) -> None:
    looked_at = (
        "train.py",
        "dist/__init__.py",
        "dist/worker.py",
        "src/build/__init__.py",
        "src/build/step.py",
    )
    left_out = ("build/lib/train.py", "src/dist/train.py", "venv/a.py", "dist/__pycache__/a.py", ".tox/a.py")
    for name in (*looked_at, *left_out):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    found = {os.path.relpath(path, tmp_path) for path, _ in find_files([str(tmp_path)])}
    assert found == set(looked_at)
