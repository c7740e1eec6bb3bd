"""A guard in front of what would raise: what Python may have made of it is not taken for what it was."""

import pytest
from tests.checking import check

from graphdoctor.model import Severity

GUARDED = """
import contextlib, json
from elsewhere import text
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
    "an entry under a key that is unknown": (
        "config = {'debug': True}\nfor key, value in json.loads(text).items(): config[key] = value",
        "config['debug']",
    ),
    "an attribute whose name is unknown": (
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
    "what a loop sets that may have no iteration": (
        "def steps():\n    n = 0\n    while n < json.loads(text): yield n; n += 1\n"
        "seen = False\nfor each in steps(): seen = True",
        "seen",
    ),
    "a dict made of one with such an entry": (
        "extra = {}\nif json.loads(text): extra['debug'] = True\noptions = dict(extra)",
        "options",
    ),
    "a dict that gets such an entry": (
        "extra = {}\nif json.loads(text): extra['debug'] = True\n"
        "options = {'debug': False}\noptions.update(extra)",
        "options['debug']",
    ),
    "an argument that only some ways give": (
        "extra = {}\nif json.loads(text): extra['debug'] = True\n"
        "def asked(debug=False): return debug\ndebug = asked(**extra)",
        "debug",
    ),
    "a dict that a function gets which is unknown": (
        "import elsewhere\nconfig = {'debug': True}\nelsewhere.load(config)",
        "config['debug']",
    ),
    "a list that such a function gets": ("from elsewhere import fill\nrows = []\nfill(rows)", "not rows"),
    "the order of a set": ("names = list({'a', 'b'})", "names[0] == 'a'"),
    "a set under another name": ("one = {1}\nother = one\nother |= {2}", "len(one) == 1"),
    "a dict under another name": ("one = {'a': 1}\nother = one\nother |= {'a': 0}", "one['a']"),
    "an attribute of a class whose name is unknown": (
        "class Config: debug = True\nfor key, value in json.loads(text).items(): setattr(Config, key, value)",
        "Config.debug",
    ),
    "a global name that a thread sets": (
        "import threading\nready = False\ndef load():\n    global ready\n    ready = True\n"
        "threading.Thread(target=load).start()",
        "not ready",
    ),
    "an attribute that is taken away": (
        "class Net: debug = False\nnet = Net()\nnet.debug = True\ndelattr(net, 'debug')",
        "net.debug",
    ),
    "a list that gets an element through its class": ("rows = []\nlist.append(rows, 1)", "not rows"),
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
    "a queue that iterations": (
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
    "an order that is unknown": ("levels = sorted(['a', 'b'], key=json.loads)", "levels[0] == 'a'"),
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
    "a count that begins it is unknown where": (
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
    "an attribute of one of two objects": (
        "class Net: frozen = False\na, b = Net(), Net()\n(a if json.loads(text) else b).frozen = True",
        "not a.frozen",
    ),
    "an attribute of an object somewhere in a list": (
        "class Net: frozen = False\nnets = [Net(), Net()]\nnets[json.loads(text)].frozen = True",
        "not nets[0].frozen",
    ),
    "what a method sets that is unknown": (
        "class Net:\n    debug = True\n    def quiet(self): self.debug = False\n"
        "net = Net()\ngetattr(net, json.loads(text))()",
        "net.debug",
    ),
    "an attribute of the class, set by a name that is unknown": (
        "class Config: debug = True\nconfig = Config()\n"
        "for key, value in json.loads(text).items(): setattr(config, key, value)",
        "config.debug",
    ),
    "a namespace that a file fills": (
        "import types\nconfig = types.SimpleNamespace(debug=True)\nconfig.__dict__.update(json.loads(text))",
        "config.debug",
    ),
    "a record that a file replaces": (
        "import dataclasses\n@dataclasses.dataclass\nclass Config:\n    debug: bool = True\n"
        "config = dataclasses.replace(Config(), **json.loads(text))",
        "config.debug",
    ),
    "what a replaced record works out": (
        "import dataclasses\n@dataclasses.dataclass\nclass Config:\n    level: int = 2\n"
        "    def __post_init__(self): self.debug = self.level > 1\n"
        "config = dataclasses.replace(Config(), level=0)",
        "config.debug",
    ),
    "defaults of options that a file sets": (
        "import argparse\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--debug', default=True)\n"
        "parser.set_defaults(**json.loads(text))\nargs = parser.parse_args()",
        "args.debug",
    ),
    "options that the program gives itself": (
        "import argparse\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--steps', type=int, default=5)\nargs = parser.parse_args(['--steps', '0'])",
        "args.steps",
    ),
    "a global name, set through the dict of all": ("DEBUG = True\nglobals()['DEBUG'] = False", "DEBUG"),
    "a global name, among others": ("DEBUG = True\nglobals().update(DEBUG=False)", "DEBUG"),
    "a global name, set by code that is unknown": ("DEBUG = True\nexec(open('config').read())", "DEBUG"),
    "a global name, set on the module": (
        "import sys\nDEBUG = True\nsetattr(sys.modules[__name__], 'DEBUG', False)",
        "DEBUG",
    ),
    "an attribute that a frozen record sets": (
        "import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass Config:\n    debug: bool = True\n"
        "    def __post_init__(self): object.__setattr__(self, 'debug', False)\nconfig = Config()",
        "config.debug",
    ),
    "what a thread sets": (
        "import threading\nclass Loader:\n    ready = False\n    def load(self): self.ready = True\n"
        "loader = Loader()\nthreading.Thread(target=loader.load).start()",
        "not loader.ready",
    ),
    "a list that workers fill": (
        "from concurrent.futures import ThreadPoolExecutor\nrows = []\n"
        "with ThreadPoolExecutor() as pool: pool.submit(rows.append, 1).result()",
        "not rows",
    ),
    "what is done at the end of a block": (
        "class Source:\n    is_open = True\n    def close(self): self.is_open = False\n"
        "source = Source()\nwith contextlib.closing(source): pass",
        "source.is_open",
    ),
    "what stands behind an error that is suppressed": (
        "ready = False\nwith contextlib.suppress(OSError):\n    open('settings')\n    ready = True",
        "ready",
    ),
    "a field that is none": (
        "import dataclasses\nfrom typing import ClassVar\n@dataclasses.dataclass\nclass Config:\n"
        "    version: ClassVar[int] = 2\n    debug: bool = True\nconfig = Config(False)",
        "config.debug",
    ),
    "a member that is a number": ("import enum\nclass Level(enum.IntEnum): OFF = 0", "Level.OFF"),
    "an object that is a text": ("class Name(str): pass\nname = Name('')", "name"),
    "an attribute that another class gives": (
        "class Switch:\n    def __get__(self, holder, owner=None): return False\n"
        "class Trainer: debug = Switch()\ntrainer = Trainer()",
        "trainer.debug",
    ),
    "an object that its metaclass finishes": (
        "class Post(type):\n    def __call__(cls):\n        made = super().__call__()\n"
        "        made.ready = True\n        return made\n"
        "class Net(metaclass=Post):\n    def __init__(self): self.ready = False\nnet = Net()",
        "not net.ready",
    ),
    "a function that the class of the argument chooses": (
        "import functools\n@functools.singledispatch\ndef debug(value): return True\n"
        "@debug.register\ndef _(value: int): return False",
        "debug(3)",
    ),
    "the name of a function that is wrapped": (
        "import functools\ndef old(): pass\n@functools.wraps(old)\ndef new(): pass",
        "new.__name__ == 'new'",
    ),
    "an entry that an object takes out itself": (
        "class Table:\n    def __init__(self): self.rows = {'a': 1}\n"
        "    def __delitem__(self, key): del self.rows[key]\ntable = Table()\ndel table['a']",
        "'a' in table.rows",
    ),
    "what asking for membership changes": (
        "class Line:\n    empty = True\n    def __contains__(self, name): self.empty = False\n"
        "line = Line()\n'a' in line",
        "line.empty",
    ),
}


@pytest.mark.parametrize(("before", "guard"), CHANGED.values(), ids=CHANGED)
def test_what_may_have_changed_is_not_certain(before: str, guard: str) -> None:
    found = check(GUARDED.format(before=before, guard=guard), "GD801")
    assert not any(each.is_shown for each in found)


def test_what_stays_is_certain() -> None:
    for before, guard in (
        ("best = None\nfor each in (1, 2): print(each)", "best is None"),
        ("ready = True\ntry: import elsewhere\nexcept ImportError: pass", "ready"),
        ("config = {'debug': True}\nconfig.update(name='a')", "config['debug']"),
        ("config = {'debug': True}\njson.loads(text).update(config)", "config['debug']"),
        ("extra = {}\nif json.loads(text): extra['debug'] = True\nextra['name'] = 'a'", "extra"),
        ("left = {'a': 1, 'b': 2}\nleft.popitem()", "len(left) == 1"),
        ("steps = [1, 2]\nsteps.insert(0, None)", "steps[0] is None"),
        ("words = sorted(['b', 'a'], reverse=True)", "words[0] == 'b'"),
        ("import collections\nhooks = collections.defaultdict(list)\nhooks['a'].append(1)", "hooks['a']"),
        ("DEBUG = False\nglobals()['DEBUG'] = True", "DEBUG"),
        ("import enum\nclass Level(enum.Enum): OFF = 0", "Level.OFF"),
        ("import enum\nclass Level(enum.IntEnum): ON = 1", "Level.ON"),
        ("class Table:\n    def __contains__(self, name): return True\ntable = Table()", "'a' in table"),
        ("debug = True\nfor key in ('a', 'b'):\n    if key not in json.loads(text): continue", "debug"),
    ):
        (finding,) = check(GUARDED.format(before=before, guard=guard), "GD801")
        assert finding.severity is Severity.ERROR, before
