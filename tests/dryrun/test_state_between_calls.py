"""State that changes between calls: computed by NumPy, set around a `with`, in objects that a trace made."""

from inspect import cleandoc

import pytest
from tests.checking import check
from tests.dryrun.events import events_of

from graphdoctor.recording.format import Escape, Gradient, Stale

HEAD = "import contextlib\nimport functools\nimport math\n\nimport numpy as np\nimport tensorflow as tf\n"
SCHEDULE = """
class Sampler:
    def __init__(self):
        self.heat = np.float32(2.0)
    @tf.function
    def sample(self, x):
        return x / self.heat
sampler = Sampler()
for epoch in {epochs}:
    sampler.heat = {heat}
    sampler.sample(tf.ones([2]))
"""
SAME = (
    "np.float32(2.0)",
    "max(2.0, np.exp(0.0))",
    "np.clip(5.0, 0.0, 2.0)",
    "float(np.sqrt(4.0))",
    "max(2.0, -np.exp(epoch))",
    "np.float32(8.0) ** 2 / 32",
    "divmod(4, 2)[0]",
    "pow(2.0, 1)",
)
OTHER = (
    "max(0.5, 2.0 * np.exp(-0.5 * epoch))",
    "min([5.0, np.sqrt(epoch)])",
    "float(np.exp(-epoch))",
    "np.exp(-epoch).item()",
    "np.float32(0.9) ** epoch",
    "int(np.ceil(epoch / 2)) + 1",
    "round(np.exp(-epoch), 3)",
    "pow(0.9, epoch)",
    "divmod(epoch, 2)[1]",
    "np.float64(epoch)",
    "max(np.exp(-epoch), np.exp(-2 * epoch))",
)
SETTINGS = """
class Settings:
    current = None
    def __init__(self):
        self.greedy = False
        self.seen = 0
    @classmethod
    def get(cls):
        if cls.current is None:
            cls.current = cls()
        return cls.current
"""
NOT_STALE = {
    "entries that are attributes, of which another one changes": """
        class Settings(dict):
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                self.__dict__ = self
        settings = Settings(rate=1.0, iteration=0)
        @tf.function
        def act(x):
            return x * settings.rate
        act(tf.ones([2]))
        settings.iteration += 1
        settings["rate"] = 1.0
        act(tf.ones([2]))
        """,
    "an entry that is set before, as dict itself does it": """
        class Settings(dict):
            __getattr__ = dict.__getitem__
            __setattr__ = dict.__setitem__
        settings = Settings(rate=1.0)
        @tf.function
        def act(x):
            return x * settings.rate
        settings.rate = 2.0
        act(tf.ones([2]))
        act(tf.ones([2]))
        """,
    "a flag that the manager sets back before the next call": """
        class Policy:
            greedy = False
            @contextlib.contextmanager
            def evaluating(self):
                self.greedy = True
                try:
                    yield self
                finally:
                    self.greedy = False
            @tf.function
            def act(self, x):
                return -x if self.greedy else x
        policy = Policy()
        policy.act(tf.ones([2]))
        with policy.evaluating():
            pass
        policy.act(tf.ones([2]))
        """,
    "a manager that yields where it is unknown": """
        import sys
        class Policy:
            greedy = False
            @contextlib.contextmanager
            def evaluating(self):
                if len(sys.argv) > 1:
                    self.greedy = True
                    yield self
                else:
                    yield self
            @tf.function
            def act(self, x):
                return x
        policy = Policy()
        with policy.evaluating():
            policy.act(tf.ones([2]))
        policy.act(tf.ones([2]))
        """,
    "an object that a trace makes, keeps and itself changes": """
        @tf.function
        def act(x):
            settings = Settings.get()
            settings.seen = settings.seen + 1
            return x * settings.seen
        act(tf.ones([2]))
        act(tf.ones([2]))
        """,
    "an entry of a dict of the project that stays the same": """
        class Settings(dict):
            def __getattr__(self, name):
                return self[name]
            def __setattr__(self, name, value):
                self[name] = value
        settings = Settings(rate=1.0)
        @tf.function
        def act(x):
            return x * settings.rate
        for _ in range(2):
            settings.rate = 1.0
            settings.other = 2.0
            act(tf.ones([2]))
        """,
    "an entry that is unknown": """
        class Settings(dict):
            def __init__(self, given):
                dict.__init__(self, given)
        settings = Settings({"rate": 1.0})
        @tf.function
        def act(x):
            return x * settings["rate"]
        act(tf.ones([2]))
        act(tf.ones([2]))
        """,
}
STALE = {
    "a schedule that begins with what there was, set behind the call": (
        "settings.rate",
        """
        class Plain:
            rate = 0.0
        settings = Plain()
        @tf.function
        def act(x):
            return x * settings.rate
        for epoch in range(20):
            act(tf.ones([2]))
            settings.rate = min(1.0, epoch / 10)
        """,
    ),
    "an entry by its attribute, as dict itself finds it": (
        "settings.rate",
        """
        class Settings(dict):
            __getattr__ = dict.__getitem__
            __setattr__ = dict.__setitem__
        settings = Settings(rate=1.0)
        @tf.function
        def act(x):
            return x * settings.rate
        act(tf.ones([2]))
        settings.rate = 2.0
        act(tf.ones([2]))
        """,
    ),
    "an entry of an object whose attributes are its entries": (
        "settings.rate",
        """
        class Settings(dict):
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                self.__dict__ = self
        settings = Settings({"rate": 1.0})
        @tf.function
        def act(x):
            return x * settings.rate
        act(tf.ones([2]))
        settings["rate"] = 2.0
        act(tf.ones([2]))
        """,
    ),
    "settings in settings, made of what a dict holds": (
        "settings.train.rate",
        """
        class Settings(dict):
            def __init__(self, *args):
                dict.__init__(self, *args)
                for key, value in self.items():
                    self[key] = Settings(value) if isinstance(value, dict) else value
            def __getattr__(self, name):
                return self[name]
            def __setattr__(self, name, value):
                self[name] = value
        settings = Settings({"train": {"rate": 1.0}})
        @tf.function
        def act(x):
            return x * settings.train.rate
        act(tf.ones([2]))
        settings.train.rate = 2.0
        act(tf.ones([2]))
        """,
    ),
    "an entry of a dict of the project, by its attribute": (
        "settings.rate",
        """
        class Settings(dict):
            def __getattr__(self, name):
                return self[name]
            def __setattr__(self, name, value):
                self[name] = value
        settings = Settings(rate=1.0)
        @tf.function
        def act(x):
            return x * settings.rate
        act(tf.ones([2]))
        settings.rate = 2.0
        act(tf.ones([2]))
        """,
    ),
    "an entry of a dict of the project that has a constructor": (
        'settings["rate"]',
        """
        class Settings(dict):
            def __init__(self, **given):
                super().__init__(**given)
                self.seen = 0
        settings = Settings(rate=1.0)
        @tf.function
        def act(x):
            return x * settings["rate"]
        act(tf.ones([2]))
        settings.update(rate=2.0)
        act(tf.ones([2]))
        """,
    ),
    "what the `__call__` of an object reads that was made a graph function": (
        "Mode.greedy",
        """
        class Mode:
            greedy = False
            @classmethod
            def switch(cls, greedy):
                cls.greedy = greedy
        class Policy:
            def __call__(self, x):
                return -x if Mode.greedy else x
        act = tf.function(Policy())
        act(tf.ones([2]))
        Mode.switch(True)
        act(tf.ones([2]))
        """,
    ),
    "a flag that a manager sets for the block": (
        "policy.greedy",
        """
        class Policy:
            greedy = False
            @contextlib.contextmanager
            def evaluating(self):
                old, policy.greedy = policy.greedy, True
                try:
                    yield
                finally:
                    policy.greedy = old
        policy = Policy()
        @tf.function
        def act(x):
            return -x if policy.greedy else x
        act(tf.ones([2]))
        with policy.evaluating():
            act(tf.ones([2]))
        """,
    ),
    "an object that the trace makes and keeps": (
        "Settings.get().greedy",
        """
        @tf.function
        def act(x):
            return -x if Settings.get().greedy else x
        act(tf.ones([2]))
        Settings.get().greedy = True
        act(tf.ones([2]))
        """,
    ),
}
NOT_LEAKED = {
    "a cache of arrays": """
        @functools.lru_cache(maxsize=None)
        def table(size):
            return np.arange(size).astype("float32")
        """,
    "a cache that has forgotten": """
        @functools.lru_cache(maxsize=0)
        def table(size):
            return tf.range(size, dtype=tf.float32)
        """,
    "a cache that is asked for something else": """
        sizes = iter([2, 3])
        def table(size):
            return remembered(next(sizes))
        @functools.cache
        def remembered(size):
            return tf.ones([1]) * size
        """,
    "a cache that was filled before": """
        @functools.cache
        def table(size):
            return tf.range(size, dtype=tf.float32)
        table(2)
        """,
}
ASK_TWICE = """
@tf.function
def first(x):
    return x + table(2)
@tf.function
def second(x):
    return x * table(2)
first(tf.ones([2]))
second(tf.ones([2]))
"""


