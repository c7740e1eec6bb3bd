"""Which Keras a module uses: 2, 3, or unknown; under 3, AutoGraph does not convert what Keras calls."""

import os
import re

# Names that only one generation has.
ONLY_IN_3 = re.compile(
    r"\bkeras\.(ops|random|distribution|config|saving\.KerasFileEditor)\b|\bfrom keras import ops\b"
)
ONLY_IN_2 = re.compile(
    r"\btf_keras\b|TF_USE_LEGACY_KERAS|\bkeras\.backend\.(function|placeholder|get_session)\b"
)
FILES = ("pyproject.toml", "requirements.txt", "setup.py", "setup.cfg", "environment.yml", "Pipfile")
PINNED_TENSORFLOW = re.compile(
    r"\btensorflow(?:-cpu|-gpu|-macos|-intel)?(?:\[[\w,-]*\])?['\"]?\s*=?\s*['\"]?(==|~=|>=|<=|<|=)\s*2\.(\d+)"
)
PINNED_KERAS = re.compile(r"(?<![\w-])keras['\"]?\s*=?\s*['\"]?(==|~=|>=)\s*([23])\b")
FIRST_WITH_KERAS_3 = 16


def generation_of(text: str, requirement: int | None) -> int | None:
    """The generation that a module's own text shows, else the one that the project requires."""
    if ONLY_IN_2.search(text):
        return 2
    if ONLY_IN_3.search(text):
        return 3
    return requirement


def required_generation(folder: str) -> int | None:
    """The generation that the nearest file of requirements at or above a folder pins."""
    current = os.path.abspath(folder)
    while True:
        answers = {_read(os.path.join(current, name)) for name in FILES} - {None}
        if answers:
            return answers.pop() if len(answers) == 1 else None
        parent = os.path.dirname(current)
        if parent == current or os.path.isdir(os.path.join(current, ".git")):
            return None
        current = parent


def _read(path: str) -> int | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return generation_in(file.read())
    except OSError:
        return None


def generation_in(text: str) -> int | None:
    """The generation that a file of requirements pins."""
    keras = {int(found) for _, found in PINNED_KERAS.findall(text)}
    if len(keras) == 1:
        return keras.pop()
    found = {_from_version(operator, int(minor)) for operator, minor in PINNED_TENSORFLOW.findall(text)} - {
        None
    }
    return found.pop() if len(found) == 1 else None


def _from_version(operator: str, minor: int) -> int | None:
    if operator in ("==", "~=", "="):
        return 3 if minor >= FIRST_WITH_KERAS_3 else 2
    if operator == ">=":
        return 3 if minor >= FIRST_WITH_KERAS_3 else None
    return 2 if minor <= FIRST_WITH_KERAS_3 - (operator == "<=") else None
