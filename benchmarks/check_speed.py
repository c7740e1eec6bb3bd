"""How fast `graphdoctor check` is, beside `ast.parse`, ruff, flake8 and pylint, in one run.

    python benchmarks/check_speed.py [--alone] [--pylint] [--python build/compiled/bin/python] [FOLDER…]

Measured in CPU time (our own and that of child processes), on one processor, over the installed `keras` and
`tensorflow/python` sources unless folders are given: a copy of each by itself, and all together. flake8 and
pylint are slow: they see a sample of the files, spread evenly over all of them, and are compared by lines
per CPU-second. A tool that is not installed is left out and said so. All tools run from compiled bytecode, as
`pip install` leaves them, also where the environment tells Python to write none.

Of a cold check it says which share judging takes: the rules, what the project shows of each finding, and the
second look for another Keras; the rest is reading, parsing and the dry run.

`--python` names another Python, in which another graphdoctor is installed (`make compiled`): both look at
each folder in turns, and have to say the same.
"""

import argparse
import ast
import importlib.util
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

SAMPLE_LINES = 20_000
CACHE = ".graphdoctor_cache"
SMALLEST = "import tensorflow as tf\n\n\n@tf.function\ndef step(x):\n    print(x)\n    return x + 1\n"


JUDGING = """
import sys, time
from graphdoctor.config import Config
from graphdoctor.judging import checks, chunks

spent = 0.0


def timed(module, name):
    inner = getattr(module, name)

    def outer(*given, **named):
        global spent
        begin = time.process_time()
        try:
            return inner(*given, **named)
        finally:
            spent += time.process_time() - begin

    setattr(module, name, outer)


timed(chunks, "examine")  # with a recording: the rules alone
timed(chunks, "with_generation")
timed(checks, "_with_project")
begin = time.process_time()
checks.check_paths(sys.argv[1:], Config())
print(spent / (time.process_time() - begin))
"""


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--pylint", action="store_true", help="measure pylint too, which takes minutes")
    parser.add_argument("--python", help="measure the graphdoctor of this Python too")
    parser.add_argument("--alone", action="store_true", help="measure no other tool but `ast.parse`")
    options = parser.parse_args()
    folders = options.folders or default_folders()
    with tempfile.TemporaryDirectory() as bytecode:
        pythons = [sys.executable] + ([os.path.abspath(options.python)] if options.python else [])
        compile_tools(bytecode, pythons)
        measure_all(folders, options, pythons)


