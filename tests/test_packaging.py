"""What is published: a wheel and a source distribution that work where no source is."""

import email
import email.message
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import types
import venv
import zipfile

import pytest
from docs.builder.manual import render_manual

from graphdoctor.version import __version__

ROOT = pathlib.Path(__file__).resolve().parents[1]
ADDRESS = "https://example.org/graphdoctor"
# Where pip finds packages, and where its cache is.
INDEX = {name: value for name, value in os.environ.items() if name.startswith("PIP_") or name == "HOME"}


@pytest.fixture
def hatch_metadata(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The hook, without the tool that builds: that is in an environment of its own."""
    interface = types.ModuleType("hatchling.metadata.plugin.interface")
    interface.MetadataHookInterface = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("hatch_metadata")


def test_the_manual_page_is_that_of_this_command_line() -> None:
    written = (ROOT / "docs/man/graphdoctor.1").read_text(encoding="utf-8")
    assert written == render_manual(), "python -m docs.builder.manual docs/man/graphdoctor.1"


def test_links_of_the_readme_work_outside_the_repository(hatch_metadata: types.ModuleType) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    links = hatch_metadata.LINK.findall(readme)
    assert len(links) > 10
    missing = [path for _, _, path in links if not (ROOT / path.partition("#")[0]).exists()]
    assert missing == []
    assert hatch_metadata.LINK.findall(hatch_metadata.published(readme)) == []
    published = hatch_metadata.published(readme, ADDRESS)
    assert hatch_metadata.LINK.findall(published) == []
    assert published.count(ADDRESS) == len(links)
    assert re.findall(r"\]\((?!https?:|#)", published) == []


def test_what_names_the_version_has_that_of_the_package() -> None:
    """`src/graphdoctor/version.py` is the one place; RELEASING.md lists the copies that other tools need."""
    extension = json.loads((ROOT / "editors/vscode/package.json").read_text(encoding="utf-8"))
    locked = json.loads((ROOT / "editors/vscode/package-lock.json").read_text(encoding="utf-8"))
    assert {extension["version"], locked["version"], locked["packages"][""]["version"]} == {__version__}
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$", changes, re.MULTILINE)
    assert released[0] == __version__


def run(*command: object, **environment: str) -> str:
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "TF_CPP_MIN_LOG_LEVEL": "3", **INDEX, **environment},
        cwd="/",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with a wheel and a source distribution, of what version control has."""
    folder = tmp_path_factory.mktemp("packaging")
    clone = folder / "clone"
    run("git", "clone", "--quiet", "--no-local", "--depth", "1", f"file://{ROOT}", clone)
    venv.create(folder / "builder", with_pip=True)
    run(folder / "builder/bin/python", "-m", "pip", "install", "--quiet", "hatchling")
    script = f"import os; os.chdir({str(clone)!r}); from hatchling.cli import hatchling; hatchling()"
    made = folder / "dist"
    builder = (folder / "builder/bin/python", "-c", script, "build", "-t", "sdist", "-t", "wheel", "-d", made)
    run(*builder, GRAPHDOCTOR_ADDRESS=ADDRESS)
    return made


def one(folder: pathlib.Path, pattern: str) -> pathlib.Path:
    (found,) = folder.glob(pattern)
    return found


@pytest.mark.long
def test_metadata(built: pathlib.Path) -> None:
    with zipfile.ZipFile(one(built, "*.whl")) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
        metadata: email.message.Message = email.message_from_bytes(wheel.read(name))
        assert any(name.endswith("data/share/man/man1/graphdoctor.1") for name in wheel.namelist())
    assert metadata["Requires-Python"] == ">=3.10"
    urls = metadata.get_all("Project-URL")
    assert urls == [
        f"Repository, {ADDRESS}",
        f"Documentation, {ADDRESS}/blob/main/docs/index.md",
        f"Changelog, {ADDRESS}/blob/main/CHANGELOG.md",
    ]
    assert re.findall(r"\]\((?!https?:|#)", str(metadata.get_payload())) == []


@pytest.mark.long
def test_the_source_distribution_holds_nothing_else(built: pathlib.Path) -> None:
    with tarfile.open(one(built, "*.tar.gz")) as sources:
        first = {name.split("/")[1] for name in sources.getnames()}
    assert first == {
        ".gitignore",  # hatchling takes it along
        "CHANGELOG.md",
        "LICENSE",
        "PKG-INFO",
        "README.md",
        "docs",
        "hatch_build.py",
        "hatch_metadata.py",
        "pyproject.toml",
        "src",
    }


@pytest.mark.long
@pytest.mark.parametrize("pattern", ["*.whl", "*.tar.gz"])
def test_installed_where_no_source_is_it_diagnoses_the_demo(
    built: pathlib.Path, tmp_path: pathlib.Path, pattern: str
) -> None:
    venv.create(tmp_path / "clean", with_pip=True)
    python = tmp_path / "clean/bin/python"
    run(python, "-m", "pip", "install", "--quiet", one(built, pattern))
    # TensorFlow of this environment, which has no package of ours in that folder: ours is an editable one.
    tensorflow = sysconfig.get_path("purelib")
    assert not pathlib.Path(tensorflow, "graphdoctor").exists()
    where = run(python, "-c", "import graphdoctor; print(graphdoctor.__file__)", PYTHONPATH=tensorflow)
    assert where.startswith(str(tmp_path))
    without = run(tmp_path / "clean/bin/graphdoctor", "demo")
    assert "TensorFlow is not installed here, so only the source is checked" in without
    shown = run(tmp_path / "clean/bin/graphdoctor", "demo", PYTHONPATH=tensorflow)
    assert "TensorFlow is not installed here" not in shown
    assert "(observed: " in shown
