"""Runs the observer's tests on each TensorFlow from 2.16 on that each Python here has wheels for.

    python tests/versions.py                  every Python found, 3.10 to 3.14
    python tests/versions.py 3.10 3.13:2.20   these only: a Python with all, a Python with one TensorFlow
    python tests/versions.py 3.12 --only tests/observer/process   a part of the tests; the result says which
    python tests/versions.py --narrow 3.12        some of the tests, where there is no time for all
    python tests/versions.py --failed             what failed, again, after a fix; the result says so
    python tests/versions.py --page           only write the table again

Of each minor version the newest is taken; a release candidate where there is no release. Each pair gets a
virtual environment outside the tree, which is kept for the next time:
$XDG_CACHE_HOME/graphdoctor/versions, or ~/.cache/graphdoctor/versions. What came out of each pair stands in
docs/versions.json, and the table of docs/versions.md is made of that.
"""

import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator

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
# One file for each thing of TensorFlow's insides, where there is no time for all.
NARROW = (
    "tests/autograph/test_api.py",
    "tests/gradients/test_observation.py",
    "tests/integrations/test_limits.py",
    "tests/integrations/test_observation.py",
    "tests/observer/calls/test_what_did_not_happen.py",
    "tests/observer/captured_state/test_silent_probes.py",
    "tests/observer/failures/test_errors_explained.py",
    "tests/observer/failures/test_numerics.py",
    "tests/observer/process/test_redaction.py",
    "tests/observer/test_unknown_versions.py",
    "tests/observer/timing/test_runs.py",
    "tests/observer/witness/test_witness.py",
)
# Examples whose program does something else on an old TensorFlow.
EXAMPLES = "tests/test_rule_examples_under_tensorflow.py::test_example_behaves_as_it_says"
ELSEWISE = {
    "2.16.": [
        f"{EXAMPLES}[GD902-1]",  # XLA refuses there what it later computes wrongly
        f"{EXAMPLES}[GD511-1]",  # its graphs are ten bytes smaller there
    ]
}
SUMMARY = re.compile(r"=* ?(?=\d+ (?:passed|failed|error))(.*?) in [\d.]+s")
COUNT = re.compile(r"(\d+) (passed|failed|error)")
FAILED = re.compile(r"(?:FAILED|ERROR) (.+?)(?: - .*)?$")
INSTALL = ("-m", "pip", "install", "--quiet")
NEEDED = ("hypothesis>=6.100", "jsonschema>=4.20", "pytest>=8.0")
RESULTS, PAGE = PROJECT / "docs/versions.json", PROJECT / "docs/versions.md"
TABLE = re.compile(r"^\| Python \|.*?(?=^$|\Z)", re.MULTILINE | re.DOTALL)
HEAD = "| Python | TensorFlow | passed | failed | tests | of |\n|---|---|---|---|---|---|\n"


@dataclasses.dataclass(frozen=True)
class Result:
    """What the tests of one pair came to; `only` are the tests that were run where not all were."""

    python: str
    tensorflow: str
    date: str
    commit: str
    passed: int = 0
    failed: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    ended: bool = False
    again: str = ""  # the commit on which what had failed was run again

    @property
    def pair(self) -> tuple[str, str]:
        """What another result of the same pair replaces."""
        return self.python, self.tensorflow

    @property
    def row(self) -> str:
        """The line of the table."""
        failed = ", ".join(f"`{each}`" for each in self.failed) or ("0" if self.ended else "did not end")
        tests = "narrow" if self.only == NARROW else ", ".join(f"`{each}`" for each in self.only) or "all"
        of = f"{self.date}, {self.commit}" + (f"; what failed: again on {self.again}" if self.again else "")
        cells = (self.python, self.tensorflow, self.passed, failed, tests, of)
        return f"| {' | '.join(map(str, cells))} |\n"


