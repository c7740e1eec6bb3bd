"""Rules of other packages: installed by pip, selected, cached; left out with a reason where broken."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import textwrap

import pytest
from tests.cli.commands import graphdoctor

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "team_rules"
PROGRAM = """\
import tensorflow as tf


@tf.function
def serve(x):
    print("mean", tf.reduce_mean(x))
    return x + 1.0


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def declared(x):
    return x + 1.0


for _ in range(3):
    serve(tf.ones([3]))
declared(tf.ones([3]))
"""
TEAM = "b.py:4:1: WRONG TEAM001 `serve` has no `input_signature`\n"
OURS = "b.py:6:5: WRONG GD201 `print` runs only while `serve` is traced, not at each call [unsafe fix]\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder into which pip has installed the example package."""
    folder = tmp_path_factory.mktemp("team")
    shutil.copytree(EXAMPLE, folder / "source")  # a build writes beside the source
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    command = [*pip, "--target", str(folder / "site"), str(folder / "source")]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return folder / "site"


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "b.py").write_text(PROGRAM)
    return tmp_path


def check(project: pathlib.Path, site: pathlib.Path, *options: str) -> "subprocess.CompletedProcess[str]":
    return graphdoctor("check", "b.py", *options, cwd=project, PYTHONPATH=str(site))


def concise(project: pathlib.Path, site: pathlib.Path, *options: str) -> str:
    done = check(project, site, "--output-format", "concise", *options)
    assert (done.returncode, done.stderr) == (1, "")
    return "".join(line for line in done.stdout.splitlines(keepends=True) if line.startswith("b.py"))


def test_nothing_of_it_without_the_package(project: pathlib.Path) -> None:
    done = graphdoctor("check", "b.py", "--select", "TEAM001", cwd=project)
    assert (done.returncode, done.stderr) == (
        2,
        "graphdoctor: no rule is called TEAM001: `graphdoctor rule` lists them\n",
    )


def test_check_uses_the_installed_rule(project: pathlib.Path, installed: pathlib.Path) -> None:
    assert concise(project, installed) == TEAM + OURS


@pytest.mark.parametrize("chosen", ["TEAM001", "TEAM", "signature-missing"])
def test_it_is_selected_and_ignored_as_others_are(
    project: pathlib.Path, installed: pathlib.Path, chosen: str
) -> None:
    assert concise(project, installed, "--select", chosen) == TEAM
    assert concise(project, installed, "--ignore", chosen) == OURS


def test_a_comment_silences_it(project: pathlib.Path, installed: pathlib.Path) -> None:
    silenced = PROGRAM.replace("@tf.function\n", "@tf.function  # noqa: TEAM001\n")
    (project / "b.py").write_text(silenced)
    assert concise(project, installed) == OURS


def test_it_has_a_page_and_a_place_in_the_list(tmp_path: pathlib.Path, installed: pathlib.Path) -> None:
    page = graphdoctor("rule", "signature-missing", cwd=tmp_path, PYTHONPATH=str(installed)).stdout
    assert page.startswith("# TEAM001 signature-missing\n\nA graph function without `input_signature`.\n")
    assert "## When to leave it\n\nIn a program that only trains.\n" in page
    listed = graphdoctor("rule", cwd=tmp_path, PYTHONPATH=str(installed)).stdout
    assert "TEAM001  WRONG  signature-missing\n       A graph function without `input_signature`.\n" in listed


def test_sarif_has_its_text(project: pathlib.Path, installed: pathlib.Path) -> None:
    log = json.loads(check(project, installed, "--output-format", "sarif").stdout)
    described = {rule["id"]: rule for rule in log["runs"][0]["tool"]["driver"]["rules"]}
    assert described["TEAM001"]["shortDescription"] == {"text": "A graph function without `input_signature`."}


