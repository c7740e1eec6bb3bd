"""What a call does beside giving a result."""

import contextlib
import io
import os

import numpy

from library_probe.calls import Call, arguments
from library_probe.types_of import GENERATORS


def effect(function, call: Call, library: str) -> str:
    """What NumPy's generators, the output and the directory show: "random", "print", "write" or ""."""
    positional, keywords = arguments(call, library)
    before, files, text = random_state(), set(os.listdir()), io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(io.StringIO()):
        try:
            function(*positional, **keywords)
        except Exception:
            return ""
    if random_state() != before:
        return "random"
    if text.getvalue():
        return "print"
    return "write" if set(os.listdir()) != files else ""


def generator_state(generator) -> object:
    return generator.get_state() if hasattr(generator, "get_state") else generator.bit_generator.state


def random_state() -> str:
    """The state, with the second normal number that NumPy keeps for the next call."""
    state = numpy.random.get_state(legacy=False)
    own = [str(generator_state(generator)) for generator in GENERATORS.values()]
    return f"{own} {state['state']['key'].tobytes()!r} {state['state']['pos']} {state['has_gauss']}"
