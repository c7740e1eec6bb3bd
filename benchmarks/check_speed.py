"""How fast `graphdoctor check` is, beside `ast.parse`, ruff, flake8 and pylint, in one run.

    python benchmarks/check_speed.py [--pylint] [FOLDER…]

Measured in CPU time (our own and that of child processes), on one processor, over the installed `keras` and
`tensorflow/python` sources unless folders are given. flake8 and pylint are slow: they see a sample of
the files, spread evenly over all of them, and are compared by lines per CPU-second. A tool that is
not installed is left out and said so.
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

SAMPLE_LINES = 20_000


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--pylint", action="store_true", help="measure pylint too, which takes minutes")
    options = parser.parse_args()
    folders = options.folders or default_folders()
    files = [str(path) for folder in folders for path in sorted(pathlib.Path(folder).rglob("*.py"))]
    lines = {path: count_lines(path) for path in files}
    total = sum(lines.values())
    print(f"{len(files):,} files, {total:,} lines: {', '.join(folders)}")
    parse = cpu_seconds(lambda: parse_all(files))
    row("ast.parse", total, parse, total / parse)
    with tempfile.TemporaryDirectory() as folder:
        check = [
            sys.executable,
            "-m",
            "graphdoctor",
            "check",
            "--jobs",
            "1",
            "--exit-zero",
            "-o",
            "report.json",
        ]
        cold = cpu_seconds(lambda: run([*check, *map(os.path.abspath, folders)], folder))
        row("graphdoctor, cold", total, cold, total / parse)
        warm = cpu_seconds(lambda: run([*check, *map(os.path.abspath, folders)], folder))
        row("graphdoctor, warm", total, warm, total / parse)
        print(f"  warm is {cold / warm:.0f} x faster than cold")
    sample = sample_of(files, lines)
    count = sum(lines[path] for path in sample)
    beside = pathlib.Path(sys.executable).with_name("ruff")
    ruff = str(beside) if beside.exists() else shutil.which("ruff")
    others = [("ruff", [ruff or "ruff", "check", "--no-cache", "--isolated", "--exit-zero"], files, total)]
    others.append(
        ("flake8", [sys.executable, "-m", "flake8", "-j1", "--isolated", "--exit-zero"], sample, count)
    )
    if options.pylint:
        others.append(("pylint", [sys.executable, "-m", "pylint", "-j1", "--exit-zero"], sample, count))
    for name, command, paths, size in others:
        if shutil.which(name) is None and importlib.util.find_spec(name) is None:
            print(f"{name:20} not installed")
            continue
        seconds = cpu_seconds(lambda command=command, paths=paths: run_in_parts(command, paths))
        row(name, size, seconds, total / parse, (size / seconds) / (total / cold))


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
