"""Methods of NumPy's arrays: a tensor has them where a module of the program gives them to all tensors."""

import pathlib

import pytest
from tests.checking import check

from graphdoctor.config import Config
from graphdoctor.judging.files import check_files

STEP = "@tf.function\ndef step(x):\n    return x.mean()\nstep(tf.ones([2]))\n"
GIVEN = (
    "import tensorflow as tf\nfor base in (tf.Tensor, tf.Variable):\n    base.mean = tf.math.reduce_mean\n"
)


def test_must_fire() -> None:
    assert [each.rule for each in check("import tensorflow as tf\n" + STEP, "GD")] == ["GD801"]
    assert [each.rule for each in check(GIVEN.replace("mean", "std") + STEP, "GD")] == ["GD801"]


def test_must_not_fire() -> None:
    assert check(GIVEN + STEP, "GD") == []
    assert (
        check("import tensorflow as tf\nsetattr(tf.Tensor, 'mean', tf.math.reduce_mean)\n" + STEP, "GD") == []
    )


@pytest.mark.parametrize(
    "given", [GIVEN, "import tensorflow as tf\ntf.experimental.numpy.experimental_enable_numpy_behavior()\n"]
)
def test_whoever_imports_the_module_has_them(
    given: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pathlib.Path("tools.py").write_text(given)
    for name in ("one.py", "two.py"):
        pathlib.Path(name).write_text("import tensorflow as tf\nimport tools\n" + STEP)
    found = check_files([(path, False) for path in ("one.py", "two.py", "tools.py")], Config()).findings
    assert found == []
