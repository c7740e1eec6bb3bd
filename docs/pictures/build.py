"""`python docs/pictures/build.py`: run a few programs, and photograph what graphdoctor shows of them.

Needs TensorFlow and Chromium. The pictures are small (few colours) and are committed; they are made again
when the pages look different.
"""

import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from editor import photographed
from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from rich.console import Console

from graphdoctor.config import Config
from graphdoctor.judging import judge_recordings
from graphdoctor.model import Report
from graphdoctor.recording import read_recording
from graphdoctor.reports.run import print_run

HERE = pathlib.Path(__file__).parent
WIDTH = 1100
COLOURS = 128
TRAIN = """import tensorflow as tf

weights = tf.Variable(tf.ones([80, 1]))


@tf.function
def train_step(inputs, targets, step):
    rate = 0.1 / (1.0 + tf.cast(step, tf.float32))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(inputs @ weights - targets))
    weights.assign_sub(rate * tape.gradient(loss, weights))
    return loss


def batches():
    for length in (16, 16, 24, 16, 32):
        yield tf.ones([length, 80]), tf.ones([length, 1])


step = 0
for epoch in range(8):
    for inputs, targets in batches():
        loss = train_step(inputs, targets, step)
        step += 1
"""
MODEL = """import tensorflow as tf

rate = tf.Variable(0.1)


@tf.function
def clip(gradient, limit, rounds):
    norm = tf.sqrt(tf.reduce_sum(gradient**2))
    if norm > limit:
        gradient = gradient * limit / norm
    for i in tf.range(rounds):
        gradient = gradient * (1.0 - rate)
    for power in range(3):
        gradient = gradient + 0.1**power
    print("clipped", gradient)
    return gradient
"""
TERMINAL = """<meta charset="utf-8"><style>body {{ margin: 0; background: #16181c }}
pre {{ display: inline-block; margin: 0; padding: 18px 22px; color: #e7e9ec }}
pre {{ font: 14px/1.4 "DejaVu Sans Mono", monospace }}
</style><body>{code}</body>"""


def main() -> None:
    """Make all pictures."""
    with tempfile.TemporaryDirectory(prefix="graphdoctor-pictures-") as folder:
        os.chdir(folder)
        pathlib.Path("train.py").write_text(TRAIN)
        pathlib.Path("model.py").write_text(MODEL)
        graphdoctor("run", "-q", "--recording", "run.jsonl", "-o", "report.html", "train.py")
        examples = ["--arg", "gradient=float32[None]", "--arg", "limit=float32[]", "--arg", "rounds=int32[]"]
        graphdoctor("explain", "model.py:clip", *examples, "-o", "explanation.html")
        report = judge_recordings((read_recording("run.jsonl"),), Config())
        pathlib.Path("terminal.html").write_text(terminal(report), encoding="utf-8")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
            photograph(browser, "terminal", element="pre")
            photograph(browser, "report", height=1060)
            photograph(browser, "explanation", height=700)
            os.utime("train.py", (1, 1))  # older than its run
            pathlib.Path(".graphdoctor").mkdir()
            shutil.copy2("run.jsonl", ".graphdoctor/train-1.jsonl")
            picture = TERMINAL.format(code=photographed(pathlib.Path("train.py"), "traced 40 ×"))
            pathlib.Path("editor.html").write_text(picture, encoding="utf-8")
            photograph(browser, "editor", element="pre")
            browser.close()


def graphdoctor(*arguments: str) -> None:
    """A command of graphdoctor, which must go well."""
    subprocess.run([sys.executable, "-m", "graphdoctor", *arguments], check=True)


def terminal(report: Report) -> str:
    """What `graphdoctor run` prints at the end, with its colours, as a page."""
    console = Console(file=io.StringIO(), record=True, width=96, force_terminal=True, highlight=False)
    print_run(report, console)
    code = console.export_html(
        inline_styles=True, code_format="<pre>$ graphdoctor run train.py\n\n{code}</pre>"
    )
    # Colours of a terminal with a dark background, where the library thinks of a light one.
    for light, dark in {
        "#800000": "#ff9c94",
        "#800080": "#d59bf6",
        "#808000": "#f2c94c",
        "#008000": "#7fd08f",
    }.items():
        code = code.replace(light, dark)
    return TERMINAL.format(code=code.replace("#7f7f7f", "#a4abb6"))


def photograph(browser: Browser, name: str, element: str = "", height: int = 600) -> None:
    """The page NAME.html as NAME.png beside this file."""
    page = browser.new_page(viewport={"width": WIDTH, "height": height})
    page.goto(pathlib.Path(f"{name}.html").absolute().as_uri())
    target = page.locator(element) if element else page
    picture = Image.open(io.BytesIO(target.screenshot()))
    covering = Image.Quantize.MAXCOVERAGE  # small marks keep their colour
    small = picture.convert("RGB").quantize(COLOURS, method=covering, dither=Image.Dither.NONE)
    small.save(HERE / f"{name}.png", optimize=True)
    print(f"{name}.png: {(HERE / f'{name}.png').stat().st_size // 1000} kB")


def find_chromium() -> str:
    """The path of the browser."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        sys.exit("no Chromium on this machine: `apt-get install chromium`")
    return found


if __name__ == "__main__":
    main()
