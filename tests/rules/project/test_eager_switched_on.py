"""GD905: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import changed_lines, check, fixed

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.model import Level
from graphdoctor.source import parse_module

RULE = "GD905"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("tf.config.run_functions_eagerly(False)", id="off"),
        pytest.param(
            """
            tf.config.run_functions_eagerly(True)
            debug()
            tf.config.run_functions_eagerly(False)
            """,
            id="on and off again",
        ),
        pytest.param("tf.config.run_functions_eagerly(settings.debug)", id="a setting"),
        pytest.param("model.compile(run_eagerly=False)", id="compile without"),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + cleandoc(program), RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("tf.config.run_functions_eagerly(True)", id="switched on"),
        pytest.param("model.compile('adam', run_eagerly=True)", id="compile"),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


SWITCH = "tf.config.run_functions_eagerly(True)"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(f"def enable_debug():\n    {SWITCH}\n    print(1)\nenable_debug()", id="meant"),
        pytest.param(
            f'def switch():\n    """On."""\n    {SWITCH}\nswitch()', id="a function for nothing else"
        ),
        pytest.param(f"import os\nif os.environ.get('X'):\n    {SWITCH}\n    print(1)", id="a condition"),
        pytest.param(f"with open('x') as file:\n    {SWITCH}\n    print(1)", id="a block"),
        pytest.param(f"x = 1; {SWITCH}", id="others on its line"),
        pytest.param("on = True\ntf.config.run_functions_eagerly(on)", id="a name"),
        pytest.param(
            f"class Eagerly:\n    def __enter__(self):\n        {SWITCH}\n        print(1)\n"
            "    def __exit__(self, *error):\n        pass\nwith Eagerly():\n    pass",
            id="a class that is entered",
        ),
        pytest.param(
            f"def steps():\n    {SWITCH}\n    yield 1\nfor each in steps():\n    pass", id="a generator"
        ),
        pytest.param(
            "import keras\nflags = dict(run_eagerly=True)\nmodel = keras.Sequential()\n"
            "model.compile('sgd', **flags)",
            id="options from elsewhere",
        ),
    ],
)
def test_left_alone(program: str) -> None:
    assert check(HEAD + program, RULE)
    assert fixed(HEAD + program, RULE) == HEAD + program + "\n"


@pytest.mark.parametrize("path", ["test_model.py", "tests/model.py", "conftest.py", "debug_step.py"])
def test_in_a_test_it_is_left(path: str) -> None:
    module = parse_module(path, f"{HEAD}{SWITCH}\n")
    assert [finding.fix for finding in check_module(module, Config(select=(RULE,)))] == [None]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (f"{SWITCH}\nprint(1)", "print(1)"),
        (
            f"def main():\n    {SWITCH}  # look inside\n    print(1)\nmain()",
            "def main():\n    print(1)\nmain()",
        ),
        (
            f"if __name__ == '__main__':\n    {SWITCH}\n    print(1)",
            "if __name__ == '__main__':\n    print(1)",
        ),
        (
            "import keras\nmodel = keras.Sequential()\nmodel.compile('sgd', run_eagerly=True, loss='mse')",
            "import keras\nmodel = keras.Sequential()\nmodel.compile('sgd', loss='mse')",
        ),
    ],
    ids=["the module", "a function", "the main program", "compile"],
)
def test_taken_out(program: str, expected: str) -> None:
    assert fixed(HEAD + program, RULE) == f"{HEAD}{expected}\n"


@pytest.mark.parametrize("manager", ["contextlib.contextmanager", "contextmanager"])
def test_a_context_manager_ends_it(manager: str) -> None:
    program = (
        f"import contextlib\nfrom contextlib import contextmanager\n@{manager}\ndef smoke_test():\n"
        f"    {SWITCH}\n    yield\n    print(1)\nwith smoke_test():\n    pass"
    )
    expected = ["try:", "yield", "finally:", "tf.config.run_functions_eagerly(False)"]
    assert changed_lines(HEAD + program, RULE) == expected


def test_a_flag_that_only_a_method_nobody_calls_may_set_has_low_confidence() -> None:
    program = """
        class Search:
            def retrieve(self, query, debug=False):
                if debug:
                    tf.config.run_functions_eagerly(True)
                return query
            def score(self, query, device=0):
                return self.retrieve(query, device)
        """
    assert [finding.confidence.level for finding in check(HEAD + cleandoc(program), RULE)] == [Level.LOW]


@pytest.mark.parametrize(
    ("program", "level"),
    [
        (f"def debug():\n    {SWITCH}", Level.LOW),
        (f"def debug():\n    {SWITCH}\ndebug()", Level.HIGH),
        ("def make(net):\n    net.compile('sgd', run_eagerly=True)", Level.LOW),
        ("def train(net, x):\n    net.compile('sgd', run_eagerly=True)\n    net.fit(x)", Level.LOW),
        (
            "def train(x):\n    net = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
            "    net.compile('sgd', 'mse', run_eagerly=True)\n    net.fit(x)",
            Level.MEDIUM,
        ),
    ],
    ids=["uncalled", "called", "a model that nothing trains", "what is unknown", "a model that is trained"],
)
def test_a_switch_in_a_function_that_nothing_calls_has_low_confidence(program: str, level: Level) -> None:
    assert [finding.confidence.level for finding in check(HEAD + program, RULE)] == [level]
