"""`graphdoctor check` as a user meets it."""

import json
import pathlib

import jsonschema
import msgspec
import pytest
from tests.cli.commands import graphdoctor

from graphdoctor.config import Config
from graphdoctor.model import Report

BAD = """import tensorflow as tf


@tf.function
def squares(n):
    array = tf.TensorArray(tf.int32, size=3)
    for i in tf.range(3):
        array.write(i, i * n)
    print(tf.norm(n))
    return array.stack()
"""


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "bad.py").write_text(BAD)
    (tmp_path / "src" / "clean.py").write_text("import tensorflow as tf\n")
    return tmp_path


def test_text_report(project: pathlib.Path) -> None:
    done = graphdoctor("check", "src", cwd=project, process=True)
    assert done.stdout == (
        "src/bad.py:8:9 WRONG GD311 dropped-tensorarray-write\n"
        "  the result of `write` is discarded, and `array` does not change\n"
        "  medium confidence: nothing in the project shows how it is called\n"
        "      array.write(i, i * n)\n"
        "      ^^^^^^^^^^^^^^^^^^^^^\n"
        "  fix (safe): Assign the result to `array`\n"
        "\n"
        "src/bad.py:9:5 WRONG GD201 print-in-graph\n"
        "  `print` runs only while `squares` is traced, not at each call\n"
        "  medium confidence: nothing in the project shows how it is called\n"
        "      print(tf.norm(n))\n"
        "      ^^^^^^^^^^^^^^^^^\n"
        "  fix (unsafe): Use `tf.print`\n"
        "\n"
        "2 findings (2 WRONG), 2 with a fix that can be applied. 1 graph function looked at.\n"
    )
    assert (done.returncode, done.stderr) == (1, "")


def test_nothing_found(project: pathlib.Path) -> None:
    done = graphdoctor("check", "src/clean.py", cwd=project)
    assert (done.stdout, done.returncode) == ("No findings. 0 graph functions looked at.\n", 0)


def test_json_report_keeps_to_the_schema(project: pathlib.Path) -> None:
    done = graphdoctor("check", ".", "--output-format", "json", cwd=project)
    schema = json.loads(graphdoctor("schema", cwd=project).stdout)
    report = json.loads(done.stdout)
    jsonschema.validate(report, schema)
    assert [f["rule"] for f in report["findings"]] == ["GD311", "GD201"]
    assert report["findings"][0]["evidence"] == "source"
    assert report["findings"][0]["function"] == {"name": "squares", "path": "src/bad.py", "line": 4}
    assert msgspec.json.decode(done.stdout, type=Report).complete


def test_output_file_by_extension(project: pathlib.Path) -> None:
    assert graphdoctor("check", "src", "-o", "r.json", cwd=project).stdout == ""
    assert len(json.loads((project / "r.json").read_text())["findings"]) == 2
    graphdoctor("check", "src", "-o", "r.txt", cwd=project)
    assert (
        (project / "r.txt")
        .read_text()
        .endswith("2 findings (2 WRONG), 2 with a fix that can be applied. 1 graph function looked at.\n")
    )


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        (["--select", "GD3"], ["GD311"]),
        (["--select", "GD201,GD311", "--ignore", "GD311"], ["GD201"]),
        (["--ignore", "print-in-graph"], ["GD311"]),
        (["--select", "GD101"], []),
    ],
)
def test_select_and_ignore(project: pathlib.Path, options: list[str], rules: list[str]) -> None:
    done = graphdoctor("check", "src", "--output-format", "json", *options, cwd=project)
    assert [f["rule"] for f in json.loads(done.stdout)["findings"]] == rules
    assert done.returncode == (1 if rules else 0)


def test_exit_zero(project: pathlib.Path) -> None:
    assert graphdoctor("check", "src", "--exit-zero", cwd=project).returncode == 0


def test_fix_applies_the_safe_ones_only(project: pathlib.Path) -> None:
    done = graphdoctor("check", "src", "--fix", cwd=project)
    text = (project / "src/bad.py").read_text()
    assert "        array = array.write(i, i * n)\n" in text
    assert "    print(tf.norm(n))\n" in text
    assert done.stderr == "1 fix applied in 1 file\n"
    assert done.returncode == 1


def test_unsafe_fixes_apply_all(project: pathlib.Path) -> None:
    done = graphdoctor("check", "src", "--fix", "--unsafe-fixes", cwd=project)
    assert "    tf.print(tf.norm(n))\n" in (project / "src/bad.py").read_text()
    assert (done.stdout, done.returncode) == ("No findings. 1 graph function looked at.\n", 0)