def _with_head(program: str) -> str:
    return f"{HEAD}{SETTINGS}{cleandoc(program)}\n"


@pytest.mark.parametrize("heat", SAME)
def test_the_same_number_is_no_change(heat: str) -> None:
    assert events_of(HEAD + SCHEDULE.format(heat=heat, epochs="range(3)"), Stale) == []


@pytest.mark.parametrize("epochs", ["range(4)", "range(int(input()))"])
@pytest.mark.parametrize("heat", OTHER)
def test_numpys_number_of_an_iteration_is_a_change(heat: str, epochs: str) -> None:
    (event,) = events_of(HEAD + SCHEDULE.format(heat=heat, epochs=epochs), Stale)
    assert event.state.name == "self.heat"


@pytest.mark.parametrize("name", NOT_STALE)
def test_what_is_as_it_was_is_not_stale(name: str) -> None:
    assert events_of(_with_head(NOT_STALE[name]), Stale) == []


@pytest.mark.parametrize("name", STALE)
def test_state_that_changed(name: str) -> None:
    state, program = STALE[name]
    (event,) = events_of(_with_head(program), Stale)
    assert event.state.name == state


@pytest.mark.parametrize("name", NOT_LEAKED)
def test_a_cache_that_leaks_nothing(name: str) -> None:
    assert [e for e in events_of(_with_head(NOT_LEAKED[name]) + ASK_TWICE, Escape) if e.used] == []


