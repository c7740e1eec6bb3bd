"""Programs that raise before they come to a mistake: what follows is a note, in whatever form they end."""

from inspect import cleandoc
from pathlib import Path

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.model import Level, Severity

STEP = """
@tf.function
def step(x):
    return x.numpy()
"""
HEAD = f"import tensorflow as tf\n{STEP}\n"
LAST = "\nstep(tf.constant(1.0))\n"
ENDED = {
    "a name that nothing binds, in the head of a loop": """
        def main():
            for epoch in range(EPOCHS):
                step(tf.constant(1.0))
        main()
        """,
    "a name that nothing binds, in a with": """
        strategy = tf.distribute.MirroredStrategy()
        with strategy.scope():
            model = make_model()
        """,
    "a class that is made without an argument": """
        class Net:
            def __init__(self, units, depth):
                self.units = units
        net = Net(4)
        """,
    "a class that is made with an option that it does not take": """
        class Net:
            def __init__(self, units, depth=2):
                self.units = units
        net = Net(4, deep=True)
        """,
    "an option that a function does not take": """
        def load(path, size=3):
            return path
        load("a", length=4)
        """,
    "an option that a derived class hands on to Keras": """
        class Base(tf.keras.Model):
            def __init__(self, units, **options):
                super().__init__(**options)
        class Derived(Base):
            def __init__(self, units, cut=False, **options):
                super().__init__(units, cut=cut, **options)
        net = Derived(3, cut=True)
        """,
    "a function that only raises": """
        def load():
            raise NotImplementedError("to do")
        def main():
            load()
            step(tf.constant(1.0))
        main()
        """,
    "a function that raises at its end": """
        def load(path):
            print(path)
            raise ValueError(path)
        load("a")
        """,
    "an assertion of what is false": "assert False, 'old: see train2.py'",
    "an attribute that no object of the class has": """
        class Trainer:
            def __init__(self):
                self.rate = 0.1
            def train(self):
                self.optimizer.rate = self.rate
                step(tf.constant(1.0))
        Trainer().train()
        """,
    "a method that no class has": """
        class Trainer:
            def train(self):
                self.load_data()
                step(tf.constant(1.0))
        Trainer().train()
        """,
    "an attribute of None": "model = None\nmodel.summary()",
    "more names than values": """
        def load():
            return 1, 2
        first, second, third = load()
        """,
    "a key that a dict does not have": """
        settings = {"rate": 0.1}
        size = settings["batch"]
        """,
    "a module of the project that does not have the function": "import there\nthere.load_all()",
    "a name that an imported module does not find": "import nested",
    "an import of a file that is no Python": "import broken",
    "an import of a file that is not there": "from package.metrics import psnr",
}
OTHERS = {
    "there.py": "def load():\n    return 1\n",
    "nested.py": "from there import load_everything\n",
    "broken.py": "print 'old'\n",
    "package/__init__.py": "",
    "package/losses.py": "",
    "package/library.py": "",
    "package/beside.py": "from library.envs import Env\nimport library\nlibrary.start()\n",
}
NOT_ENDED = {
    "nothing": "",
    "an exception that is caught": """
        try:
            import nested
            first, second = 1, 2
            model = missing
        except Exception:
            pass
        """,
    "an exception in a branch that is unknown": """
        import sys
        if len(sys.argv) > 3:
            raise ValueError("usage")
        if len(sys.argv) > 2:
            missing()
        """,
    "a module of a package that is named as another one": "import package.beside",
    "options that `**` takes": """
        def load(path, **options):
            return path
        load("a", length=4)
        """,
    "an attribute that another method sets": """
        class Data:
            def load(self):
                self.rows = 3
        data = Data()
        data.load()
        data.rows
        """,
    "an attribute that `setattr` sets": """
        class Data:
            def __init__(self, **options):
                for key, value in options.items():
                    setattr(self, key, value)
        Data(rows=3).rows
        """,
    "an attribute that `__setattr__` sets": """
        class Data:
            def __init__(self, **options):
                for key in options:
                    self.__setattr__(key, options[key])
        Data(rows=3).rows
        """,
    "a key of a dict that others fill": """
        import json
        settings = {"rate": 0.1}
        settings.update(json.load(open("settings.json")))
        size = settings["batch"]
        """,
    "what a command line has to say": """
        import sys
        assert len(sys.argv) == 3, "usage: train.py DATA MODEL"
        """,
    "settings that begin empty": """
        from omegaconf import OmegaConf
        settings = OmegaConf.create()
        settings.root = "data"
        settings.train = settings.root + "/train"
        """,
    "what Keras 2 says of a checkpoint": """
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.load_weights("checkpoint").expect_partial()
        """,
    "a method that a decorator gives its arguments": """
        import gin
        @gin.configurable
        class Net:
            def __init__(self, units):
                self.units = units
        Net()
        """,
}


def _severities(folder: Path, body: str, name: str = "train.py") -> set[Level]:
    for other, text in OTHERS.items():
        (folder / other).parent.mkdir(exist_ok=True)
        (folder / other).write_text(text)
    program = folder / name
    program.write_text(HEAD + cleandoc(body) + LAST)
    report = check_paths([str(program)], Config())
    return {finding.confidence.level for finding in report.findings if finding.rule == "GD801"}


@pytest.mark.parametrize("body", ENDED.values(), ids=ENDED)
def test_what_follows_the_end_of_a_program_is_a_note(body: str, tmp_path: Path) -> None:
    assert _severities(tmp_path, body) == {Level.LOW}


@pytest.mark.parametrize("body", NOT_ENDED.values(), ids=NOT_ENDED)
def test_a_program_that_goes_on_has_its_error_reported(body: str, tmp_path: Path) -> None:
    assert _severities(tmp_path, body) == {Level.HIGH}


def test_a_package_of_the_project_may_have_a_namesake_that_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "__init__.py": "",
        "shapes/__init__.py": "",
        "shapes/src/shapes/__init__.py": "",
        "shapes/src/shapes/voxels.py": "def convert(): pass\n",
        "demo/train.py": HEAD + "from shapes.voxels import convert" + LAST,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    (finding,) = check_paths(["demo/train.py"], Config()).findings
    assert (finding.rule, finding.severity) == ("GD801", Severity.ERROR)


def test_what_nothing_calls_is_made_ready_by_those_who_do(tmp_path: Path) -> None:
    program = """
        import random
        import tensorflow as tf
        class Trainer:
            def __init__(self):
                self.strategy = None
            def train(self):
                self.strategy.run(print)
                @tf.function
                def step(x):
                    return x * random.random()
                for _ in range(3):
                    step(tf.ones([2]))
        """
    (tmp_path / "trainer.py").write_text(cleandoc(program))
    (finding,) = check_paths([str(tmp_path)], Config()).findings
    assert (finding.rule, finding.severity) == ("GD208", Severity.WRONG)
