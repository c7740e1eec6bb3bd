"""Python imports this file by itself when it starts the observed program, before its first line.

It leaves no trace of itself in `sys.path` or the environment, starts the observer, and hands over
to the `sitecustomize` that would have been imported without us.
"""

from __future__ import annotations  # other Pythons of the user's may import this file too

import importlib.util
import json
import os
import pathlib
import sys


def _start_observer() -> None:
    settings = json.loads(os.environ["GRAPHDOCTOR_OBSERVER"])
    here = pathlib.Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if entry != str(here)]
    if not settings["subprocesses"]:
        _restore_environment(settings["pythonpath"])
    _load_package(here.parents[1])
    from graphdoctor.observer.starting import observe_this_process

    observe_this_process(settings)


def _restore_environment(pythonpath: str | None) -> None:
    del os.environ["GRAPHDOCTOR_OBSERVER"]
    if pythonpath is None:
        os.environ.pop("PYTHONPATH", None)
    else:
        os.environ["PYTHONPATH"] = pythonpath


def _load_package(directory: pathlib.Path) -> None:
    """Import this very graphdoctor, also where another or none is installed."""
    spec = importlib.util.spec_from_file_location(
        "graphdoctor", directory / "__init__.py", submodule_search_locations=[str(directory)]
    )
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["graphdoctor"] = module
        spec.loader.exec_module(module)


def _hand_over() -> None:
    ours = sys.modules.pop("sitecustomize")
    try:
        importlib.import_module("sitecustomize")
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        sys.modules["sitecustomize"] = ours


if "GRAPHDOCTOR_OBSERVER" in os.environ:
    if sys.version_info >= (3, 10):  # noqa: UP036 (the program may start other Pythons)
        _start_observer()
    _hand_over()
