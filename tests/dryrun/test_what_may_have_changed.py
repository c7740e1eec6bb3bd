"""A guard in front of what would raise: what Python may have made of it is not taken for what it was."""

import pytest
from tests.checking import check

from graphdoctor.model import Severity

GUARDED = """
import contextlib, json
import tensorflow as tf
{before}
@tf.function
def f(x):
    if {guard}: return x.numpy()
    return x
f(tf.ones([2]))
"""
CHANGED = {
    "a name that a way sets which breaks": (
        "best = None\nfor each in json.loads(text):\n    if each: best = each; break",
        "best is None",
    ),
    "the same, in a loop with a condition": (
        "best, n = None, 0\nwhile n < count:\n    n += 1\n    if json.loads(text): best = n; break",
        "best is None",
    ),
    "a name that is set behind a way that goes on": (
        "debug = False\nfor key in ('a', 'b'):\n    if key not in json.loads(text): continue\n"
        "    debug = True",
        "debug",
    ),
    "what an import that may fail would have set": (
        "ready = False\ntry:\n    import elsewhere\n    ready = True\nexcept ImportError: pass",
        "ready",
    ),
    "what follows where nothing was raised": (
        "ready = False\ntry: open('settings')\nexcept OSError: pass\nelse: ready = True",
        "ready",
    ),
    "a default that a file replaces": (
        "config = {'debug': True}\nconfig.update(json.loads(text))",
        "config['debug']",
    ),
    "defaults and a file together": (
        "config = {**{'debug': True}, **json.loads(text)}",
        "config['debug']",
    ),
    "an entry under a key that nobody knows": (
        "config = {'debug': True}\nfor key, value in json.loads(text).items(): config[key] = value",
        "config['debug']",
    ),
    "an attribute whose name nobody knows": (
        "class Config: pass\nconfig = Config()\nconfig.debug = True\n"
        "for key, value in json.loads(text).items(): setattr(config, key, value)",
        "config.debug",
    ),
}


@pytest.mark.parametrize(("before", "guard"), CHANGED.values(), ids=CHANGED)
def test_what_may_have_changed_is_not_certain(before: str, guard: str) -> None:
    found = check(GUARDED.format(before=before, guard=guard), "GD801")
    assert {each.severity for each in found} <= {Severity.NOTE}


def test_what_stays_is_certain() -> None:
    for before, guard in (
        ("best = None\nfor each in (1, 2): print(each)", "best is None"),
        ("ready = True\ntry: import elsewhere\nexcept ImportError: pass", "ready"),
        ("config = {'debug': True}\nconfig.update(name='a')", "config['debug']"),
        ("debug = True\nfor key in ('a', 'b'):\n    if key not in json.loads(text): continue", "debug"),
    ):
        (finding,) = check(GUARDED.format(before=before, guard=guard), "GD801")
        assert finding.severity is Severity.ERROR, before