def test_the_cache_notices_that_a_rule_changed(
    project: pathlib.Path, installed: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    site = tmp_path / "site"
    shutil.copytree(installed, site)
    assert concise(project, site) == TEAM + OURS
    rule = site / "team_rules" / "signature_missing.py"
    rule.write_text(rule.read_text().replace("has no `input_signature`", "declares no signature"))
    assert concise(project, site) == TEAM.replace("has no `input_signature`", "declares no signature") + OURS
    shutil.rmtree(site)
    assert concise(project, site) == OURS


GOOD = '''
from graphdoctor.model import Severity
from graphdoctor.rules import Rule


class {name}(Rule):
    """Summary.

    What it finds
    Something.

    Why it matters
    It does.

    How to fix it
    Somehow.

    When to leave it
    Never.
    """

    id = "{id}"
    severity = Severity.NOTE
'''


def package(site: pathlib.Path, name: str, source: str, point: str | None = None) -> None:
    """A package with one module of rules, as it stands in a folder after its installation."""
    site.mkdir(exist_ok=True)
    (site / f"{name}.py").write_text(textwrap.dedent(source))
    metadata = site / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[graphdoctor.rules]\n{name} = {point or name}\n")


BROKEN = [
    (
        "import nowhere_to_be_found\n",
        None,
        "other 1.0 (other) cannot be loaded: ModuleNotFoundError: No module named 'nowhere_to_be_found'",
    ),
    ("def broken(:\n", None, "other 1.0 (other) cannot be loaded: SyntaxError: "),
    ("x = 1\n", None, "other 1.0 (other) names no rule: expected a Rule class, or a module that has some"),
    ("x = 1\n", "other:x", "other 1.0 (other:x) names no rule: expected a Rule class, or"),
    ("x = 1\n", "other:Absent", "other 1.0 (other:Absent) cannot be loaded: AttributeError: "),
    (
        GOOD.format(name="Fresh", id="GD201"),
        None,
        "other 1.0 (other): Fresh is left out: `GD201` is a rule of graphdoctor already",
    ),
    (
        GOOD.format(name="PrintInGraph", id="ACME001"),
        None,
        "other 1.0 (other): PrintInGraph is left out: `print-in-graph` is a rule of graphdoctor already",
    ),
    (
        GOOD.format(name="Fresh", id="GD299"),
        None,
        "other 1.0 (other): Fresh is left out: ids that begin with GD are graphdoctor's",
    ),
    (
        GOOD.format(name="Fresh", id="no id"),
        None,
        "other 1.0 (other): Fresh is left out: its `id` is 'no id', and has to be capital letters and digits",
    ),
    (
        GOOD.format(name="Fresh", id="ACME001").replace("Severity.NOTE", "'bad'"),
        None,
        "other 1.0 (other): Fresh is left out: its `severity` is 'bad', and has to be one of ",
    ),
    (
        GOOD.format(name="Fresh", id="ACME001").replace("Why it matters", "Why"),
        None,
        "other 1.0 (other): Fresh is left out: its docstring lacks `Why it matters`",
    ),
    (
        GOOD.format(name="Fresh", id="TEAM001"),
        None,
        "team-rules 1.0 (team_rules): SignatureMissing is left out: `TEAM001` is a rule of other already",
    ),
]


@pytest.mark.parametrize(("source", "point", "error"), BROKEN)
def test_what_is_broken_is_named_and_the_other_rules_go_on(
    project: pathlib.Path, installed: pathlib.Path, source: str, point: str | None, error: str
) -> None:
    package(project / "site", "other", source, point)
    path = os.pathsep.join([str(project / "site"), str(installed)])
    done = graphdoctor("check", "b.py", "--output-format", "concise", cwd=project, PYTHONPATH=path)
    assert done.stderr.startswith(f"graphdoctor: {error}")
    assert done.stderr.count("\n") == 1
    assert OURS in done.stdout
    assert (TEAM in done.stdout) is (not error.startswith("team-rules"))
    assert done.returncode == 2  # not everything that was asked for was looked at


def test_a_class_may_be_named_and_a_rule_that_crashes_is_reported(project: pathlib.Path) -> None:
    crashing = (
        GOOD.format(name="Crashing", id="ACME007") + "\n    def judge(self, facts):\n        return 1 / 0\n"
    )
    package(project / "site", "other", crashing, "other:Crashing")
    done = check(project, project / "site", "--output-format", "concise")
    assert "GD000 ACME007 failed on this file: ZeroDivisionError: division by zero\n" in done.stdout
    assert OURS in done.stdout
    assert done.returncode == 2


def test_the_guide_shows_the_rule_of_the_example_which_is_short() -> None:
    guide = EXAMPLE.parents[1] / "docs" / "guides" / "own-rules.md"
    rule = (EXAMPLE / "team_rules" / "signature_missing.py").read_text(encoding="utf-8")
    assert f"```python\n{rule}```" in guide.read_text(encoding="utf-8")
    assert rule.count("\n") <= 40
