"""The full name of a function, from its code alone."""

import importlib.util
import pathlib
from types import ModuleType, SimpleNamespace

import pytest

from graphdoctor.autograph.traces.qualified import qualified_name

TEXT = """import functools


def plain(): pass


class Outer:
    def method(self): pass

    class Inner:
        @staticmethod
        @functools.cache
        def decorated(): pass


def maker():
    class Local:
        async def method(self): pass

    def inside():
        return lambda: 1

    return Local.method, inside, inside()


if True:
    def conditional(): pass
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    path = tmp_path_factory.mktemp("qualified") / "functions.py"
    path.write_text(TEXT)
    spec = importlib.util.spec_from_file_location("functions", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def without_qualname(code: object) -> object:
    """The code as it is on Python 3.10."""
    names = ("co_filename", "co_firstlineno", "co_name")
    return SimpleNamespace(**{name: getattr(code, name) for name in names})


def test_the_source_gives_the_name_that_python_gives(module: ModuleType) -> None:
    functions = [
        module.plain,
        module.conditional,
        module.Outer.method,
        module.Outer.Inner.decorated.__wrapped__,
        module.maker,
        *module.maker(),
    ]
    for function in functions:
        assert qualified_name(function.__code__) == function.__qualname__
        assert qualified_name(without_qualname(function.__code__)) == function.__qualname__


@pytest.mark.parametrize("path", ["/no/such/file.py", "<string>", "broken.py"])
def test_without_source_the_name_alone(
    path: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.py").write_text("def f(:\n")
    monkeypatch.chdir(tmp_path)
    code = SimpleNamespace(co_filename=path, co_firstlineno=1, co_name="f")
    assert qualified_name(code) == "f"