def test_a_helper_that_does_not_know_tensorflow_is_fixed(project: pathlib.Path) -> None:
    (project / "src/bad.py").write_text(
        "import tensorflow as tf\nfrom noise import jitter\n\n\n@tf.function\ndef f(x):\n"
        "    return x + jitter()\n"
        "\n\nfor _ in range(3):\n    f(tf.ones([2]))\n"
    )
    (project / "src/noise.py").write_text(
        "import random\n\n\ndef jitter():\n    return random.uniform(0.0, 1.0)\n"
    )
    (project / "src/broken.py").write_text("def jitter(:\n")
    done = graphdoctor("check", "src", "--fix", "--unsafe-fixes", cwd=project)
    assert (project / "src/noise.py").read_text() == (
        "import random\nimport tensorflow as tf\n\n\ndef jitter():\n"
        "    return tf.random.uniform([], 0.0, 1.0)\n"
    )
    assert (done.returncode, done.stderr) == (0, "1 fix applied in 1 file\n")


def test_what_one_file_keeps_is_edited_where_others_read_it(project: pathlib.Path) -> None:
    (project / "src/bad.py").write_text(
        "import tensorflow as tf\n\nseen = 0\n\n\n@tf.function\ndef f(x):\n    global seen\n    seen += 1\n"
        "    return x\n"
    )
    (project / "src/main.py").write_text(
        "import bad\nimport tensorflow as tf\n\nfor _ in range(3):\n"
        "    bad.f(tf.ones([2]))\nprint(bad.seen)\n"
    )
    graphdoctor("check", "src", "--fix", "--unsafe-fixes", cwd=project)
    assert (project / "src/main.py").read_text().endswith("print(bad.seen.numpy())\n")
    assert "seen = tf.Variable(0, trainable=False)" in (project / "src/bad.py").read_text()


def test_a_program_that_does_not_name_tensorflow_shows_what_is_to_be_fixed(project: pathlib.Path) -> None:
    (project / "src/bad.py").write_text(
        "import tensorflow as tf\n\n\ndef graph(f):\n    def run(*given):\n        made = tf.function(f)\n"
        "        return made(*given)\n\n    return run\n\n\n@graph\ndef double(x):\n    return x + x\n\n\n"
        "def ones():\n    return tf.ones([2])\n"
    )
    (project / "src/main.py").write_text(
        "import bad\n\nfor _ in range(9):\n    print(bad.double(bad.ones()))\n"
    )
    graphdoctor("check", "src", "--fix", "--unsafe-fixes", cwd=project)
    assert "    made = tf.function(f)\n\n    def run(*given):\n" in (project / "src/bad.py").read_text()


def test_diff_changes_nothing(project: pathlib.Path) -> None:
    done = graphdoctor("check", "src", "--diff", cwd=project)
    assert done.stdout == (
        "--- a/src/bad.py\n"
        "+++ b/src/bad.py\n"
        "@@ -5,6 +5,6 @@\n"
        " def squares(n):\n"
        "     array = tf.TensorArray(tf.int32, size=3)\n"
        "     for i in tf.range(3):\n"
        "-        array.write(i, i * n)\n"
        "+        array = array.write(i, i * n)\n"
        "     print(tf.norm(n))\n"
        "     return array.stack()\n"
    )
    assert (project / "src/bad.py").read_text() == BAD
    assert (done.returncode, done.stderr) == (1, "1 fix would be applied in 1 file\n")


def test_fix_keeps_encoding_line_endings_and_mode(project: pathlib.Path) -> None:
    path = project / "src/bad.py"
    text = "# -*- coding: latin-1 -*-\n# Größe\n" + BAD
    path.write_bytes(text.replace("\n", "\r\n").encode("latin-1"))
    path.chmod(0o755)
    graphdoctor("check", "src", "--fix", cwd=project)
    expected = text.replace("array.write", "array = array.write").replace("\n", "\r\n")
    assert path.read_bytes() == expected.encode("latin-1")
    assert path.stat().st_mode & 0o777 == 0o755


def test_pyproject_is_honoured(project: pathlib.Path) -> None:
    (project / "pyproject.toml").write_text(
        '[tool.graphdoctor]\nignore = ["GD2"]\nexclude = ["src/other*"]\n'
    )
    (project / "src/other.py").write_text(BAD)
    done = graphdoctor("check", ".", "--output-format", "json", cwd=project)
    assert [(f["rule"], f["path"]) for f in json.loads(done.stdout)["findings"]] == [("GD311", "src/bad.py")]


def test_noqa(project: pathlib.Path) -> None:
    text = BAD.replace("print(tf.norm(n))", "print(tf.norm(n))  # noqa: GD201").replace(
        "i * n)", "i * n)  # noqa"
    )
    (project / "src/bad.py").write_text(text)
    assert graphdoctor("check", "src", cwd=project).stdout == "No findings. 1 graph function looked at.\n"


