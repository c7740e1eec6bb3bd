"""The claims under docs/claims: every program runs, and its page tells what the program shows."""

import importlib.util
import pathlib
from types import ModuleType

import pytest

from tests.running import TensorFlowServer

FOLDER = pathlib.Path(__file__).parents[1] / "docs" / "claims"
PROGRAMS = sorted((FOLDER / "programs").glob("*.py"))
# These print ratios of times: what they show differs from run to run, so their pages are not compared.
TIMED = {program.stem for program in PROGRAMS if "import time\n" in program.read_text(encoding="utf-8")}


def load_build() -> ModuleType:
    specification = importlib.util.spec_from_file_location("claims_build", FOLDER / "build.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


build = load_build()


def part(page: str, heading: str) -> str:
    """What stands between a heading's fences."""
    return page.split(f"## {heading}\n")[1].split("```")[1].split("\n", 1)[1]


def test_every_program_has_a_page_and_every_page_a_program() -> None:
    pages = {page.stem for page in FOLDER.glob("*.md")} - {"README"}
    assert pages == {program.stem for program in PROGRAMS}


def test_the_table_is_as_the_pages_say() -> None:
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == build.render_index()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_page_holds_the_program_as_it_is(program: pathlib.Path) -> None:
    """When this fails: `make docs`."""
    page = build.page_of(program).read_text(encoding="utf-8")
    assert part(page, "The program") == build.parts_of(program)[3]


@pytest.mark.tensorflow
@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_program_shows_what_the_page_says(program: pathlib.Path, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(program.read_text(encoding="utf-8"), name=program.name)
    assert (ran.error, ran.timed_out) == (None, False), ran.output
    page = build.page_of(program).read_text(encoding="utf-8")
    verdict = page.split("**Verdict.** ")[1].split(",")[0]
    if program.stem in TIMED:
        assert build.verdict_of(ran.output) in build.VERDICTS
    else:
        assert build.verdict_of(ran.output) == verdict
        facts = "\n".join(ran.output.strip().splitlines()[:-1])
        assert facts == part(page, "What TensorFlow does").rstrip("\n")
