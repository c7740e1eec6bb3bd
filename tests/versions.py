"""Runs the observer's tests on each TensorFlow from 2.16 on that each Python here has wheels for.

    python tests/versions.py                  every Python found, 3.10 to 3.14
    python tests/versions.py 3.10 3.13:2.20   these only: a Python with all, a Python with one TensorFlow

Of each minor version the newest is taken; a release candidate where there is no release. Each pair gets a
virtual environment outside the tree, which is kept for the next time:
$XDG_CACHE_HOME/graphdoctor/versions, or ~/.cache/graphdoctor/versions. The last lines are the table of
docs/versions.md.
"""

import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
OLDEST = (2, 16)
PROJECT = pathlib.Path(__file__).resolve().parents[1]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "graphdoctor/versions"
TESTS = (
    "tests/observer",
    "tests/gradients",
    "tests/autograph",
    "tests/integrations/test_observation.py",
    "tests/integrations/test_limits.py",
    "tests/test_rule_examples_under_tensorflow.py",
)
# Examples whose program does something else on an old TensorFlow.
EXAMPLES = "tests/test_rule_examples_under_tensorflow.py::test_example_behaves_as_it_says"
ELSEWISE = {
    "2.16.": [
        f"{EXAMPLES}[GD902-1]",  # XLA refuses there what it later computes wrongly
        f"{EXAMPLES}[GD511-1]",  # its graphs are ten bytes smaller there
    ]
}
SUMMARY = re.compile(r"(\d+ (?:passed|failed|error).*?)(?:, \d+ deselected)? in [\d.]+s")
FAILED = re.compile(r"failed|error")
NEEDED = ("hypothesis>=6.100", "jsonschema>=4.20", "pytest>=8.0")


def main() -> int:
    """Test each pair; 0 when all passed."""
    results: dict[tuple[str, str], str] = {}
    for chosen in sys.argv[1:] or PYTHONS:
        version, _, wanted = chosen.partition(":")
        python = find_python(version)
        if python is None:
            print(f"== Python {version}: not installed here")
            continue
        for tensorflow in tensorflow_versions(python, wanted):
            results[version, tensorflow] = test(python, version, tensorflow)
    print("\n| Python | TensorFlow | tests |\n|---|---|---|")
    for (version, tensorflow), result in results.items():
        print(f"| {version} | {tensorflow} | {result} |")
    return 0 if results and not any(map(FAILED.search, results.values())) else 1


def find_python(version: str) -> str | None:
    """A Python of this version: on the path, or among those that pyenv installed."""
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT") or "~/.pyenv").expanduser()
    installed = sorted(map(str, pyenv.glob(f"versions/{version}.*/bin/python")))
    for candidate in (shutil.which(f"python{version}"), *reversed(installed)):
        if candidate and version in run(candidate, "--version", quiet=True):
            return candidate
    return None


def package() -> str:
    """The distribution without GPU support, where there is one."""
    return (
        "tensorflow-cpu" if platform.system() == "Linux" and platform.machine() == "x86_64" else "tensorflow"
    )


def tensorflow_versions(python: str, wanted: str = "") -> list[str]:
    """The newest of each supported minor version with wheels for this Python; of `wanted` only, if given."""
    listed = run(python, "-m", "pip", "index", "versions", "--pre", package(), quiet=True)
    numbers = re.search(r"Available versions: (.*)", listed)
    found = numbers[1].split(", ") if numbers else []
    newest: dict[tuple[int, ...], str] = {}
    for version in sorted(found, key=order):
        newest[order(version)[0][:2]] = version
    supported = [
        version
        for minor, version in sorted(newest.items())
        if minor >= OLDEST and (not wanted or minor == order(wanted)[0][:2])
    ]
    if not supported:
        print(f"== {python}: no TensorFlow {wanted or 'from 2.16 on'} has wheels for it")
    return supported


def order(version: str) -> tuple[tuple[int, ...], bool, str]:
    """`2.16.2` as what can be compared; a release candidate comes before the release."""
    numbers, candidate = re.fullmatch(r"(\d+(?:\.\d+)*)(.*)", version.strip()).groups()  # type: ignore[union-attr]
    return tuple(map(int, numbers.split("."))), not candidate, candidate


def test(python: str, version: str, tensorflow: str) -> str:
    """Make the environment if need be, and run the tests in it; how many passed and failed."""
    print(f"== Python {version}, TensorFlow {tensorflow}", flush=True)
    environment = CACHE / f"python{version}-tensorflow{tensorflow}"
    inside = str(environment / "bin" / "python")
    if not (environment / "ready").exists():
        subprocess.run([python, "-m", "venv", "--clear", str(environment)], check=True)
        wanted = [f"{package()}=={tensorflow}", *NEEDED, "--editable", str(PROJECT)]
        subprocess.run([inside, "-m", "pip", "install", "--quiet", *wanted], check=True)
        (environment / "ready").touch()
    command = [inside, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "tensorflow", *existing(TESTS)]
    for prefix, examples in ELSEWISE.items():
        if tensorflow.startswith(prefix):
            command += [f"--deselect={example}" for example in examples]
    return summary_of(command)


def summary_of(command: list[str]) -> str:
    """What pytest counts at its end, while its output is shown."""
    summary = "ended with an error"
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            if counted := SUMMARY.match(line):
                summary = counted[1]
    return summary


def existing(paths: tuple[str, ...]) -> Iterator[str]:
    return (path for path in paths if (PROJECT / path).exists())


def run(*command: str, quiet: bool = False) -> str:
    """What a command prints; nothing when it cannot be run."""
    try:
        errors = subprocess.DEVNULL if quiet else None
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=errors, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


if __name__ == "__main__":
    sys.exit(main())
