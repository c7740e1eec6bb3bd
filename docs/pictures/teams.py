"""`python -m docs.pictures.teams [NAME…]`: photograph own rules, `tune`, workers, notebooks.

Needs TensorFlow and Chromium, as `build.py` beside it, whose photographs have the same look.
"""

import html
import os
import pathlib
import subprocess
import sys
import tempfile

from benchmarks import tune as tune_benchmark
from docs.pictures.build import TERMINAL, find_chromium, photograph
from playwright.sync_api import sync_playwright
from tests.integrations.test_notebook import run_cells
from tests.observer.test_workers import run_workers

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]

SERVE = """import tensorflow as tf


@tf.function
def serve(x):
    print("mean", tf.reduce_mean(x))
    return x + 1.0


for _ in range(3):
    serve(tf.ones([3]))
"""


def shown(command: str, **environment: str) -> str:
    """A command and what it printed, as a page that looks like a terminal."""
    done = subprocess.run(
        [sys.executable, "-m", "graphdoctor", *command.split()[1:]],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "100", "TF_CPP_MIN_LOG_LEVEL": "3", **environment},
        check=False,
    )
    return TERMINAL.format(code=f"<pre>$ {html.escape(command)}\n\n{html.escape(done.stdout)}</pre>")


def own_rule() -> str:
    """The finding of the example package's rule."""
    pathlib.Path("serve.py").write_text(SERVE)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        "site",
    ]
    subprocess.run(["cp", "-r", str(ROOT / "examples" / "team_rules"), "source"], check=True)
    subprocess.run([*pip, "./source"], check=True, capture_output=True)
    return shown("graphdoctor check serve.py", PYTHONPATH="site")


def tune() -> str:
    """An eager training loop, measured in other ways."""
    pathlib.Path("train.py").write_text(tune_benchmark.LOOP.replace("import time\n\n", ""))
    return shown("graphdoctor tune -q train.py")


def workers() -> str:
    """Two workers, of which one is traced again and again."""
    pathlib.Path("runs").mkdir()
    run_workers(pathlib.Path.cwd(), steps=6)
    page = shown("graphdoctor report runs").replace(html.escape(str(ROOT)) + "/tests/programs/workers/", "")
    head, _, rest = page.partition("TensorFlow ")
    return f"{head[: head.index('Where ')]}TensorFlow {rest.partition('  function ')[0]}</pre>"


def comment() -> str:
    """The comment of the action on a pull request that brings a retrace."""
    sys.path.insert(0, str(ROOT / "scripts" / "github_action"))
    import compare
    from markdown_it import MarkdownIt

    message = "`scale` was traced 3 more times (0.2 s) because `step` is a Python number"
    found = {"path": "train.py", "line": 10, "severity": "SLOW", "rule": "GD101", "message": message}
    change = {
        "name": "scale",
        "traces_before": 1,
        "traces_after": 4,
        "seconds_before": 0.06,
        "seconds_after": 0.25,
    }
    parts = [
        compare.findings_part({"findings": [found]}),
        compare.training_part({"functions": [change], "new": [found], "gone": []}),
        compare.lock_part({"train.py::scale": 1}, {"train.py::scale": 4}),
    ]
    text = MarkdownIt("commonmark").enable("table").render(compare.comment_of(parts))
    look = "pre{font:14px/1.5 sans-serif;white-space:normal;padding:16px;margin:0;width:820px}"
    look += "table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:4px 10px}"
    look += "code{background:#eee;padding:1px 4px}"
    return f"<meta charset='utf-8'><style>{look}</style><pre>{text}</pre>"


def notebook() -> str:
    """What stands below a cell, as a browser shows the outputs that a kernel gave."""
    cells = [
        "%load_ext graphdoctor",
        "import tensorflow as tf\n\n@tf.function\ndef scale(x, step):\n"
        "    print('mean', tf.reduce_mean(x))\n    return x * tf.cast(step, tf.float32)",
        "for step in range(100):\n    scale(tf.ones([3]), step)",
    ]
    look = ".all{white-space:normal;margin:0;padding:14px;width:900px;font:14px/1.5 sans-serif}"
    look += (
        ".in{background:#f5f5f5;border:1px solid #ddd;padding:8px;margin:10px 0 4px;font:13px/1.4 monospace}"
    )
    shown = []
    for cell, outputs in zip(cells, run_cells(cells, pathlib.Path.cwd()), strict=True):
        shown.append(f'<div class="in">{html.escape(cell)}</div>'.replace("div", "pre"))
        shown += [one["data"]["text/html"] for one in outputs if one["output_type"] == "display_data"]
    return f"<meta charset='utf-8'><style>{look}</style><main class='all'>{''.join(shown)}</main>"


PICTURES = {"comment": comment, "notebook": notebook, "own-rule": own_rule, "tune": tune, "workers": workers}


def main(names: list[str]) -> None:
    """Make the named pictures, or all."""
    for name in names or PICTURES:
        with tempfile.TemporaryDirectory(prefix="graphdoctor-pictures-") as folder:
            os.chdir(folder)
            pathlib.Path(f"{name}.html").write_text(PICTURES[name](), encoding="utf-8")
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
                photograph(browser, name, element="main" if name == "notebook" else "pre")
                browser.close()
            os.chdir(ROOT)


if __name__ == "__main__":
    main(sys.argv[1:])
