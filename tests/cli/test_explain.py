"""`graphdoctor explain`: wrong input is said in one line, and a recording stands in for --arg."""
# ruff: noqa: E501

import json
import pathlib

import pytest
from tests.autograph.explained import run_explain
from tests.cli.commands import graphdoctor
from tests.running import TensorFlowServer

TWICE = """import tensorflow as tf


@tf.function
def scale(x, rate, batch):
    return x * rate + batch["mel"]


for rate in (1.0, 2.0):
    scale(tf.ones([3]), rate, {"mel": tf.ones([3]), "index": 4})
"""

WRONG = {
    "no colon": (
        ["marks.py"],
        "marks.py: expected MODULE:FUNCTION or FILE.py:FUNCTION, as in train.py:train_step",
    ),
    "no file": (["absent.py:f"], "absent.py: no such file"),
    "no module": (["absent:f"], "absent: no such module here; a file is named with its .py"),
    "no function": (
        ["indentation.py:f"],
        "indentation.py:f: module indentation has no `f`; it has mixed",
    ),
    "no method": (
        ["reasons.py:Thing.f"],
        "reasons.py:Thing.f: class Thing has no `f`; it has no function; "
        "an attribute of its objects needs --self",
    ),
    "a class": (
        ["reasons.py:Thing"],
        "reasons.py:Thing: `Thing` is a class: name one of its methods: it has none of its own",
    ),
    "a layer": (
        ["reasons.py:Layer"],
        "reasons.py:Layer: `Layer` is a class: name one of its methods: call",
    ),
    "a number": (
        ["marks.py:rate"],
        "marks.py:rate: expected a function, got `rate` of type float",
    ),
    "inside a function": (
        ["reasons.py:uses_closure.add"],
        "reasons.py:uses_closure.add: what is defined inside `uses_closure` exists only while that runs: "
        "name what keeps it, or call graphdoctor.explain(function, …) in the program",
    ),
    "no instance": (
        ["reasons.py:Thing.__init__"],
        "`Thing()` raised TypeError: Thing.__init__() missing 1 required positional argument: 'x'; "
        "say how to make one: --self 'Thing(…)'",
    ),
    "wrong instance": (
        ["reasons.py:Mangled.method", "--self", "Absent()"],
        "--self Absent(): NameError: name 'Absent' is not defined",
    ),
    "no examples": (
        ["reasons.py:walrus"],
        "`walrus(x)` needs other examples: missing a required argument: 'x'",
    ),
    "no such argument": (
        ["reasons.py:walrus", "--arg", "x=float32[3]", "--arg", "y=1"],
        "`walrus(x)` needs other examples: got an unexpected keyword argument 'y'",
    ),
    "no value": (
        ["reasons.py:walrus", "--arg", "x"],
        "--arg x: expected NAME=float32[None,80] or NAME=VALUE",
    ),
    "no size": (
        ["reasons.py:walrus", "--arg", "x=float32[a]"],
        "float32[a]: `a` is no size: expected numbers and None, as in [None,80]",
    ),
    "no expression": (
        ["reasons.py:walrus", "--arg", "x=absent"],
        "--arg x=absent: NameError: name 'absent' is not defined; a text needs quotes, "
        "and a tensor is given as float32[None,80]",
    ),
    "no format": (
        ["reasons.py:walrus", "-o", "page.doc"],
        "page.doc: expected a name that ends in .html, .txt, .json or .svg",
    ),
    "no recording": (
        ["reasons.py:walrus", "--recording", "absent.jsonl"],
        "absent.jsonl: cannot be read: No such file or directory",
    ),
    "not sampled": (
        ["reasons.py:walrus", "--arg", "x=float32[...]", "--compare"],
        "--compare needs a value for TensorSpec(shape=<unknown>, dtype=tf.float32, name=None): "
        "give one with --arg NAME=VALUE",
    ),
}


@pytest.fixture(scope="module")
def errors(tensorflow: TensorFlowServer) -> dict[str, str]:
    """What each wrong command says."""
    answers = run_explain(tensorflow, *(arguments for arguments, _ in WRONG.values()))
    return dict(zip(WRONG, (answer.error for answer in answers), strict=True))


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", WRONG)
def test_wrong_input_is_said_in_one_line(errors: dict[str, str], name: str) -> None:
    assert errors[name] == WRONG[name][1]


