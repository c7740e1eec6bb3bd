"""Which files to look at, and their text."""

import fnmatch
import io
import os
import re
import tokenize
from collections.abc import Iterable, Iterator

from graphdoctor.errors import SourceError
from graphdoctor.model.paths import relative_path
from graphdoctor.model.reading import read_regular
from graphdoctor.source.gitignore import IgnoredByGit

SKIPPED_DIRECTORIES = {"__pycache__", "node_modules", "site-packages", "venv"}
MADE_DIRECTORIES = {"build", "dist"}  # what packaging makes, unless they are packages themselves
MENTIONS = (b"tensorflow", b"keras")
# Without one of these a file has no entry point of its own and no gradient tape; it is looked into when
# others call it. Plain texts, and patterns that begin with one, are searched ten times as fast as one
# pattern with all of them.
ENTRANCES = (
    b"Dataset", b"num_parallel_calls", b"GradientTape", b"apply_gradients", b"trainable_variables",
    b"Lambda(", b"LearningRateSchedule", b"loss=", b"metrics=", b"run_eagerly", b"functions_eagerly",
    b".map(", b".filter(", b".flat_map(", b".interleave(", b".reduce(", b".scan(", b"def call(",
    b".fit(", b".predict", b".evaluate(", b"Input(",
    b"def train_step(", b"def test_step(", b"def predict_step(", b"def compute_loss(", b"def update_state(",
    b"def result(",
)  # fmt: skip
GRAPH_FUNCTION = re.compile(rb"\.function\b")
TOP_LEVEL_CALL = re.compile(rb"\n(?:[\w.]+\(|for |while |with )")
MODULE_CLASS = re.compile(rb"\nclass [^\n]*Module\b")
IMPORTED_FUNCTION = re.compile(rb"import [^\n]*\bfunction\b")


def find_files(
    paths: Iterable[str], exclude: tuple[str, ...] = (), looked: list[str] | None = None
) -> Iterator[tuple[str, bool]]:
    """Each Python file below the paths, once, and whether the user named it himself.

    `looked` gets the folders, and the files in them that say what is left out: while all of these are as they
    were, the answer is the same.
    """
    seen: set[str] = set()
    here = os.getcwd()
    for path in paths:
        named = not os.path.isdir(path)
        found = iter([path]) if named else _walk(path, exclude, looked)
        for file in (relative_path(name, here) for name in found):
            if file not in seen:
                seen.add(file)
                yield file, named


def _walk(directory: str, exclude: tuple[str, ...], looked: list[str] | None) -> Iterator[str]:
    ignored = IgnoredByGit(directory)
    for root, directories, files in os.walk(directory):
        if looked is not None:
            looked += [root, os.path.join(root, ".gitignore")]
        if ".gitignore" in files:
            ignored.read(root)
        directories[:] = sorted(
            name
            for name in directories
            if not name.startswith(".")
            and name not in SKIPPED_DIRECTORIES
            and not _is_made(root, name)
            and not _excluded(os.path.join(root, name), exclude)
            and not ignored.is_ignored(os.path.join(root, name) + "/")
        )
        for name in sorted(files):
            if name.endswith((".py", ".ipynb")):
                path = os.path.join(root, name)
                if not ignored.is_ignored(path) and not _excluded(path, exclude):
                    yield path


def _is_made(root: str, name: str) -> bool:
    return name in MADE_DIRECTORIES and not os.path.exists(os.path.join(root, name, "__init__.py"))


def _excluded(path: str, patterns: tuple[str, ...]) -> bool:
    path = os.path.normpath(path)
    return any(
        fnmatch.fnmatch(path, pattern)
        or fnmatch.fnmatch(os.path.basename(path), pattern)
        or path.startswith(pattern.rstrip("/") + "/")
        for pattern in patterns
    )


def read_bytes(path: str) -> bytes:
    """The file's bytes; SourceError says why not."""
    try:
        return read_regular(path)
    except FileNotFoundError as error:
        broken = os.path.islink(path)
        what = "is a link to a file that does not exist" if broken else "does not exist"
        raise SourceError(f"{path} {what}") from error
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}") from error


def nameable(path: str) -> str:
    """The path as text, with what is no UTF-8 in it spelled out."""
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


def refuse_unnameable(path: str) -> None:
    """SourceError for a file whose name no report could hold."""
    if nameable(path) != path:
        raise SourceError(f"{nameable(path)}: the name of this file is not UTF-8; rename it")


def decode(path: str, data: bytes) -> str:
    """The text as Python would decode it, with the line endings as they are."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceError(
            f"{path} is not {error.encoding} text: byte 0x{data[error.start]:02x} on line {line}; "
            "save it as UTF-8 or declare its encoding",
            line,
        ) from error
    except SyntaxError as error:
        raise SourceError(f"{path} is not Python text: {error.msg}") from error
    except (LookupError, ValueError) as error:  # `# coding: rot13` names a codec, and no encoding
        raise SourceError(f"{path} is not Python text: {error}") from error


def read_source(path: str) -> str:
    """The text of one file."""
    return decode(path, read_bytes(path))


def may_use_tensorflow(data: bytes) -> bool:
    """False for files that cannot concern us; they are not even parsed."""
    return any(mention in data for mention in MENTIONS)


def may_be_traced(data: bytes) -> bool:
    """False for files in which nothing can be traced by itself, nor differentiated, nor wants a graph."""
    return (
        any(entrance in data for entrance in ENTRANCES)
        or (b".function" in data and GRAPH_FUNCTION.search(data) is not None)
        or (b"def __call__(" in data and MODULE_CLASS.search(data) is not None)
        or (b"function" in data and IMPORTED_FUNCTION.search(data) is not None)
        or (b".placeholder(" in data and b"compat.v1" in data)
    )


def is_program(data: bytes) -> bool:
    """Whether it is meant to be run: it may call graph functions of other modules and name none itself."""
    return b"import" in data and (b"__main__" in data or TOP_LEVEL_CALL.search(b"\n" + data) is not None)


def has_own_comments(data: bytes) -> bool:
    """Whether a `# noqa` may name rules of ours, which could be unused."""
    return b"noqa" in data and b"GD" in data