def main() -> int:
    """Test each pair; 0 when all passed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pairs", nargs="*", default=PYTHONS, metavar="PYTHON[:TENSORFLOW]")
    parser.add_argument("--only", nargs="+", default=(), metavar="PATH", help="these of the tests")
    parser.add_argument(
        "--narrow", dest="only", action="store_const", const=NARROW, help="one file for each thing"
    )
    parser.add_argument(
        "--page", action="store_true", help="write the table of what is known, and test nothing"
    )
    parser.add_argument("--failed", action="store_true", help="run again what failed")
    asked = parser.parse_args()
    results = again(known()) if asked.failed else test_pairs(asked.pairs, tuple(asked.only))
    done = [] if asked.page else [keep(result) for result in results]
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), known()), encoding="utf-8")
    return 0 if asked.page or (done and all(each.ended and not each.failed for each in done)) else 1


def test_pairs(pairs: Iterable[str], only: tuple[str, ...]) -> Iterator[Result]:
    """The result of each pair that can be had here, one after the other."""
    for chosen in pairs:
        version, _, wanted = chosen.partition(":")
        python = find_python(version)
        if python is None:
            print(f"== Python {version}: not installed here")
            continue
        for tensorflow in tensorflow_versions(python, wanted):
            yield test(python, version, tensorflow, only)


def again(results: Iterable[Result]) -> Iterator[Result]:
    """Each result of which something failed, with what comes of that now."""
    for before in results:
        python = find_python(before.python) if before.failed and before.ended else None
        if python is not None:
            yield merged(before, test(python, before.python, before.tensorflow, before.failed))


def merged(before: Result, now: Result) -> Result:
    """A result, and that of its failed tests when they were run again."""
    if not now.ended:
        return before
    return dataclasses.replace(before, passed=before.passed + now.passed, failed=now.failed, again=now.commit)


def known() -> list[Result]:
    """The results so far, oldest versions first."""
    stored = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else []
    found = [
        Result(**{**each, "failed": tuple(each["failed"]), "only": tuple(each["only"])}) for each in stored
    ]
    return sorted(found, key=lambda one: (order(one.python), order(one.tensorflow)))


def keep(result: Result) -> Result:
    """Add a result to the file, in the place of an older one of the same pair."""
    results = [one for one in known() if one.pair != result.pair] + [result]
    results.sort(key=lambda one: (order(one.python), order(one.tensorflow)))
    text = json.dumps([dataclasses.asdict(one) for one in results], indent=1)
    RESULTS.write_text(text + "\n", encoding="utf-8")
    return result


def with_table(page: str, results: Iterable[Result]) -> str:
    """The page with the table of these results in the place of its first table."""
    table = HEAD + "".join(result.row for result in results)
    return TABLE.sub(lambda _: table, page, count=1)


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


def test(python: str, version: str, tensorflow: str, only: tuple[str, ...]) -> Result:
    """Make the environment if need be, and run the tests in it."""
    print(f"== Python {version}, TensorFlow {tensorflow}", flush=True)
    environment = CACHE / f"python{version}-tensorflow{tensorflow}"
    inside = str(environment / "bin" / "python")
    if not (environment / "ready").exists():
        subprocess.run([python, "-m", "venv", "--clear", str(environment)], check=True)
        subprocess.run([inside, *INSTALL, f"{package()}=={tensorflow}", *NEEDED], check=True)
        (environment / "ready").touch()
    subprocess.run(
        [inside, *INSTALL, "--editable", str(PROJECT)], check=True
    )  # another checkout may have made it
    command = [inside, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "tensorflow"]
    command += only or existing(TESTS)
    for prefix, examples in ELSEWISE.items():
        if tensorflow.startswith(prefix):
            command += [f"--deselect={example}" for example in examples]
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    commit = run("git", "-C", str(PROJECT), "log", "-1", "--format=%h", "--", "src", quiet=True).strip()
    return counted(Result(version, tensorflow, today, commit, only=only), lines_of(command))


def lines_of(command: list[str]) -> Iterator[str]:
    """What a command prints, which is shown, too."""
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            yield line


def counted(result: Result, lines: Iterable[str]) -> Result:
    """The result with what pytest says at its end."""
    failed: list[str] = []
    for line in lines:
        if found := FAILED.match(line.rstrip()):
            failed.append(found[1])
        elif summary := SUMMARY.match(line):
            counts = {what: int(number) for number, what in COUNT.findall(summary[1])}
            return dataclasses.replace(
                result, passed=counts.get("passed", 0), failed=tuple(failed), ended=True
            )
    return dataclasses.replace(result, failed=tuple(failed))


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
