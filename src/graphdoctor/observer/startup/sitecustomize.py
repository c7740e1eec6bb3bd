"""Python imports this file by itself when it starts the observed program, before the program's first line.

It leaves no trace of itself in `sys.path` or the environment, starts the observer, and hands over
to the `sitecustomize` that would have been imported without us.
"""

import importlib.util
import json
import os
import pathlib
import sys


def _start_observer():
    settings = json.loads(os.environ["GRAPHDOCTOR_OBSERVER"])
    here = str(pathlib.Path(__file__).resolve().parent)
    sys.path[:] = [entry for entry in sys.path if entry != here]
    if not settings["subprocesses"]:
        del os.environ["GRAPHDOCTOR_OBSERVER"]
        if settings["pythonpath"] is None:
            os.environ.pop("PYTHONPATH", None)
        else:
            os.environ["PYTHONPATH"] = settings["pythonpath"]
    package = pathlib.Path(__file__).resolve().parents[2]
    spec = importlib.util.spec_from_file_location(
        "graphdoctor", package / "__init__.py", submodule_search_locations=[str(package)]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules["graphdoctor"] = module
    spec.loader.exec_module(module)
    from graphdoctor.observer.session import observe_this_process

    observe_this_process(settings)


def _hand_over():
    ours = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        sys.modules["sitecustomize"] = ours


if "GRAPHDOCTOR_OBSERVER" in os.environ:
    _start_observer()
    _hand_over()
