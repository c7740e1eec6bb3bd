"""The newest TensorFlow that code may be for, by what stands around it: pins, images, READMEs, notebooks."""

import glob
import json
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

from graphdoctor.model.reading import read_regular
from graphdoctor.source.keras_generation import READMES, files_of_requirements, text_of, upwards
from graphdoctor.source.remembering import remembered_of_files

Version = tuple[int, int]
ANY = 99
NAME = r"(?i)(?<![\w/-])tensorflow(?:[-_]gpu|[-_]cpu|[-_]macos|[-_]intel)?(?:\[[\w,-]*\])?"
PINNED = re.compile(NAME + r"['\"]?\s*=?\s*['\"]?((?:\s*,?\s*(?:===?|~=|>=|<=|<|=|!=|>)\s*[\d.*]+)+)")
LOCKED = re.compile(
    r"(?i)\"?tensorflow(?:-gpu)?\"[:\n\s{]*[^}]{0,4000}?\"?version\"?\s*[:=]\s*\"(?:==)?(\d+)\.(\d+)"
)
BOUND = re.compile(r"(===?|~=|>=|<=|<|=|!=|>)\s*(\d+)(?:\.(\d+|\*|x))?(\.\d+)?")
IMAGE = re.compile(r"tensorflow/tensorflow:(\d+)\.(\d+)|nvcr\.io/nvidia/tensorflow:\S*-tf(\d)")
# Of what is named in words, that a later one will do as well says nothing.
NAMED = re.compile(
    r"(?i)(?<![a-z0-9])(?:tensorflow(?:[-_ ]gpu)?|tf)(\W{0,4}(?:versions?\W*|v)?)"
    r"([12])(?!\d)(?:\.(\d+|x))?[\d.x]*(?=([^\n]{0,20}))"
)
OR_LATER = re.compile(r"(?i)^\W{0,3}(?:\+|(?:(?:and|or)\W+)?(?:up|above|later|higher|newer|greater))")
SELECTED = re.compile(r"%tensorflow_version\s+1|TensorFlow 1\.x selected")
INSTALLED = re.compile(r"(?i)\btensorflow(?:[-_]gpu)?(?:-|==)(\d+)\.(\d+)[\d.]*(?![\w.-])")
SHOWN = re.compile(r"(?i)(?:(?:tf|tensorflow)\b[^\n]{0,24}?|^['\"]?)([12])\.(\d+)\.\d+", re.MULTILINE)
# The last TensorFlow for each Python that the ones with Keras 3 do not run on. (2.11 runs on 3.7 too; by
# then few used it.)
LAST_FOR_PYTHON = {"2.7": (2, 1), "3.5": (2, 3), "3.6": (2, 6), "3.7": (2, 10), "3.8": (2, 13)}
PYTHON = re.compile(
    r"(?i)python(?:_version|_full_version)?[\s:=\-('\"`*]{0,5}(2\.7|3\.[5-8])(?!\d)[\d.x]*(?=([^\n]{0,20}))"
)
PLACED = re.compile(r"python(2\.7|3\.[5-8])/(?:site|dist)-packages")
LOCKS = ("Pipfile.lock", "poetry.lock")
OTHERS = ("environment.y*ml", "conda*.y*ml", "env*.y*ml", "Pipfile", "runtime.txt", ".python-version")
IMAGES = ("Dockerfile*", "docker/Dockerfile*", "*.Dockerfile")


def newest_tensorflow(path: str) -> Version | None:
    """The newest TensorFlow that the code in a file may be for; None where nothing says it.

    A notebook tells of itself; else the nearest folder that says something does, first by what it requires.
    """
    own = _of_notebook(path) if path.endswith(".ipynb") else None
    folders = upwards(os.path.dirname(os.path.abspath(path)))
    return own or next(filter(None, map(newest_of_folder, folders)), None)


