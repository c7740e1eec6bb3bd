"""Python imports this file by itself: it makes TensorFlow's start as talkative as on some processors.

The lines are written where the real ones are: to file descriptor 2, when TensorFlow's library is loaded and
when its first operation runs. Nothing is imported that the program has not imported; the folder of
this file is on PYTHONPATH where FAKE_LOG_NOISE is set (see tests/log_filter/faking.py).
"""

import functools
import importlib
import os
import pathlib
import sys
import time

LIBRARY = "tensorflow.python.pywrap_tensorflow"
CONTEXT = "tensorflow.python.eager.context"
WARNING = "WARNING: All log messages before absl::InitializeLog() is called are written to STDERR"
ONEDNN = (
    "port.cc:153] oneDNN custom operations are on. You may see slightly different numerical results due to"
    " floating-point round-off errors from different computation orders. To turn them off, set the"
    " environment variable `TF_ENABLE_ONEDNN_OPTS=0`."
)
PROCESSOR = (
    "cpu_feature_guard.cc:227] This TensorFlow binary is optimized to use available CPU instructions in"
    " performance-critical operations.\nTo enable the following instructions: AVX2 AVX512F AVX512_VNNI"
    " AVX512_BF16 FMA, in other operations, rebuild TensorFlow with the appropriate compiler flags."
)


def write(*messages):
    """Write the messages as absl does before it is set up."""
    stamp = f"I0000 00:00:{time.time():.6f} {os.getpid():>7} "
    text = "\n".join([WARNING, *(stamp + message for message in messages)]) + "\n"
    os.write(2, text.encode())


class Finder:
    """Finds nothing, but hears what is looked for."""

    def find_spec(self, name, path=None, target=None):
        if name == LIBRARY:
            write(ONEDNN, PROCESSOR)
        if hasattr(sys.modules.get(CONTEXT), "Context"):
            sys.meta_path.remove(self)
            speak_at_the_first_operation(sys.modules[CONTEXT])
        return


def speak_at_the_first_operation(module):
    """Write when the context is made, in functions that are TensorFlow's to whoever looks at calls."""
    original = module.Context.ensure_initialized

    @functools.wraps(original)
    def ensure_initialized(self):
        module.Context.ensure_initialized = original
        write(PROCESSOR)
        return original(self)

    for function in (ensure_initialized, write):
        function.__code__ = function.__code__.replace(co_filename=module.__file__)
    module.Context.ensure_initialized = ensure_initialized


def hand_over():
    """Import the `sitecustomize` that would have been imported without this one."""
    here = str(pathlib.Path(__file__).parent)
    before, ours = sys.path[:], sys.modules.pop("sitecustomize", None)
    sys.path[:] = [entry for entry in before if entry != here]
    try:
        importlib.import_module("sitecustomize")
    except ImportError:
        if ours is not None:
            sys.modules["sitecustomize"] = ours
    finally:
        sys.path[:] = before


if not any(type(finder).__name__ == "Finder" for finder in sys.meta_path):
    sys.meta_path.insert(0, Finder())
hand_over()
