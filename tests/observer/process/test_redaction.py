"""What `--redact` lets through, and what it does not."""

import json
import pathlib
import re

import pytest
from tests.cli.commands import graphdoctor
from tests.running import TensorFlowServer

from graphdoctor.observer.process.redaction import Redactor

KEY = "00" * 16


def arguments(*given: dict[str, object]) -> list[dict[str, object]]:
    event = {"event": "trace", "arguments": list(given)}
    redacted = Redactor(KEY).redact(event)["arguments"]
    assert isinstance(redacted, list)
    return redacted


def test_equal_values_look_equal_and_others_do_not() -> None:
    one, same, other = arguments(
        {"path": "a", "kind": "value", "type": "str", "text": "'secret'"},
        {"path": "b", "kind": "value", "type": "str", "text": "'secret'"},
        {"path": "c", "kind": "value", "type": "int", "text": "3"},
    )
    assert one["text"] == same["text"] != other["text"]
    assert (one["path"], one["type"]) == ("a", "str")
    assert str(one["text"]).startswith("#")
    assert len(str(one["text"])) == 9


def test_another_key_gives_other_digests() -> None:
    assert Redactor(KEY).digest("a") != Redactor("11" * 16).digest("a")


def test_shapes_dtypes_names_and_flags_stay() -> None:
    given = (
        {"path": "x", "kind": "tensor", "type": "TensorSpec", "dtype": "float32", "shape": [3, None]},
        {"path": "f", "kind": "object", "type": "function", "text": "main.activation", "identity": 3},
        {"path": "training", "kind": "value", "type": "bool", "text": "True"},
        {"path": "p", "kind": "record", "keys": ["mean", "scale"]},
        {"path": "p.mean", "kind": "value", "type": "NoneType", "text": "None"},
        {"path": "items", "kind": "list", "length": 1},
        {"path": "items[0]", "kind": "tensor", "type": "TensorSpec", "dtype": "int32", "shape": []},
    )
    assert arguments(*given) == list(given)


def test_keys_are_values_also_in_paths() -> None:
    digest = Redactor(KEY).digest
    redacted = arguments(
        {"path": "d", "kind": "dict", "keys": ["'alice'", "3", "('x]', 1)"]},
        {"path": 'd["alice"]', "kind": "list", "length": 1},
        {"path": 'd["alice"][0]', "kind": "value", "type": "int", "text": "1"},
        {"path": "d[3]", "kind": "dict", "keys": []},
        {"path": "d[('x]', 1)]", "kind": "value", "type": "int", "text": "1"},
        {"path": "e", "kind": "value", "type": "int", "text": "1"},
    )
    alice, three, pair = digest("'alice'"), digest("3"), digest("('x]', 1)")
    assert redacted[0]["keys"] == [alice, three, pair]
    assert [entry["path"] for entry in redacted] == [
        "d",
        f"d[{alice}]",
        f"d[{alice}][0]",
        f"d[{three}]",
        f"d[{pair}]",
        "e",
    ]


def test_unknown_fields_of_later_probes_are_values_until_proven_otherwise() -> None:
    redacted = Redactor(KEY).redact(
        {"event": "trace", "captured": [{"name": "rate", "now": "'secret'", "line": 3}]}
    )
    digest = Redactor(KEY).digest("'secret'")
    assert redacted == {"event": "trace", "captured": [{"name": "rate", "now": digest, "line": 3}]}


def test_names_of_places_hide_their_keys() -> None:
    redactor = Redactor(KEY)

    def named(name: str) -> str:
        return str(redactor.redact({"event": "stale", "state": {"name": name}})["state"]["name"])

    rate = redactor.digest("'rate'")
    assert named("self.layers[3].rate") == "self.layers[3].rate"
    assert named('options["rate"][0]') == f"options[{rate}][0]"
    hidden = "'a b'][0]['c'"
    assert named("options['a b'][0]['c']") == f"options[{redactor.digest(hidden)}]"


def test_problems_and_program_arguments_are_cut() -> None:
    redactor = Redactor(KEY)
    assert redactor.redact({"event": "problem", "message": "begin: KeyError: 'secret'"})["message"] == "begin"
    header = redactor.redact({"event": "header", "program": ["python", "--token=secret"], "directory": "/d"})
    assert header["program"] == ["python", redactor.digest("--token=secret")]
    assert header["directory"] == "/d"


@pytest.mark.tensorflow
def test_a_redacted_recording_explains_without_telling(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(
        """
import tensorflow as tf


@tf.function
def step(x, options, password):
    if password == "hunter2-2":
        raise ValueError(password)
    return x * options["hunter2"]


for number in (17171, 18181, 19191):
    step(tf.ones([2]), {"hunter2": number}, "hunter2-1")
step(tf.ones([2]), {"hunter2": 1}, "hunter2-2")
""",
        redact=KEY,
    )
    assert ran.error == "ValueError"
    text = (ran.folder / "recording.jsonl").read_text()
    for secret in ("hunter2", "17171", "18181", "19191"):
        assert text.count(secret) == 0
    digest = Redactor(KEY).digest
    (function,) = ran.report.functions
    assert function.causes[0].argument == f"options[{digest(repr('hunter2'))}]"
    assert (function.causes[0].now, function.causes[0].before.split(", ")[0]) == (
        digest("1"),
        digest("19191"),
    )
    assert json.loads(text.splitlines()[1])["arguments"][0]["shape"] == [2]


SECRETS = """import tensorflow as tf

password = "hunter2-global"


@tf.function
def f(x, n, key="hunter2-default"):
    token = "hunter2-token"  # hunter2-comment
    if n == 31339:
        raise ValueError("hunter2-error" + token)
    return x * n


for n in (31337, 31338, 31339):
    f(tf.ones([2]), n, key="hunter2-argument")
"""


@pytest.mark.tensorflow
def test_no_report_of_a_redacted_run_holds_a_value(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.py").write_text(SECRETS)
    options = ("--redact", "--recording", "r.jsonl", "-o", "r.html")
    done = graphdoctor("run", *options, "train.py", "--password", "hunter2-argv", cwd=tmp_path)
    own = done.stderr.partition("── graphdoctor")[2]
    assert "Where " in own
    assert "import" in own.partition("TensorFlow")[0], "the phases keep their names"
    assert 'f(tf.ones([0]), n, key="****************")' in own
    assert "fix (manual)" in own
    assert "redacted: `#…` is the digest of a value" in own
    for name in ("r.json", "r.sarif"):
        assert graphdoctor("report", "r.jsonl", "-o", name, cwd=tmp_path).stderr == ""
    made = [(tmp_path / f"r.{form}").read_text() for form in ("jsonl", "html", "json", "sarif")]
    for text in (own, *made, graphdoctor("report", "r.jsonl", cwd=tmp_path).stdout):
        assert len(text) > 300
        assert re.findall("hunter2-[a-z]*|3133[789]", text) == []
    assert (tmp_path / "r.jsonl").stat().st_mode & 0o777 == 0o600
