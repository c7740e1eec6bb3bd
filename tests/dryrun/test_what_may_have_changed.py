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
    "an entry that one way puts into a dict": (
        "extra = {}\nif json.loads(text): extra['debug'] = True",
        "extra",
    ),
    "an entry that one way takes out of a dict": (
        "extra = {'debug': True}\nif json.loads(text): del extra['debug']",
        "'debug' in extra",
    ),
    "the same, asked with a default": (
        "extra = {}\nif json.loads(text): extra['debug'] = True",
        "extra.get('debug', False)",
    ),
    "the first that passes, or a default": (
        "hooked = next((True for name in json.loads(text) if name == 'hook'), False)",
        "hooked",
    ),
    "a slice of a list": ("flags = [True, True]\nflags[:] = [False, False]", "flags[0]"),
    "the first place of a list": ("steps = [1, 2]\nsteps.insert(0, None)", "steps[0] is not None"),
    "the last entry of a dict": ("left = {'a': 1}\nleft.popitem()", "left"),
    "the order of a dict": (
        "from collections import OrderedDict\nparts = OrderedDict(a=1, b=2)\nparts.move_to_end('a')",
        "next(iter(parts)) == 'a'",
    ),
    "a set that loses elements": ("names = {'a', 'b'}\nnames.difference_update({'a'})", "len(names) == 2"),
    "a set that is given one twice": ("names = set(['a', 'a', 'b'])", "len(names) == 3"),
    "a queue that is full": (
        "import collections\nlast = collections.deque(maxlen=2)\nfor each in (1, 2, 3): last.append(each)",
        "len(last) > 2",
    ),
    "a queue that turns": (
        "import collections\nlast = collections.deque([1, 0])\nlast.rotate()",
        "last[0]",
    ),
    "a heap": ("import heapq\nheap = []\nheapq.heappush(heap, 1)", "not heap"),
    "a list that stays sorted": ("import bisect\nparts = [1, 3]\nbisect.insort(parts, 0)", "parts[0]"),
    "a list that is shuffled": ("import random\nparts = [1, 0]\nrandom.shuffle(parts)", "parts[0]"),
    "entries in the order of their keys": ("value = sorted({'b': 1, 'a': 0}.items())[0][1]", "value"),
    "an order that a function gives": (
        "levels = sorted(['l10', 'l9'], key=lambda name: int(name[1:]))",
        "levels[0] == 'l10'",
    ),
    "an order that nobody knows": ("levels = sorted(['a', 'b'], key=json.loads)", "levels[0] == 'a'"),
    "the largest by another measure": ("sizes = {'a': 1, 'b': 3}", "max(sizes, key=sizes.get) == 'a'"),
    "the longer of two lists": (
        "import itertools\npairs = list(itertools.zip_longest([1], [1, 2]))",
        "len(pairs) == 1",
    ),
    "an iterator that is used up": ("words = (w for w in 'ab')\nlist(words)\nrest = list(words)", "rest"),
    "an iterator that gives pairs": ("it = iter([1, 2, 3, 4])\npairs = list(zip(it, it))", "len(pairs) == 4"),
    "a product of three": (
        "import functools\nsize = functools.reduce(lambda a, b: a * b, [2, 2, 2])",
        "size == 4",
    ),
    "a count that begins nobody knows where": (
        "for step, name in enumerate(['a'], json.loads(text)): print(step)",
        "step == 0",
    ),
    "a number in a text, with its format": ("tag = f'{3:03d}'", "tag == '3'"),
    "a number to another base": ("mask = int('101', 2)", "mask == 101"),
    "arguments by their names": ("import math", "not math.isclose(1.0, 1.1, rel_tol=0.5)"),
    "a key that a dict has not met": (
        "import collections\nhooks = collections.defaultdict(list)\nhooks['loss'].append(1)",
        "hooks['debug']",
    ),
    "the keys of a dict that gets one more": (
        "losses = {'a': 1}\nnames = losses.keys()\nlosses['b'] = 2",
        "len(names) == 1",
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
        ("extra = {}\nif json.loads(text): extra['debug'] = True\nextra['name'] = 'a'", "extra"),
        ("left = {'a': 1, 'b': 2}\nleft.popitem()", "len(left) == 1"),
        ("steps = [1, 2]\nsteps.insert(0, None)", "steps[0] is None"),
        ("words = sorted(['b', 'a'], reverse=True)", "words[0] == 'b'"),
        ("import collections\nhooks = collections.defaultdict(list)\nhooks['a'].append(1)", "hooks['a']"),
        ("debug = True\nfor key in ('a', 'b'):\n    if key not in json.loads(text): continue", "debug"),
    ):
        (finding,) = check(GUARDED.format(before=before, guard=guard), "GD801")
        assert finding.severity is Severity.ERROR, before
