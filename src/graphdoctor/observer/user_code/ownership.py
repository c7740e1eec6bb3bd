"""Whose code a file is: the user's is what he runs or asks for, wherever it is installed."""

import contextlib
import fnmatch
import functools
import importlib.util
import os
import pathlib
import sys
import sysconfig

GENERATED_FILE = "__autograph_generated_file"
NO_FILES = ("<frozen ", GENERATED_FILE)
INSTALLED = ("/site-packages/", "/dist-packages/")
OWN_PACKAGE = str(pathlib.Path(__file__).resolve().parents[2])
# Nobody who runs or asks for these wants to read about their insides.
LIBRARIES = {
    "tensorflow",
    "keras",
    "tf_keras",
    "numpy",
    "graphdoctor",
    "pytest",
    "coverage",
    "IPython",
    "ipykernel",
}

_asked_for: tuple[str, ...] = ()


def ask_for(patterns: tuple[str, ...]) -> None:
    """From now on, installed code that one of these globs names is the user's."""
    global _asked_for
    _asked_for = patterns
    is_library.cache_clear()


@functools.lru_cache(maxsize=4096)
def is_library(path: str) -> bool:
    """Whether a file belongs to an installed package, the standard library, or no file at all."""
    if any(mark in path for mark in NO_FILES):
        return True
    installed = path.startswith(_library_roots()) or any(mark in path for mark in INSTALLED)
    return installed and not _is_run_or_asked_for(path)


@functools.cache
def _library_roots() -> tuple[str, ...]:
    keys = ("stdlib", "platstdlib", "purelib", "platlib")
    roots = {sysconfig.get_path(key) for key in keys} | {sys.base_prefix + "/lib"}
    return tuple(root.rstrip("/") + "/" for root in {*roots, OWN_PACKAGE} if root)


def _is_run_or_asked_for(path: str) -> bool:
    if path.startswith((OWN_PACKAGE + "/", _standard_library())) and not _below_installed(path):
        return False
    inner = _inside(path)
    if inner.partition("/")[0] in LIBRARIES:
        return False
    if any(
        path == own or (path.startswith(own) and not _below_installed(path[len(own) - 1 :])) for own in _run()
    ):
        return True
    return any(_names(pattern, path, inner) for pattern in _asked_for)


def _names(pattern: str, path: str, inner: str) -> bool:
    """Whether a glob names a file by its path, by that among the installed packages, or by a folder."""
    return any(
        fnmatch.fnmatch(one, pattern) or one.startswith(pattern.rstrip("/") + "/") for one in (path, inner)
    )


def _inside(path: str) -> str:
    """The path among the installed packages: `package/module.py`."""
    for mark in INSTALLED:
        path = path.rpartition(mark)[2]
    return path


def _below_installed(path: str) -> bool:
    return any(mark in path for mark in INSTALLED)


@functools.cache
def _standard_library() -> str:
    return sysconfig.get_path("stdlib").rstrip("/") + "/"


@functools.cache
def _run() -> tuple[str, ...]:
    """The installed folders, or the file, of the program that this process runs."""
    with contextlib.suppress(Exception):  # what stands in the command line may be anything
        module, script = _command(sys.orig_argv[1:])
        if module is not None:
            return _package(module)
        if script is not None:
            return _beside(os.path.abspath(script))
    return ()


def _command(words: list[str]) -> tuple[str | None, str | None]:
    """The module or the script of Python's command line."""
    remaining = iter(words)
    for word in remaining:
        if word in ("-W", "-X", "--check-hash-based-pycs"):
            next(remaining, None)
        elif word == "-c":
            return None, None
        elif word.startswith("-m"):
            return word[2:] or next(remaining, None), None
        elif not word.startswith("-"):
            return None, word
    return None, None


def _package(module: str) -> tuple[str, ...]:
    """The folder of the package that a module belongs to, or its file; nothing of it is imported."""
    spec = importlib.util.find_spec(module.partition(".")[0])
    if spec is None:
        return ()
    if spec.submodule_search_locations:
        return tuple(folder.rstrip("/") + "/" for folder in spec.submodule_search_locations)
    return (spec.origin,) if spec.origin else ()


def _beside(script: str) -> tuple[str, ...]:
    """The folder of a script, or of the package that it belongs to; itself where packages stand beside it."""
    if os.path.dirname(script) == sysconfig.get_path("scripts"):
        from importlib.metadata import entry_points

        found = entry_points(group="console_scripts", name=os.path.basename(script))
        return tuple(folder for one in found for folder in _package(one.module))
    folder = os.path.dirname(script)
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    top = script.removeprefix(folder + "/").partition("/")[0]
    if os.path.join(folder, top) != script:  # in a package
        return (os.path.join(folder, top) + "/",)
    is_root = folder + "/" in _library_roots() or folder.endswith(tuple(mark[:-1] for mark in INSTALLED))
    return (script,) if is_root else (folder + "/",)