@pytest.mark.parametrize(
    "memory", ["functools.lru_cache", "functools.cache", "functools.lru_cache(maxsize=8)"]
)
def test_a_cache_keeps_a_tensor_of_the_first_trace(memory: str) -> None:
    table = f"@{memory}\ndef table(size):\n    return tf.range(size, dtype=tf.float32)\n"
    (event,) = events_of(HEAD + table + ASK_TWICE, Escape)
    assert (event.state.kind, event.state.name) == ("memory", "table")
    assert event.used is not None
    assert event.used.line == 16


def test_a_cached_property_keeps_a_tensor_of_the_first_trace() -> None:
    program = _with_head("""
        class Window:
            @functools.cached_property
            def table(self):
                return tf.range(2, dtype=tf.float32)
        window = Window()
        @tf.function
        def first(x):
            return x + window.table
        first(tf.ones([2]))
        print(window.table + 1.0)
        """)
    (event,) = events_of(program, Escape)
    assert event.used is not None
    assert event.used.line == 27


def test_a_tape_that_a_manager_opens_records_the_block() -> None:
    program = _with_head("""
        @contextlib.contextmanager
        def watching(w):
            with tf.GradientTape() as tape:
                yield tape
        w = tf.Variable(1.0)
        with watching(w) as tape:
            loss = w * w
        tape.gradient(loss, w)
        """)
    assert events_of(program, Gradient) == []


def test_what_one_function_gives_away_another_still_has() -> None:
    """Each entry starts from the same state, in whichever order they stand."""
    head = "import solver\nimport tensorflow as tf\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
    give = "def give():\n  tf.function(lambda x: x + 1)(tf.ones([2]))\n  solver.run(model)\n"
    use = (
        "def use():\n  variables = model.trainable_variables\n"
        "  with tf.GradientTape() as tape: loss = tf.reduce_sum(model(tf.ones([2, 3])))\n"
        "  tf.keras.optimizers.Adam().apply_gradients(zip(tape.gradient(loss, variables), variables))\n"
    )
    for program in (give + use, use + give):
        assert [finding.rule for finding in check(head + program, "GD509")] == ["GD509"]


def test_what_may_be_stale_at_one_call_and_surely_is_at_the_next() -> None:
    program = """
        class Net(tf.Module):
            def __init__(self):
                self.training = True
            @tf.function
            def call(self, x):
                return tf.nn.dropout(x, 0.5) if self.training else x
        net, data = Net(), np.load("data.npy")
        def evaluate(rows):
            return net.call(rows)
        evaluate(data)
        net.training = False
        net.call(data[1:])
        evaluate(data)
        """
    (finding,) = check(HEAD + cleandoc(program), "GD215")
    assert finding.severity.value == "WRONG"