BROKEN = [
    pytest.param("def f(:\n", "x.py is not Python: invalid syntax on line 1", id="not Python"),
    pytest.param('print "hello"\n', None, id="Python 2"),
    pytest.param(
        b"x = 1\ny = '\xff'\n",
        "x.py is not utf-8 text: byte 0xff on line 2; save it as UTF-8 or declare its encoding",
        id="not UTF-8",
    ),
    pytest.param("x = '\0'\n", None, id="a null byte"),
    pytest.param("# coding: klingon\n", "x.py is not Python text: unknown encoding: klingon", id="encoding"),
]


@pytest.mark.parametrize(("content", "message"), BROKEN)
def test_a_named_file_that_cannot_be_read_is_exit_2(
    tmp_path: pathlib.Path, content: str | bytes, message: str | None
) -> None:
    (tmp_path / "x.py").write_bytes(content if isinstance(content, bytes) else content.encode())
    done = graphdoctor("check", "x.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"graphdoctor: {message}\n" if message else "graphdoctor: x.py ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("content", "message"), BROKEN)
def test_one_bad_file_of_a_project_is_a_diagnostic(
    project: pathlib.Path, content: str | bytes, message: str | None
) -> None:
    data = content if isinstance(content, bytes) else content.encode()
    (project / "src/x.py").write_bytes(data + b"# tensorflow.function\n")
    done = graphdoctor("check", "src", "--output-format", "json", cwd=project)
    report = json.loads(done.stdout)
    assert [f["rule"] for f in report["findings"]] == ["GD311", "GD201", "GD000"]
    assert (report["complete"], done.returncode) == (False, 2)
    if message:
        assert report["findings"][2]["message"] == f"src/{message}"


def test_a_broken_link_in_a_project_is_a_diagnostic(project: pathlib.Path) -> None:
    (project / "src/link.py").symlink_to("nowhere.py")
    report = json.loads(graphdoctor("check", "src", "--output-format", "json", cwd=project).stdout)
    assert report["findings"][2]["message"] == "src/link.py is a link to a file that does not exist"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.py"], "none.py does not exist"),
        (["empty"], "empty: there is no Python file in this directory"),
        (["link.py"], "link.py is a link to a file that does not exist"),
        ([".", "--select", "GD7777"], "no rule is called GD7777: `graphdoctor rule` lists them"),
        (
            [".", "-o", "r.pdf"],
            "-o r.pdf: the extension must be one of .txt, .json, .sarif, .html, not `.pdf`",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_2(project: pathlib.Path, arguments: list[str], message: str) -> None:
    (project / "empty").mkdir()
    (project / "link.py").symlink_to("nowhere.py")
    done = graphdoctor("check", *arguments, cwd=project)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"graphdoctor: {message}\n")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("selct = ['GD1']", "[tool.graphdoctor] has no key `selct`; did you mean `select`?"),
        (
            "colour = 1",
            "[tool.graphdoctor] has no key `colour`; known are select, ignore, exclude, extend-select, "
            "per-file-ignores, keras, leave-out, min-confidence, fail-severity",
        ),
        ("keras = 4", "[tool.graphdoctor] keras must be 2 or 3, not 4"),
        ("select = 'GD1'", "[tool.graphdoctor] Expected `array`, got `str` - at `$.select`"),
    ],
)
def test_bad_configuration_is_one_line_and_exit_2(project: pathlib.Path, table: str, message: str) -> None:
    (project / "pyproject.toml").write_text(f"[tool.graphdoctor]\n{table}")
    done = graphdoctor("check", "src", cwd=project)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"graphdoctor: {project}/pyproject.toml: {message}\n"


def test_a_pyproject_that_is_not_toml_is_exit_2(project: pathlib.Path) -> None:
    (project / "pyproject.toml").write_text("[tool.graphdoctor")
    done = graphdoctor("check", "src", cwd=project)
    assert done.returncode == 2
    assert done.stderr.startswith(f"graphdoctor: {project}/pyproject.toml: cannot be read as TOML: ")


def test_an_empty_file_is_fine(tmp_path: pathlib.Path) -> None:
    (tmp_path / "empty.py").write_text("")
    assert (
        graphdoctor("check", "empty.py", cwd=tmp_path).stdout == "No findings. 0 graph functions looked at.\n"
    )


def test_help_teaches(tmp_path: pathlib.Path) -> None:
    assert "graphdoctor check src/" in graphdoctor("--help", cwd=tmp_path).stdout
    help_of_check = graphdoctor("check", "--help", cwd=tmp_path).stdout
    assert "# noqa: GD101" in help_of_check
    keys = [field.encode_name for field in msgspec.structs.fields(Config)]
    assert [key for key in keys if key not in help_of_check.partition("[tool.graphdoctor]")[2]] == []
