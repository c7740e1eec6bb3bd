"""The commands of docs/debugging.md do what the page shows."""

import fnmatch
import pathlib
import re
import shlex
import subprocess
import sys

import pytest
from tests.cli.commands import clean_environment

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]

PAGE = (pathlib.Path(__file__).parents[2] / "docs" / "debugging.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"```python\n# (\w+\.py)\n(.*?)```", PAGE, re.DOTALL))
SESSIONS = re.findall(r"```console\n\$ (.*?)\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the page's programs; the comment that names a file is its first line, as on the page."""
    folder = tmp_path_factory.mktemp("debugging")
    for name, text in FILES.items():
        (folder / name).write_text(f"# {name}\n{text}", encoding="utf-8")
    return folder


def test_page_has_programs_and_commands() -> None:
    assert sorted(FILES) == ["as_written.py", "eagerly.py", "running.py", "step.py", "tracing.py"]
    assert len(SESSIONS) == 6


@pytest.mark.parametrize(("command", "expected"), SESSIONS)
def test_command_prints_what_the_page_shows(folder: pathlib.Path, command: str, expected: str) -> None:
    python = shlex.quote(sys.executable)
    command = re.sub(r"(^|\| )python ", rf"\1{python} ", command)
    command = re.sub(r"^graphdoctor ", f"{python} -m graphdoctor ", command)
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        capture_output=True,
        text=True,
        env={**clean_environment(), "PYTHONWARNINGS": "ignore"},
        timeout=600,
        check=False,
    )
    pattern = "".join(
        "*" if part in ("…", "…\n") else re.sub(r"([*?[])", r"[\1]", part)
        for part in re.split(r"(^…\n|…)", expected, flags=re.MULTILINE)
    )
    assert fnmatch.fnmatchcase(done.stdout, pattern + "*"), f"{done.stdout}\n{done.stderr[-800:]}"
