"""GD912: placeholders of TensorFlow 1 in eager code; first the programs that are right."""

from inspect import cleandoc

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module, check_paths
from graphdoctor.source import parse_module

V1 = "import tensorflow.compat.v1 as tf\n"
RIGHT = {
    "eager execution is off": "tf.disable_eager_execution()\nx = tf.placeholder(tf.float32, [2])",
    "all of TensorFlow 2 is off": "tf.disable_v2_behavior()\nx = tf.placeholder(tf.float32, [2])",
    "perhaps it is off": """
        import sys
        if len(sys.argv) > 1:
            tf.disable_eager_execution()
        x = tf.placeholder(tf.float32, [2])
        """,
    "a graph": """
        with tf.Graph().as_default():
            x = tf.placeholder(tf.float32, [2])
        """,
    "a session": """
        with tf.Session() as session:
            x = tf.placeholder(tf.float32, [2])
        """,
    "a graph around what is called": """
        def make():
            return tf.placeholder(tf.float32, [2])
        with tf.Graph().as_default():
            x = make()
        """,
    "a graph that a generator opens": """
        import contextlib
        @contextlib.contextmanager
        def graph():
            with tf.Graph().as_default():
                yield
        with graph():
            x = tf.placeholder(tf.float32, [2])
        """,
    "a graph that an object opens": """
        class Graph:
            def __enter__(self):
                self.opened = tf.Graph().as_default()
                self.opened.__enter__()
            def __exit__(self, *error):
                self.opened.__exit__(*error)
        with Graph():
            x = tf.placeholder(tf.float32, [2])
        """,
    "an interactive session": "session = tf.InteractiveSession()\nx = tf.placeholder(tf.float32, [2])",
    "a function that nothing calls": """
        def make():
            return tf.placeholder(tf.float32, [2])
        """,
    "a function that a library calls": """
        def make():
            return tf.placeholder(tf.float32, [2])
        tf.wrap_function(make, [])
        """,
    "the function of an estimator": """
        def model(features, labels, mode):
            return tf.placeholder(tf.float32, [2])
        tf.estimator.Estimator(model_fn=model).train(lambda: None)
        """,
    "only under a condition": """
        import sys
        if len(sys.argv) > 1:
            x = tf.placeholder(tf.float32, [2])
        """,
    "who waits for the error": """
        try:
            x = tf.placeholder(tf.float32, [2])
        except RuntimeError:
            tf.disable_eager_execution()
        """,
    "a library that may switch": "import someone\nx = tf.placeholder(tf.float32, [2])",
    "a default": "x = tf.placeholder_with_default(tf.constant(1.0), [])",
}
REPORTED = {
    "at the top": "x = tf.placeholder(tf.float32, [2])\ny = tf.placeholder(tf.float32, [2])",
    "in what the program calls": """
        def main():
            x = tf.placeholder(tf.float32, [2])
        if __name__ == "__main__":
            main()
        """,
    "the switch comes too late": "x = tf.placeholder(tf.float32, [2])\ntf.disable_eager_execution()",
    "a place in the program": """
        with tf.variable_scope("inputs"):
            x = tf.placeholder(tf.float32, [2])
        """,
    "the session is over": """
        with tf.Session() as session:
            pass
        x = tf.placeholder(tf.float32, [2])
        """,
}


@pytest.mark.parametrize("program", RIGHT.values(), ids=RIGHT)
def test_what_has_a_graph_is_right(program: str) -> None:
    assert _reported(V1 + cleandoc(program)) == []


def test_plain_tensorflow_1_is_another_matter() -> None:
    assert _reported("import tensorflow as tf\nx = tf.placeholder(tf.float32, [2])") == []


@pytest.mark.parametrize("program", REPORTED.values(), ids=REPORTED)
def test_a_placeholder_in_eager_code_is_reported_once(program: str) -> None:
    assert _reported(V1 + cleandoc(program)) == ["GD912 error"]


def test_the_other_way_to_name_it() -> None:
    assert _reported("import tensorflow as tf\nx = tf.compat.v1.placeholder('float', [2])") == ["GD912 error"]


@pytest.mark.parametrize(
    ("pinned", "expected"),
    [
        ("tensorflow==1.15.2\n", 0),
        ("tensorflow-gpu<2\n", 0),
        ("tensorflow~=1.14\n", 0),
        ("tensorflow==2.1.0\n", 1),
        ("tensorflow<2.10\n", 1),
        ("tensorflow>=1.13\n", 1),
    ],
)
def test_the_requirements_may_ask_for_tensorflow_1(tmp_path, monkeypatch, pinned: str, expected: int) -> None:
    (tmp_path / "requirements.txt").write_text(pinned)
    (tmp_path / "program.py").write_text(V1 + "x = tf.placeholder(tf.float32, [2])\n")
    monkeypatch.chdir(tmp_path)
    assert len(check_paths(["program.py"], Config()).findings) == expected


@pytest.mark.parametrize(
    ("readme", "expected"),
    [
        ("Run main.py with tensorflow1, main_tf2.py with tensorflow2.", 0),
        ("Needs TensorFlow 1.15", 0),
        ("For TF 1.x", 0),
        ("Needs TensorFlow 2.1; 1 GPU is enough", 1),
        ("tensorflow>=2.1, tf-agents 0.1", 1),
    ],
)
def test_the_readme_may_name_tensorflow_1(tmp_path, monkeypatch, readme: str, expected: int) -> None:
    (tmp_path / "README.md").write_text(readme)
    (tmp_path / "program.py").write_text(V1 + "x = tf.placeholder(tf.float32, [2])\n")
    monkeypatch.chdir(tmp_path)
    assert len(check_paths(["program.py"], Config()).findings) == expected


def test_a_module_of_the_project_switches_for_all(tmp_path, monkeypatch) -> None:
    (tmp_path / "switch.py").write_text(V1 + "tf.disable_eager_execution()\n")
    (tmp_path / "program.py").write_text(V1 + "import switch\nx = tf.placeholder(tf.float32, [2])\n")
    (tmp_path / "other.py").write_text(V1 + "x = tf.placeholder(tf.float32, [2])\n")
    monkeypatch.chdir(tmp_path)
    found = check_paths(["program.py", "other.py"], Config()).findings
    assert [(finding.path, finding.rule) for finding in found] == [("other.py", "GD912")]


def test_the_import_is_named() -> None:
    text = V1 + "x = tf.placeholder(tf.float32, [2])\n"
    (finding,) = check_module(parse_module("program.py", text), Config())
    assert finding.message == "`tf.placeholder` needs a graph; eager execution is enabled"
    assert [(each.line, each.message) for each in finding.related] == [(1, "enabled since this import")]


def _reported(program: str) -> list[str]:
    found = check_module(parse_module("program.py", program + "\n"), Config())
    return [f"{finding.rule} {finding.severity.value.lower()}" for finding in found]