@remembered_of_files
def newest_of_folder(folder: str) -> Version | None:
    """The newest TensorFlow that the files of one folder name."""
    required = [text_of(each) for each in (*files_of_requirements(folder), *_matching(folder, OTHERS))]
    readmes = [text_of(os.path.join(folder, each)) for each in (*READMES, "readme.md", "Readme.md")]
    images = [text_of(each) for each in _matching(folder, IMAGES)]
    return (
        _latest(map(pinned_version, (*required, *images)))
        or _latest(_locked(text_of(os.path.join(folder, name))) for name in LOCKS)
        or _latest(_images(text) for text in images)
        or _latest(map(named_version, readmes))
        or _latest(map(_of_python, (*required, *images, *readmes)))
    )


def _matching(folder: str, patterns: Iterable[str]) -> Iterator[str]:
    for pattern in patterns:
        yield from sorted(glob.iglob(os.path.join(glob.escape(folder), pattern)))


def _latest(versions: Iterable[Version | None]) -> Version | None:
    return max(filter(None, versions), default=None)


def pinned_version(text: str) -> Version | None:
    """The newest TensorFlow that a file of requirements allows; None where it allows any."""
    return _latest(_allowed(bounds) for bounds in PINNED.findall(text))


def _allowed(bounds: str) -> Version | None:
    found = []
    for operator, major, minor, rest in BOUND.findall(bounds):
        whole = (int(major), int(minor) if minor.isdigit() else ANY)
        if operator == "<":
            whole = (whole[0], whole[1] - 1) if minor.isdigit() and int(minor) else (int(major) - 1, ANY)
        elif operator == "~=" and not rest:
            whole = (int(major), ANY)
        if operator not in (">", ">=", "!="):
            found.append(whole)
    return min(found) if found and min(found) < (2, ANY) else None


def _locked(text: str) -> Version | None:
    return _latest((int(major), int(minor)) for major, minor in LOCKED.findall(text))


def _images(text: str) -> Version | None:
    found = [
        (1, ANY) if only == "1" else (int(major), int(minor))
        for major, minor, only in IMAGE.findall(text)
        if major or only == "1"
    ]
    return _latest(found)


def named_version(text: str) -> Version | None:
    """The newest TensorFlow that a README names, where none of what it names may be a later one too."""
    found = NAMED.findall(text)
    if any(">" in before or OR_LATER.match(after) for before, _, _, after in found):
        return None
    versions = {(int(major), int(minor) if minor.isdigit() else ANY) for _, major, minor, _ in found}
    exact = _latest(versions - {(2, ANY)})
    return None if (2, ANY) in versions and exact is not None and exact[0] == 1 else exact


def _of_python(text: str) -> Version | None:
    """The last TensorFlow for the Python that a text names."""
    named = [version for version, after in PYTHON.findall(text) if not OR_LATER.match(after)]
    return _latest(LAST_FOR_PYTHON.get(each) for each in named)


@remembered_of_files
def _of_notebook(path: str) -> Version | None:
    """What a notebook installs, has shown, and was run with."""
    try:
        notebook = json.loads(read_regular(path))
        cells = [cell for cell in notebook["cells"] if cell.get("cell_type") == "code"]
        texts = [("".join(cell["source"]), "".join(_shown(cell))) for cell in cells]
        metadata = notebook.get("metadata") or {}
        python = str((metadata.get("language_info") or {}).get("version", ""))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if any(SELECTED.search(text) for pair in texts for text in pair):
        return (1, ANY)
    asked = _latest(pinned_version(line) for source, _ in texts for line in _shell_lines(source))
    versions = [shown for source, shown in texts if "__version__" in source]
    shown = _latest((int(a), int(b)) for text in versions for a, b in SHOWN.findall(text))
    installed = _latest((int(a), int(b)) for _, text in texts for a, b in INSTALLED.findall(text))
    placed = {version for _, text in texts for version in PLACED.findall(text)}
    return (
        asked or shown or installed or _of_python("\n".join(f"python {each}" for each in {python, *placed}))
    )


def _shell_lines(source: str) -> list[str]:
    return [line for line in source.split("\n") if "pip" in line and "install" in line]


def _shown(cell: dict[str, Any]) -> Iterator[str]:
    """The texts among the outputs of a cell."""
    for output in cell.get("outputs", ()):
        data = output.get("data") or {}
        for text in (output.get("text"), data.get("text/plain"), output.get("traceback")):
            yield "".join(text or ()) + "\n"