def compile_tools(folder: str, pythons: list[str]) -> None:
    """Let Python keep bytecode, and let us run once, so that no measured run has to compile us."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = folder
    (pathlib.Path(folder) / "smallest.py").write_text(SMALLEST)
    for python in (*pythons, *pythons):  # the second time from its memory
        run([python, "-m", "graphdoctor", "check", "-o", "r.json", "smallest.py"], folder)


def measure_all(folders: list[str], options: argparse.Namespace, pythons: list[str]) -> None:
    """Each folder by itself, and all together."""
    measured = [measure(folder, pythons) for folder in folders]
    together = [
        Measured(*(sum(column) for column in zip(*ones, strict=True))) for ones in zip(*measured, strict=True)
    ]
    for name, several in (*zip(folders, measured, strict=True), ("together", together)):
        if name != "together" or len(folders) > 1:
            show(name, several)
    if not options.alone:
        compare(folders, together[0], options.pylint)


class Measured(NamedTuple):
    """The size of some sources, and the CPU seconds that looking at them takes."""

    files: int
    lines: int
    parse: float
    cold: float
    warm: float
    judging: float  # of the cold seconds


def files_in(folder: str) -> list[str]:
    return [str(path) for path in sorted(pathlib.Path(folder).rglob("*.py"))]


def measure(folder: str, pythons: list[str]) -> list[Measured]:
    """`ast.parse`, then `check` of each Python without and with its memory, on the same files."""
    files = files_in(folder)
    lines, parse = sum(map(count_lines, files)), cpu_seconds(lambda: parse_all(files))
    found, reports = [], set()
    for python in pythons:
        with tempfile.TemporaryDirectory() as temporary:
            copy = pathlib.Path(temporary) / pathlib.Path(folder).resolve().name
            shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git", "__pycache__", CACHE))
            package = (copy / "__init__.py").exists()  # then its folder is where its own imports begin
            here, name = (temporary, copy.name) if package else (str(copy), ".")
            check = [python, "-m", "graphdoctor", "check", "--jobs", "1", "--exit-zero", "-o", "r.json", name]
            cold = cpu_seconds(lambda check=check, here=here: run(check, here))
            warm = cpu_seconds(lambda check=check, here=here: run(check, here))
            reports.add(pathlib.Path(here, "r.json").read_text())
            judging = float(
                subprocess.run(
                    [python, "-c", JUDGING, name], cwd=here, capture_output=True, check=True
                ).stdout
            )
        found.append(Measured(len(files), lines, parse, cold, warm, cold * judging))
    if len(reports) > 1:
        sys.exit(f"{folder}: the reports differ")
    return found


def show(name: str, several: list[Measured]) -> None:
    first = several[0]
    print(f"{name}: {first.files:,} files, {first.lines:,} lines")
    base = first.lines / first.parse
    row("ast.parse", first.lines, first.parse, base)
    for measured, which in zip(several, ("graphdoctor", "the other"), strict=False):
        row(f"{which}, cold", measured.lines, measured.cold, base)
        row(f"{which}, warm", measured.lines, measured.warm, base)
        print(f"  warm is {measured.cold / measured.warm:.0f} x faster than cold")
        print(f"  judging takes {measured.judging / measured.cold:.0%} of a cold check")
    if len(several) > 1:
        print(f"  the other, cold, is {first.cold / several[1].cold:.2f} x as fast, and says the same")


def compare(folders: list[str], measured: Measured, pylint: bool) -> None:
    """Other tools, beside ours."""
    files = [file for folder in folders for file in files_in(folder)]
    lines = {path: count_lines(path) for path in files}
    sample = sample_of(files, lines)
    count = sum(lines[path] for path in sample)
    beside = pathlib.Path(sys.executable).with_name("ruff")
    ruff = str(beside) if beside.exists() else shutil.which("ruff")
    others = [
        ("ruff", [ruff or "ruff", "check", "--no-cache", "--isolated", "--exit-zero"], files, measured.lines)
    ]
    others.append(
        ("flake8", [sys.executable, "-m", "flake8", "-j1", "--isolated", "--exit-zero"], sample, count)
    )
    if pylint:
        others.append(("pylint", [sys.executable, "-m", "pylint", "-j1", "--exit-zero"], sample, count))
    for name, command, paths, size in others:
        if shutil.which(name) is None and importlib.util.find_spec(name) is None:
            print(f"{name:20} not installed")
            continue
        seconds = cpu_seconds(lambda command=command, paths=paths: run_in_parts(command, paths))
        ours = measured.lines / measured.cold
        row(name, size, seconds, measured.lines / measured.parse, (size / seconds) / ours)


def default_folders() -> list[str]:
    found = []
    for package, inner in (("keras", ""), ("tensorflow", "python")):
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            sys.exit(f"{package} is not installed: name the folders to measure on")
        found.append(str(pathlib.Path(spec.submodule_search_locations[0]) / inner))
    return found


def count_lines(path: str) -> int:
    return pathlib.Path(path).read_bytes().count(b"\n")


def parse_all(files: list[str]) -> None:
    for path in files:
        try:
            ast.parse(pathlib.Path(path).read_bytes())
        except (SyntaxError, ValueError):
            continue


def sample_of(files: list[str], lines: dict[str, int]) -> list[str]:
    """Files spread evenly over all of them, with about SAMPLE_LINES lines together."""
    step = max(1, sum(lines.values()) // SAMPLE_LINES)
    return files[step // 2 :: step]


def run_in_parts(command: list[str], files: list[str]) -> None:
    for start in range(0, len(files), 500):
        run([*command, *files[start : start + 500]], None)


def run(command: list[str], folder: str | None) -> None:
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def cpu_seconds(action) -> float:
    before = usage()
    action()
    return max(usage() - before, 1e-6)


def usage() -> float:
    parts = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in parts)


def row(name: str, lines: int, seconds: float, parse: float, beside: float | None = None) -> None:
    speed = lines / seconds
    compared = f"  graphdoctor, cold, is {1 / beside:.1f} x as fast" if beside else ""
    print(f"{name:20} {seconds:8.2f} s  {speed:11,.0f} lines/s  {speed / parse:7.3f} of ast.parse{compared}")


if __name__ == "__main__":
    main()
