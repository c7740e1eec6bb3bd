"""Run every claim's program and write its page: `python docs/claims/build.py [NAME…]`.

A program's docstring holds the title, the claim, and what to say instead; what it prints is what TensorFlow
did, and its last line is the verdict. Nothing on a page is written by hand.
"""

import ast
import importlib.metadata
import os
import pathlib
import platform
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent
PROGRAMS = FOLDER / "programs"
VERDICTS = ("true", "partly", "depends", "false")
SAY_INSTEAD = "Say instead: "


def main(names: list[str]) -> None:
    """Write the pages of the named claims (default: all), and the table of all."""
    for program in sorted(PROGRAMS.glob("*.py")):
        if not names or program.stem in names:
            output = run(program)
            page_of(program).write_text(render(program, output), encoding="utf-8")
            print(f"{program.stem}: {verdict_of(output)}", flush=True)
    for page in FOLDER.glob("*.md"):
        if page.name != "README.md" and not (PROGRAMS / f"{page.stem}.py").exists():
            page.unlink()
    (FOLDER / "README.md").write_text(render_index(), encoding="utf-8")


def page_of(program: pathlib.Path) -> pathlib.Path:
    """Where a claim's page stands."""
    return FOLDER / f"{program.stem}.md"


def run(program: pathlib.Path) -> str:
    """What a program prints, run in a process of its own."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    environment["PYTHONUNBUFFERED"] = "1"  # `print` and `tf.print` in the order of a terminal
    done = subprocess.run(
        [sys.executable, str(program)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"{program.name} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def verdict_of(output: str) -> str:
    """The verdict on the last line of a program's output."""
    label, _, verdict = output.strip().splitlines()[-1].partition(": ")
    if label != "verdict" or verdict not in VERDICTS:
        sys.exit(f"expected `verdict: {'|'.join(VERDICTS)}` as the last line, got: {output[-200:]}")
    return verdict


def parts_of(program: pathlib.Path) -> tuple[str, str, str, str]:
    """Title, claim, what to say instead, and the code below the docstring."""
    text = program.read_text(encoding="utf-8")
    tree = ast.parse(text)
    title, *paragraphs = [part.replace("\n", " ") for part in (ast.get_docstring(tree) or "").split("\n\n")]
    claim, instead = paragraphs
    code = "".join(text.splitlines(keepends=True)[tree.body[0].end_lineno :]).lstrip("\n")
    return title, claim, instead.removeprefix(SAY_INSTEAD), code


def render(program: pathlib.Path, output: str) -> str:
    """The page of one claim."""
    title, claim, instead, code = parts_of(program)
    facts = "\n".join(output.strip().splitlines()[:-1])
    return (
        f"# {title}\n\n"
        f"**Claim.** {claim}\n\n"
        f"**Verdict.** {verdict_of(output)}, on {versions()}.\n\n"
        f"**Say instead.** {instead[0].upper()}{instead[1:]}\n\n"
        f"## What TensorFlow does\n\n```text\n{facts}\n```\n\n"
        f"## The program\n\n`docs/claims/programs/{program.name}`\n\n```python\n{code}```\n"
    )


def versions() -> str:
    """What the pages were measured with."""
    installed = {d.metadata["Name"].replace("_", "-"): d.version for d in importlib.metadata.distributions()}
    tensorflow = installed.get("tensorflow") or installed["tensorflow-cpu"]
    return f"TensorFlow {tensorflow}, Keras {installed['keras']}, Python {platform.python_version()}"


def render_index() -> str:
    """The table of all claims, from their pages."""
    rows = []
    for program in sorted(PROGRAMS.glob("*.py")):
        page = page_of(program).read_text(encoding="utf-8")
        verdict = page.split("**Verdict.** ")[1].split(",")[0]
        rows.append(f"| [{parts_of(program)[0]}]({program.stem}.md) | {verdict} |")
    head = (
        "# Claims about graph mode, measured\n\n"
        "What is said about `tf.function`, AutoGraph and GradientTape, each with a short program, what\n"
        "TensorFlow does with it, and the verdict: true, false, partly, or it depends. `make docs` runs all\n"
        "the programs and writes these pages; `python docs/claims/build.py NAME` runs one. Where a page\n"
        "shows a ratio of times, it is of CPU time on one thread, the least of several rounds in one run\n"
        "with the variants in turn: expect another number, and the same side of 1.\n\n"
    )
    return head + "\n".join(["| claim | verdict |", "|---|---|", *rows]) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