def test_an_error_ends_with_exit_code_2(tmp_path: pathlib.Path) -> None:
    done = graphdoctor("explain", "absent.py:f", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "graphdoctor: absent.py: no such file\n")


def test_a_module_that_raises_is_said(tmp_path: pathlib.Path) -> None:
    (tmp_path / "broken.py").write_text("raise ValueError('no data')\n")
    done = graphdoctor("explain", "broken.py:f", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "graphdoctor: broken.py: importing it raised ValueError: no data\n"


SCRIPTS = {
    "an error": "raise ValueError('no data')\n",
    "an exit": "import sys\nsys.exit(3)\n",
    "a file that is missing": "open('data.csv')\n",
}


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", SCRIPTS)
def test_what_a_script_defined_before_it_ended_in_an_error_is_explained(
    name: str, tensorflow: TensorFlowServer, tmp_path: pathlib.Path
) -> None:
    script = tmp_path / "script.py"
    script.write_text("import tensorflow as tf\n\n\ndef double(x):\n    return x * 2.0\n\n\n" + SCRIPTS[name])
    (answer,) = run_explain(tensorflow, [f"{script}:double", "--arg", "x=float32[2]"])
    assert answer.error == ""
    assert "return x * 2.0" in answer.output


MARKED = {
    "a multi-line first statement in a loop": (
        "@tf.function(autograph=False)\ndef f(x):\n    for _ in range(3):\n        x = tf.add(\n            x,\n"
        "            1.0,\n        )\n    return x\n",
        {"for _ in range(3):": ("unrolled", 3)},
    ),
    "a docstring": (
        'def f(x):\n    """Adds one."""\n    return x + 1.0\n',
        {'"""Adds one."""': (None, 0)},
    ),
    "texts as comments, and a function inside": (
        'def f(x):\n    """Twice."""\n    "as a comment"\n\n    def g(y):\n        """Inner."""\n        return y * 2.0\n\n'
        "    return g(x)\n",
        {'"""Twice."""': (None, 0), '"as a comment"': (None, 0), '"""Inner."""': (None, 0)},
    ),
    "a loop of one line, and one in another": (
        "@tf.function(autograph=False)\ndef f(x):\n    for _ in range(2):\n        for _ in range(3):\n"
        "            x = x + 1.0\n    return x\n",
        {"for _ in range(2):": ("unrolled", 2), "for _ in range(3):": ("unrolled", 6)},
    ),
}  # fmt: skip


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", MARKED)
def test_lines_are_marked_by_statement(
    name: str, tensorflow: TensorFlowServer, tmp_path: pathlib.Path
) -> None:
    program, expected = MARKED[name]
    script = tmp_path / "marked.py"
    script.write_text("import tensorflow as tf\n\n\n" + program)
    (answer,) = run_explain(tensorflow, [f"{script}:f", "--arg", "x=float32[2]", "-o", "page.json"])
    lines = {line["text"].strip(): line for line in json.loads(answer.written)["lines"]}
    marked = {text: (lines[text].get("mark"), lines[text].get("count", 0)) for text in expected}
    assert marked == expected


@pytest.mark.tensorflow
def test_arguments_are_taken_from_a_recording(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(TWICE, name="scaling.py")
    target = f"{pathlib.Path(ran.recording.path).parent / 'scaling.py'}:scale"
    recording = ["--recording", ran.recording.path]
    page, hit, miss = run_explain(
        tensorflow,
        [target, *recording],
        [target, *recording, "--signature"],
        [target, *recording, "--arg", "rate=3.0", "--arg", "x=float32[4]", "--signature"],
    )
    given = "  given  x: float32[3], rate: 2.0, batch: {mel: float32[3], index: 4}"
    assert page.output.splitlines()[1] == given
    assert hit.output.splitlines()[-1] == "It would hit: the recording holds a trace for this key (2 in all)."
    assert miss.output.splitlines()[-3:] == [
        "It would not hit: of 2 traces the closest differs in",
        "  rate: now 3.0, before 2.0",
        "  x axis 0: now 4, before 3",
    ]
