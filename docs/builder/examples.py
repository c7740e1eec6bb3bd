"""The examples of a page: its programs are written to a folder, its commands run there, in the page's order.

A page in Markdown holds programs (a fence `python` whose first line is a comment with the name of a file,
also `toml` and `yaml`), sessions (a fence `console` with one command after `$`) and cells of a notebook (a
fence `ipython`, and one `text` with what it shows). What stands below a command is what it printed:
`make docs` writes it, and a test holds it. Figures that differ from run to run are no difference.
"""

import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from docs.builder.cells import run_cells

from graphdoctor.log_filter import without_log_noise

ROOT = pathlib.Path(__file__).parents[2]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CELL = re.compile(r"^```ipython\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"# ([\w.-]+\.(?:py|toml|yaml|ini))\n")
TIME_LIMIT = 600
TRACEBACK = "Traceback (most recent call last)"
# What may differ from run to run: seconds and shares, addresses, processes, versions, the folder.
FIGURES = re.compile(
    r"0x[0-9a-f]+|(?<=TensorFlow )[\d.]+|\d+(?:[.,]\d+)* ?(?:s|ms|min|MB|kB)\b|\d+ %|\d+\.\d+"
    r"|(?<=-)\d+(?=\.jsonl)"
)
# The account of time: which phases and lines are worth a line of it depends on the machine.
ACCOUNT = re.compile(r"^Where [\d.]+ .*?(?=^TensorFlow |^\S+:\d+:\d+ |\Z)", re.MULTILINE | re.DOTALL)
# A warning of TensorFlow of several hundred characters, in one line.
LONG_WARNING = re.compile(r"^(WARNING:tensorflow:.{120}\S*) .+$", re.MULTILINE)
# pytest's heading over what a failed test wrote to standard error, where that was log noise only.
NOTHING_CAPTURED = re.compile(r"^-+ Captured stderr \w+ -+\n(?=-{9}|={9})", re.MULTILINE)


class ExampleError(Exception):
    """A command ended with a traceback, which no page shows unless it did before."""


def run_page(text: str, folder: pathlib.Path) -> str:
    """The page with what its commands print today, run one after the other in a folder."""
    environment = _environment(folder)
    work = folder / "work"
    work.mkdir()

    def done(fence: re.Match[str]) -> str:
        language, body = fence[1], fence[2]
        named = FILE_NAME.match(body)
        if language != "console" and named:
            (work / named[1]).write_text(body, encoding="utf-8")
        if language != "console":
            return fence[0]
        command, _, shown = body.partition("\n")
        printed = _run(command.removeprefix("$ "), work, environment)
        if TRACEBACK in printed and TRACEBACK not in shown:
            raise ExampleError(f"{command}\n{printed}")
        kept = shown if same(shown, printed) else printed
        return f"```console\n{command}\n{kept}```"

    return _with_cells(FENCE.sub(done, text), work, environment)


def _with_cells(text: str, folder: pathlib.Path, environment: dict[str, str]) -> str:
    cells = [found[1] for found in CELL.finditer(text)]
    shown = iter(run_cells(cells, folder, environment) if cells else [])

    def done(cell: re.Match[str]) -> str:
        printed = _tidy(next(shown), folder)
        if same(cell[2] or "", printed):
            return cell[0]
        return f"```ipython\n{cell[1]}```\n\n```text\n{printed}```"

    return CELL.sub(done, text)


def same(one: str, other: str) -> bool:
    """Whether two outputs differ in figures, breaks of lines and the account of time at most."""
    return _without_figures(one) == _without_figures(other)


def _without_figures(text: str) -> str:
    return " ".join(FIGURES.sub("#", ACCOUNT.sub("", text)).replace("─", "").replace("=", "").split())


def _run(command: str, folder: pathlib.Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    return _tidy(done.stdout, folder)


def _tidy(output: str, folder: pathlib.Path) -> str:
    shown = NOTHING_CAPTURED.sub("", without_log_noise(output)).replace(str(folder), ".")
    shown = LONG_WARNING.sub(r"\1 …", shown)
    lines = [line.rstrip() for line in shown.strip("\n").split("\n")]
    return "\n".join(lines) + "\n" if any(lines) else ""


def _environment(folder: pathlib.Path) -> dict[str, str]:
    """A user's environment, in which `python`, `graphdoctor` and the others are those of this one."""
    programs = folder / "bin"
    programs.mkdir()
    installed = importlib.metadata.entry_points(group="pytest11", name="graphdoctor")
    plugin = "" if installed else "-p graphdoctor.integrations.pytest_plugin "
    for name, words in {
        "python": "",
        "graphdoctor": "-m graphdoctor ",
        "pre-commit": "-m pre_commit ",
        "pytest": f"-m pytest -p no:cacheprovider {plugin}",
    }.items():
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n')
        program.chmod(0o755)
    # pytest and others print otherwise where CI is set.
    kept = {
        key: value
        for key, value in os.environ.items()
        if key != "CI" and not key.startswith(("PYTEST", "GRAPHDOCTOR"))
    }
    for unwanted in ("VIRTUAL_ENV", "CONDA_PREFIX", "COV_CORE_SOURCE", "FORCE_COLOR"):
        kept.pop(unwanted, None)
    return {
        **kept,
        "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *filter(None, [kept.get("PYTHONPATH")])]),
        "PYTHONUNBUFFERED": "1",  # what is printed stands among warnings where it stands on a terminal
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "",
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }


def refresh(path: pathlib.Path) -> bool:
    """Run the examples of a page and write what they print; whether anything changed."""
    before = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="graphdoctor-docs-") as folder:
        after = run_page(before, pathlib.Path(folder))
    path.write_text(after, encoding="utf-8")
    return after != before
