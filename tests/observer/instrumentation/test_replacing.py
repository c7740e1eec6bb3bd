"""The class to hook is found by what it defines: Keras 3.16 renamed `Trainer` and `TensorFlowTrainer`."""

import pathlib
import sys
import types

import pytest

from graphdoctor.observer.instrumentation.replacing import class_defining
from graphdoctor.observer.tensorflow_internals.switches import hook_eager_models
from graphdoctor.observer.timing.tensorflow_internals import batch_method

LIBRARY = """
from foreign import Imported


class {name}:
    switch = False

    @property
    def run_eagerly(self):
        return self.switch

    @run_eagerly.setter
    def run_eagerly(self, value):
        self.switch = value

    def train_on_batch(self):
        return 1


class Below({name}):
    pass
"""


@pytest.fixture
def library(
    request: pytest.FixtureRequest, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> types.ModuleType:
    """A module whose trainer has the name that the test asks for."""
    (tmp_path / "foreign.py").write_text("class Imported:\n    run_eagerly = train_on_batch = None\n")
    (tmp_path / "trainers.py").write_text(LIBRARY.format(name=request.param))
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("foreign", "trainers"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return __import__("trainers")


NAMES = pytest.mark.parametrize("library", ["Trainer", "BaseTrainer", "Model"], indirect=True)


@NAMES
def test_the_switch_of_a_trainer_is_heard_whatever_its_name(library: types.ModuleType) -> None:
    heard: list[object] = []
    undo = hook_eager_models(library, heard.append)
    model = library.Below()
    model.run_eagerly = True
    undo()
    model.run_eagerly = False
    assert heard == [True]
    assert model.run_eagerly is False


@NAMES
def test_the_method_for_one_batch_is_found_whatever_the_name_of_its_class(library: types.ModuleType) -> None:
    owner, method = batch_method(library)
    assert owner is library.Below.__mro__[1]
    assert method == "train_on_batch"


@NAMES
def test_a_class_that_is_not_there_is_missed(library: types.ModuleType) -> None:
    with pytest.raises(AttributeError, match=r"^0 classes of trainers define `jit_compile`, expected one$"):
        class_defining(library, "jit_compile")


def test_of_two_classes_none_is_chosen() -> None:
    module = types.ModuleType("trainers")
    exec("class A:\n    x = 1\n\n\nclass B:\n    x = 2\n", vars(module))
    with pytest.raises(AttributeError, match=r"^2 classes of trainers define `x`, expected one$"):
        class_defining(module, "x")
