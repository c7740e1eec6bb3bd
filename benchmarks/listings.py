"""The listings of the first documents, as they are: what `check` and `run` find, and what `fix` proves.

python benchmarks/listings.py              the 13 of tests/listings
python benchmarks/listings.py FILE…        other programs that need nothing beside themselves
"""

import pathlib
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from tests.fixing_programs import open_laboratory, search_fix
from tests.running import TensorFlowServer

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.model import Evidence, Finding
from graphdoctor.source import parse_module

LISTINGS = pathlib.Path(__file__).resolve().parents[1] / "tests" / "listings"


def named(findings: tuple[Finding, ...] | list[Finding]) -> str:
    """The rules that a report shows, each with its line."""
    return ", ".join(dict.fromkeys(f"{each.rule}:{each.line}" for each in findings if each.is_shown)) or "-"


def row(path: pathlib.Path, server: TensorFlowServer) -> str:
    """One line of the table, with what was proven below it."""
    text = path.read_text(encoding="utf-8")
    checked = named(check_module(parse_module(path.name, text, 3), Config()))
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, folder)
        start = time.monotonic()
        with open_laboratory(pathlib.Path(folder), path.name, server) as laboratory:
            search = search_fix(laboratory)
            proof = search.result()
    seconds = time.monotonic() - start
    report = search.original.report if search.original is not None else None
    seen = [each for each in (report.findings if report else ()) if each.evidence is not Evidence.SOURCE]
    lines = [f"| {path.stem} | {checked} | {named(seen)} | {proof.verdict.value} | {seconds:.0f} s |"]
    lines += [f"    {one.rule} {one.title}{': ' + one.reason if one.reason else ''}" for one in proof.tried]
    lines += [f"    left: {one.rule} {one.reason}" for one in proof.remaining]
    equal = ", ".join(one.aspect for one in proof.compared if one.equal)
    lines += [f"    same {equal} as the {proof.reference} run"] if equal else []
    return "\n".join([*lines, *(f"    {each}" for each in proof.holds)])


def main(files: list[str]) -> None:
    """Print the table."""
    paths = [pathlib.Path(file) for file in files] or sorted(LISTINGS.glob("*.py"))
    print("| program | check | run | fix | |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as directory:
        server = TensorFlowServer(pathlib.Path(directory))
        try:
            for path in paths:
                print(row(path, server), flush=True)
        finally:
            server.close()


if __name__ == "__main__":
    main(sys.argv[1:])
