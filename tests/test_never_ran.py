"""Findings in code that something else ends before: notes. What may be bound somewhere is no reason."""

import pathlib
from inspect import cleandoc

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths

STEP = """
    import random, tensorflow as tf
    {imports}
    @tf.function
    def step(x):
        {line}
        x = x * random.random()
        return x
    def main():
        for _ in range(3): step(tf.ones([2]))
    main()
"""
MODELS = "import random, tensorflow as tf\nclass Net: pass\nWIDTH = 3\n"


AFTER = (
    cleandoc(STEP).replace("{imports}", "").replace("{line}", "pass").replace("return x", "return missing")
)


def severities(
    folder: pathlib.Path, imports: str = "", line: str = "pass", text: str = "", **files: str
) -> list[str]:
    text = text or cleandoc(STEP).replace("{imports}", imports).replace("{line}", line)
    for name, content in {"train": text, **files}.items():
        path = folder / (name.replace("__", "/", 1) + ".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    found = check_paths([str(folder / "train.py")], Config(select=("GD208",))).findings
    return [f.severity.value if f.is_shown else f.confidence.level.value for f in found]


@pytest.mark.parametrize(
    ("imports", "files"),
    [
        ("from models import Net, WIDTH", {"models": MODELS}),
        ("from models import *", {"models": MODELS}),
        ("from models import Other", {"models": MODELS + "from elsewhere import *"}),
        ("from models import Other", {"models": MODELS + "def __getattr__(name): return Net"}),
        ("from models import Other", {"models": MODELS + "globals()['Other'] = Net"}),
        (
            "from models import Other",
            {"models": MODELS + "try:\n    from fast import Other\nexcept ImportError: pass"},
        ),
        ("import sys\nsys.path.insert(0, '..')\nfrom models import Other", {"models": MODELS}),
        ("from models import net", {"models____init__": "", "models__net": ""}),
        ("from elsewhere import Other", {}),
        ("try:\n    from models import Other\nexcept ImportError:\n    Other = None", {"models": MODELS}),
    ],
)
def test_what_may_be_imported(tmp_path: pathlib.Path, imports: str, files: dict[str, str]) -> None:
    assert severities(tmp_path, imports, **files) == ["WRONG"]


@pytest.mark.parametrize("imports", ["from models import Other", "from models import Net, Other as Net2"])
def test_what_a_module_of_the_project_has_not_ends_the_program(tmp_path: pathlib.Path, imports: str) -> None:
    assert severities(tmp_path, imports, models=MODELS) == ["LOW"]


@pytest.mark.parametrize(
    ("imports", "line"),
    [
        ("import math", "y = math.pi"),
        ("from math import *", "y = pi"),
        ("", "y = [each for each in range(3)]"),
        ("def later():\n    global size\n    size = 3", "y = size"),
        ("exec('size = 3')", "y = size"),
        ("", "y = len(__file__)"),
        ("def other():\n    return missing", "y = 3"),
        ("", "if x is None: y = missing"),
        ("", "y = missing if x is None else 3"),
        ("", "y = x is None and missing"),
        ("", "y = lambda: missing"),
        ("", "y: missing = 3"),
    ],
)
def test_a_name_that_may_be_bound_or_never_asked_for(tmp_path: pathlib.Path, imports: str, line: str) -> None:
    assert severities(tmp_path, imports, line) == ["WRONG"]


@pytest.mark.parametrize("line", ["y = math.pi", "y = [x, int(math.pi)]", "y = dict(of=math.pi)[0]"])
def test_a_name_that_nothing_binds_ends_the_function(tmp_path: pathlib.Path, line: str) -> None:
    assert severities(tmp_path, "", line) == ["LOW"]


def test_what_comes_before_the_name_has_run(tmp_path: pathlib.Path) -> None:
    assert severities(tmp_path, "", "", text=AFTER) == ["WRONG"]


BEGUN = cleandoc(STEP).replace("{imports}", "").replace("{line}", "pass").removesuffix("main()")


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        pytest.param("model = Missing()\nmain()", "LOW", id="at the top"),
        pytest.param(
            "if __name__ == '__main__':\n    model = Missing()\n    main()", "LOW", id="in its block"
        ),
        pytest.param("main()\nmodel = Missing()", "WRONG", id="afterwards"),
        pytest.param("if tf.test.is_gpu_available():\n    model = Missing()\nmain()", "WRONG", id="perhaps"),
        pytest.param("try:\n    model = Missing()\nexcept Exception: pass\nmain()", "WRONG", id="caught"),
        pytest.param("def other():\n    return Missing()\nmain()", "WRONG", id="elsewhere"),
    ],
)
def test_a_name_that_nothing_binds_ends_the_program(tmp_path: pathlib.Path, end: str, expected: str) -> None:
    assert severities(tmp_path, text=BEGUN + end) == [expected]
