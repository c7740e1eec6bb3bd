"""What `make compiled` compiles can be compiled; that it says the same, `scripts/compiled.py` tells."""

import pathlib
import sys

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = pathlib.Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "graphdoctor"
HOOKS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"][
    "hooks"
]
HOOK = HOOKS["custom"]


def compiled_files() -> list[pathlib.Path]:
    found = []
    for name in HOOK["compiled"]:
        found += (PACKAGE / name).rglob("*.py") if (PACKAGE / name).is_dir() else [PACKAGE / name]
    return [path for path in found if path not in {PACKAGE / name for name in HOOK["interpreted"]}]


def test_nothing_is_compiled_unless_it_is_asked_for() -> None:
    assert HOOK["enable-by-default"] is False


def test_what_is_named_is_there() -> None:
    missing = [name for name in (*HOOK["compiled"], *HOOK["interpreted"]) if not (PACKAGE / name).exists()]
    assert missing == []


def test_nothing_that_is_compiled_needs_its_annotations_or_bytecode() -> None:
    texts = {path: path.read_text() for path in compiled_files()}
    assert len(texts) > 100
    assert [path.name for path, text in texts.items() if "import msgspec" in text or "__code__" in text] == []
