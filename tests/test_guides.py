"""The commands of docs/guides do what the pages show, one after the other in one folder."""

import importlib.metadata
import pathlib
import re
import shlex
import subprocess
import sys

import pytest
from commands import clean_environment

pytestmark = pytest.mark.tensorflow

FOLDER = pathlib.Path(__file__).parents[1] / "docs" / "guides"
PAGES = [FOLDER / name for name in ("ci.md", "slow-training.md")]  # other guides have tests of their own
PROGRAM = re.compile(r"```python\n# (\w+\.py)\n(.*?)```", re.DOTALL)
SESSION = re.compile(r"```console\n\$ (.*?)\n(.*?)```", re.DOTALL)


def as_here(command: str) -> str:
    """The command with the programs of this environment."""
    python = shlex.quote(sys.executable)
    installed = importlib.metadata.entry_points(group="pytest11", name="graphdoctor")
    load = "" if installed else " -p graphdoctor.integrations.pytest_plugin"
    command = re.sub(r"^python ", f"{python} ", command)
    command = re.sub(r"^pytest ", f"{python} -m pytest{load} -p no:cacheprovider ", command)
    return re.sub(r"^graphdoctor ", f"{python} -m graphdoctor ", command)


def pattern(expected: str) -> str:
    """A line that is `…` stands for any lines, a `…` inside a line for anything on it."""
    lines = [
        r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n"
        for line in expected.splitlines()
    ]
    return "".join(lines)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_print_what_the_page_shows(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name, program in PROGRAM.findall(text):
        (tmp_path / name).write_text(f"# {name}\n{program}", encoding="utf-8")
    sessions = SESSION.findall(text)
    assert len(sessions) >= 4
    for command, expected in sessions:
        done = subprocess.run(
            as_here(command),
            shell=True,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**clean_environment(), "PYTHONWARNINGS": "ignore"},
            timeout=240,
            check=False,
        )
        assert re.fullmatch(pattern(expected), done.stdout), f"$ {command}\n{done.stdout}"


def test_pages_link_to_what_is_there() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+\.md)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
