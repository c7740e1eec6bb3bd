"""The one vocabulary of a recording, in the standard library alone: dry run and observer write it.

The observer writes these events inside the user's process, the dry run writes them from the source.
A file has one JSON object per line, `event` names the kind; fields that have their default are left out.
Nothing in here is a syntax node, and nothing refers to an object of the program.
"""

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

FORMAT = "graphdoctor-recording"
FORMAT_VERSION = 3

RUN, DRY_RUN = "run", "dry run"
# What a library call is named where an operator stands for it: `x[…]` of a tensor.
SLICING = "tensorflow.Tensor.__getitem__"
# How certain it is that a place is reached: each run comes there, some run does, or perhaps none.
SEEN, MUST, SOME, MAY = "seen", "must", "some", "may"
CERTAINTY = (MAY, SOME, MUST, SEEN)
# How certain it is that it is traced when it is reached.
SHOWN, ASSUMED, EAGER = "shown", "assumed", "eager"
# Why a loop that ran in Python is none to put into the graph: it goes through the layers of a model.
OWN_WEIGHTS = "own weights"
# The variables that a line makes in the first trace of a function, which is traced again for them.
FIRST_VARIABLES = "first variables"
# What a tape answers where one term of its target has no gradient, and the others have (dry run only).
PARTLY = "without a term"
# What is `Applied` when Keras is asked to compile a model by XLA, and goes without (run only).
XLA_DROPPED = "xla dropped"
# What is `Applied` when a graph is traced while Keras 3 builds a layer by itself: the initial values of
# weights take the place of the variables in it.
INITIAL_VALUES = "initial values"
# What is `Applied` when a tape records a model with layers that work differently in training, and when `fit`
# trains one: option `given` says whether it is set, `layers` which layers ask (dry run only).
TRAINING_FLAG, FIT_FLAG = "training flag", "training flag of fit"
# The outermost function of a chain: what `python file.py` runs, or whoever calls what nothing calls.
PROGRAM, CALLER = "<module>", "<caller>"
# Why a function, or a module, was not followed.
BUDGET = "budget"
DEPTH = "calls too deep"
NO_IMPORT = "import not found"
UNKNOWN_DECORATOR = "unknown decorator"
UNUSED = "not called by its `train_step`"
NO_ROUND = "generator that nothing goes through"
NOT_REACHED = "not reached"
GIVEN_AWAY = "given to what nobody knows"  # a value of recordings: it stays
IRRELEVANT = "nothing in it can reach a graph"
# Where the wall time of a run goes. `start` is what came before TensorFlow was imported; `compiling` the
# first call of a new graph, as far as it took longer than the next ones: graph optimisation, and XLA.
START, IMPORT, BUILDING, INPUT, TRACING, COMPILING = (
    "start",
    "import",
    "building",
    "input",
    "tracing",
    "compiling",
)
EAGER_OPERATIONS, GRAPH_EXECUTION, DEVICE_WAIT = "eager operations", "graph execution", "device wait"
CALLBACKS, SAVING, OTHER_PYTHON, OBSERVER = "callbacks", "saving", "other Python", "graphdoctor"
PHASES = (
    START, IMPORT, BUILDING, INPUT, TRACING, COMPILING, EAGER_OPERATIONS, GRAPH_EXECUTION, DEVICE_WAIT,
    CALLBACKS, SAVING, OTHER_PYTHON, OBSERVER,
)  # fmt: skip


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from graphdoctor.recording.nouns import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A stretch of the user's source; columns count characters from 1, 0 means: only the line is known."""

    path: str
    line: int
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    cell: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A function by name and place; `line` is its first decorator's, as in `co_firstlineno`."""

    name: str
    path: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A loop around a place; `turns` is None where unknown, `graph` when TensorFlow runs it.

    `seldom`: the place stands under a question for every n-th iteration, as `step % 100 == 0`. `waits`: each
    iteration asks somebody to type something.
    """

    place: Place
    turns: int | None = None
    graph: bool = False
    seldom: bool = False
    waits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One function of the user's on the way to an event: where in it, and inside which of its loops.

    `entered` is the library function that was called here, where the next frame was reached through one.
    """

    function: str
    place: Place
    definition: Definition | None = None
    loops: tuple[Loop, ...] = ()
    entered: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """What of a value differs per iteration of a loop: its `value`, `shape`, `length`, `identity`, `dtype`.

    A tensor that a loop of the graph makes again at each iteration differs in its value.
    `few`: the values come from a small set (a flag, `step % 3`, the items of a short list).
    """

    what: str
    loop: Place
    turns: int | None = None
    axis: int | None = None
    few: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What is known of a Python value or tensor.

    kind: tensor · value (compared by ==) · object (compared by identity) · list, tuple, dict, record ·
    array, variable · other · unknown. `made` is where an object or tensor was made. The text of a tensor
    is `settled` where it is known while tracing: a constant, a size. `variables`: a run saw that the object
    is a model, a layer or a module, which has variables of its own.
    """

    kind: str
    type: str = ""
    text: str = ""
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None
    identity: int = 0
    length: int = 0
    keys: tuple[str, ...] = ()
    made: Place | None = None
    varies: tuple[Variation, ...] = ()
    variables: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument(Value):
    """One argument, or one part of it: `path` is `batch["mel"]`, `place` the expression that gave it."""

    path: str = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Python state: `global`, a closure's `cell`, `attribute`, `item`, `list`, `dict`, `memory` (a cache),
    `trained` (whether a layer's variables are; dry run only).

    `name` is as the source names it (`self.rate`), `holder` what holds it: a class, a module, a function.
    """

    kind: str
    name: str
    holder: str = ""
    made: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """What cannot become graph: `name` is undefined, None, or of another dtype, structure or shape.

    `before` is its value in the first branch or before the loop, `after` in the other branch or after a
    iteration; None where it has none. `place` is where `after` was set, `before_place` where `before` was.
    """

    kind: str
    name: str = ""
    before: Value | None = None
    after: Value | None = None
    place: Place | None = None
    before_place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What every event has: the user's frames to the place, outermost first, and how certain it is.

    `trace` is the number of the trace that was under way, 0 in eager code. `traced_by` is the place that
    shows that the code is traced. `caught`: the program catches what is raised here; `expected`: it is there
    for that, as a test of it is. `foretold`: the dry run said so too; that is known when the recordings are
    joined, and stands in no file.
    """

    chain: tuple[Frame, ...] = ()
    trace: int = 0
    reached: str = SEEN
    traced: str = SHOWN
    traced_by: Place | None = None
    caught: bool = False
    expected: bool = False
    foretold: bool = False

    @property
    def frame(self) -> Frame | None:
        """The innermost of the user's frames."""
        return self.chain[-1] if self.chain else None

    @property
    def place(self) -> Place | None:
        """Where it happened: the innermost frame's place."""
        return self.chain[-1].place if self.chain else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line: who recorded what, and which kinds of event this recorder can see.

    `redacted`: digests stand for values, and reports show no literal of the source.
    `accounted` is the clock of the account of time at this moment: 0 where there is none.
    `worker` is the task that `TF_CONFIG` names, `rank` that among the processes that train together, and
    `host` the machine of such a process: empty and None where the environment does not say.
    """

    format: str = FORMAT
    version: int = FORMAT_VERSION
    recorder: str = RUN
    sees: tuple[str, ...] = ()
    graphdoctor: str = ""
    tensorflow: str = ""
    keras: str = ""
    python: str = ""
    program: tuple[str, ...] = ()
    directory: str = ""
    process: int = 0
    parent: int = 0
    worker: str = ""
    rank: int | None = None
    host: str = ""
    time: float = 0.0
    redacted: bool = False
    accounted: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """How many operations of a graph come from one line of the user's."""

    path: str
    line: int
    operations: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace(Event):
    """A function was traced: a miss of TensorFlow's cache, what it was asked for, where, what it cost.

    `number` is its own, `trace` that of the trace around it. `object` is the Function object, `made` where
    that was made. origin: function · dataset (given to `map` and the like) · keras (a step of Keras').
    `options` are those of `tf.function` that are set: `jit_compile`, `reduce_retracing`, `input_signature`.

    The dry run alone knows whether a loop makes the Function object `anew` for this call at each iteration,
    and whether that is `tied` to its iteration: it works on a model, a variable or other data that the
    iteration has made. A run counts the objects instead. Two graphs of a function with one `fingerprint` are
    equal, up to constants and sizes: the second was made for nothing. `empty`: its graph has no operation and
    no result, so that later calls do nothing.

    A run alone knows the rest. `library`: the code that was traced is a library's; `direct`: even so the
    user's line calls this graph function itself. `definition` numbers the Python function and the object
    it is bound to, `model` the Keras model whose `step` this is. `calls` is how often the function had been
    called from eager code when this began, `failed` the type of the exception that ended it, `lines` the
    lines that made most operations, and what is dead was garbage since the trace before. `during` is the
    test that ran.
    """

    number: int
    function: Definition
    object: int = 0
    made: Place | None = None
    arguments: tuple[Argument, ...] = ()
    context: Mapping[str, str] = dataclasses.field(default_factory=dict)
    options: Mapping[str, str] = dataclasses.field(default_factory=dict)
    origin: str = "function"
    anew: Loop | None = None
    tied: bool = False
    library: bool = False
    direct: bool = False
    per_instance: bool = False
    definition: tuple[int, ...] = ()
    model: int = 0
    step: str = ""
    passes: str = "NO_SCOPE"
    thread: int = 0
    start: float = 0.0
    seconds: float = 0.0
    own_seconds: float = 0.0
    calls: int | None = None
    during: str = ""
    failed: str | None = None
    operations: int = 0
    fingerprint: str | None = None
    empty: bool = False
    graph_bytes: int = 0
    resident_bytes: int = 0
    lines: tuple[Line, ...] = ()
    dead_objects: tuple[int, ...] = ()
    dead_functions: tuple[int, ...] = ()

    @property
    def jit_compile(self) -> bool:
        """Whether XLA compiles it."""
        return self.options.get("jit_compile") == "True"

    @property
    def reduce_retracing(self) -> bool:
        """Whether TensorFlow was asked to make shapes general."""
        return self.options.get("reduce_retracing") == "True"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls(Event):
    """How often a function was called; `switch` is what keeps it eager, and the chain where that is set."""

    function: Definition
    calls: int | None = None
    object: int = 0
    switch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect(Event):
    """Python did something while tracing that later calls do not repeat.

    what: print · log · write · random · clock · next · input · append · item · attribute · argument ·
    branch · global. `name` is what was called or changed, `values` what was shown or stored, `old` what was
    there.
    `once`: it stands where it is meant to run once (`__init__`, `build`, under a guard that it closes);
    `counted`: by `+=` and the like, or from its own old value, so that each time counts. `shows`: what a
    message shows: tensor (a symbolic one) · array (one that is no single figure) · formatted (one that
    Python is to format, which raises) · tracing (it speaks of it) · static (shapes, dtypes) · constant ·
    python (its own numbers and texts).
    `read` is where code that is not traced reads what was changed.
    """

    what: str
    name: str
    values: tuple[Value, ...] = ()
    old: Value | None = None
    state: State | None = None
    once: bool = False
    counted: bool = False
    shows: str = ""
    read: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stale(Event):
    """State that a trace read changed afterwards, and calls went on with the old value.

    The chain leads to the read, `written` is where it was changed, `calls` how many used the old value.
    differs: how it is known that the value is another one: seen · known (both are) · turn (another one at
    each iteration of a loop) · drawn (at random) · object (another one took its place) · anew (computed
    again, and may be equal); all but the first by the dry run only.
    """

    function: Definition
    state: State
    then: Value
    now: Value
    differs: str = "seen"
    written: Place | None = None
    calls: int | None = None
    object: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Staging(Event):
    """An `if`, `for`, `while`, `comprehension`, `assert`, `ternary`… met a tensor or ran in traced code.

    A `call` is a line that runs what it calls `turns` times, without a loop in the source (run only).

    outcome: graph (it became part of the graph) · python (it ran while tracing, `turns` times, and made
    `operations`) · refused (it raises, for this `reason`). `gradient_operations` are those that the trace
    made elsewhere only to give gradients: they double what the rest of it does (run only).
    reason: a name of `autograph/conversion/reasons.py`, the kind of the conflict, or `own weights` of each
    iteration; of a whole `function` that AutoGraph gave up on, what it said (run only). `blocked_by` is
    what keeps AutoGraph from converting the function, where that stands in the source: a `:=`, a `match`…
    """

    construct: str
    outcome: str
    reason: str = ""
    turns: int | None = None
    operations: int = 0
    gradient_operations: int = 0
    conflict: Conflict | None = None
    blocked_by: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Escape(Event):
    """A symbolic tensor left its graph: into `state`. `used` is where it was used outside, if it was.

    `again`: the traced code itself meets it at its next trace, or piles such tensors up. Otherwise it does
    harm only where code that is not among `ran` (the functions of the trace, run only) reads it.
    """

    tensor: Value
    state: State
    graph: str = ""
    used: Place | None = None
    again: bool = False
    ran: tuple[Definition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Use(Event):
    """A symbolic tensor was used as a Python value.

    how: bool · int · float · number (what Python's numbers can and tensors cannot: `divmod`, `round`) ·
    iteration · unpack · index · key · text · format · numpy · read · method · item · constant ·
    membership · range · size; or a placeholder of Keras' given to what takes tensors:
    keras-input; or data of unknown rank: rank; or a number that stands for a shape: shape; or an
    open size that is compared, the bound of a slice, or a condition.
    `name` is the function or method that was called, `given` the expression that gave the tensor; an open
    size has the tensor's name and its `axis`. `into`: where a text with the tensor's name in it went: an
    operation, the function's result, a key; where an open size went that is outside TensorFlow. `holds`: what
    the list holds that is indexed (dry run only).
    """

    how: str
    name: str = ""
    value: Value | None = None
    given: Place | None = None
    axis: int | None = None
    into: str = ""
    holds: Value | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Made(Event):
    """Something with a life of its own was made: where, and in which loops or calls.

    what: variable · layer · model · optimizer · metric · dataset · tape · function · iterator; or `first
    variables` (run only): how many a line made in a function's first trace, `type` says whose. `anew`:
    TensorFlow makes variables for it on a later trace of the same function, which it forbids; `made` is
    where the object itself was made then, and `outer` says that it is older than the trace.
    `arguments` are the options of a graph function, `conflict` is why TensorFlow refuses to make it.
    """

    what: str
    type: str = ""
    object: int = 0
    anew: bool = False
    made: Place | None = None
    outer: bool = False
    definition: Definition | None = None
    options: Mapping[str, str] = dataclasses.field(default_factory=dict)
    arguments: tuple[Argument, ...] = ()
    conflict: Conflict | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied(Event):
    """An object took part in something: an optimizer got variables, a model was compiled, fitted, called.

    `made` is where the object was made. A run alone counts the `calls` of `fit`, `evaluate` and `predict` at
    a place, and the `seconds` that Keras took to make a pipeline for each; later events tell more. Its option
    `steps between` is how many other graphs were called from one such call to the next.
    """

    what: str
    object: int
    made: Place | None = None
    type: str = ""
    on: tuple[int, ...] = ()
    options: Mapping[str, str] = dataclasses.field(default_factory=dict)
    calls: int | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryCall(Event):
    """A library function of interest was called while tracing: its canonical name and what it was given.

    Of one that works in graphs alone, the dry run tells also that eager code calls it, with the place of the
    import after which all is eager.

    `dropped`: nothing takes its result; of a Variable, also outside graphs: what was to replace it goes
    nowhere (dry run only). `compiled`: XLA compiles the code. `recorded`: a tape has the way
    from one of its sources to what was given, and records the call (dry run only). Of a Python function that
    the graph calls, the dry run tells what it returns: the argument `return`.
    """

    name: str
    arguments: tuple[Argument, ...] = ()
    dropped: bool = False
    compiled: bool = False
    recorded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What a gradient was asked for; `name` is a variable's, `index` its place among the sources.

    `place` is the expression that names it, `made` are the Variables that lack a gradient by their dtype (dry
    run only: a run knows the line).
    """

    index: int
    name: str = ""
    dtype: str = ""
    variable: bool = False
    place: Place | None = None
    made: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One operation on the way from a target back to a source."""

    operation: str
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gradient(Event):
    """A tape was asked for a gradient and answered None (or `zeros`), or would: for which sources, and why.

    Or one term of the target has none (`without a term`), while the others have.

    reason: see `recording/gradients.py`. `opened` is where the tape was opened, `broken` where the path
    breaks, `path` the way from the target backwards. `fate` is what the code after it does with the answer
    (dry run only): checked (a condition asks whether it is None) · shown (only a message gets it) · compared
    (shown, beside gradients of the same tape that there are).
    """

    reason: str
    sources: tuple[Source, ...] = ()
    asked: int = 0
    method: str = "gradient"
    opened: Place | None = None
    broken: Place | None = None
    operation: str = ""
    detail: str = ""
    path: tuple[Step, ...] = ()
    answer: str = "None"
    fate: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure(Event):
    """An exception left traced code, TensorFlow or Keras for the user's code, or the program.

    Its type and essential words. A run alone knows the rest: `through` are the library files that it went
    through, `converted` whether AutoGraph had converted the code that failed (None outside of traces), and
    `values` what the user's innermost line worked on; `made` are the types of the last operations of the
    trace; `eagerly` is what the line did in eager execution, where that was tried: `works`, or the type of
    the exception. `carried`: those of them that are Python numbers before a TensorFlow loop around the line,
    by their names there, each with the dtype that the loop gave it.
    """

    type: str
    text: str
    function: Definition | None = None
    through: str = ""
    converted: bool | None = None
    values: tuple[Argument, ...] = ()
    carried: tuple[Argument, ...] = ()
    made: tuple[str, ...] = ()
    eagerly: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTrace(Event):
    """Calls with one Python value ran the trace of an equal one of another type: `1.0` that of `1`.

    Run only: which trace served a call is known by looking at each. Later events tell more `calls`.
    """

    name: str
    then: Value
    now: Value
    calls: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedSource(Event):
    """A function whose file no longer says what was imported was traced for the first time. Run only."""

    function: Definition


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledShape:
    """The calls of an XLA function with one set of concrete shapes; the first one compiled it."""

    shapes: str
    first_seconds: float
    best_seconds: float
    calls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compilations(Event):
    """What XLA compiled behind one trace. Run only: it depends on the sizes of the data."""

    shapes: tuple[CompiledShape, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NonFinite(Event):
    """The first operation that gave infinity or NaN. Run only, and only with `--numerics`."""

    operation: str
    values: str
    graph: str = ""
    incoming: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase(Event):
    """Seconds of wall time of the thread that the program waits for, and where they went. Run only.

    The phases of a window, which begins at `start` and lasts `span` seconds, add up to its length; the clock
    begins with the import of TensorFlow: what was earlier is negative. The chain is the user's line.
    `of`: these seconds are counted under that phase too, from which an account takes them. `looked_at`: how
    many seconds of `of` were looked at, where these stand for all of it: an estimate.
    `behind` is the line that another thread of Python ran meanwhile. With a `thread` the seconds are those
    of another thread, and part of no sum. `trace` numbers the trace after which a graph was optimised.
    """

    phase: str
    seconds: float
    start: float = 0.0
    span: float = 0.0
    of: str = ""
    looked_at: float = 0.0
    behind: Place | None = None
    thread: str = ""
    trace: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps(Event):
    """The steps that one line has taken so far; a later event of the same line tells more. Run only.

    kind: fit · evaluate · predict · train_on_batch · dataset (a loop over one) · tape (gradients asked for
    in eager code) · calls (of a graph function, counted between samples: an estimate).
    `begun` and `ended` are the clocks of the first and the last; `seconds` is the sum of all. `durations` are
    those of `stride` steps at a time, in order: each is their mean. `per_execution`: batches in one step.
    """

    kind: str
    count: int
    seconds: float
    first_seconds: float
    median_seconds: float
    late_seconds: float
    begun: float = 0.0
    ended: float = 0.0
    per_execution: int = 1
    stride: int = 1
    durations: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A stage of a pipeline: the method that made it, and the user's function that it calls.

    `parallel`: several elements are made at once. `python`: each element runs Python.
    """

    name: str
    place: Place | None = None
    parallel: bool = False
    python: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline(Event):
    """The stages of a dataset that the program begins to go through, the last one first. Run only."""

    stages: tuple[Stage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What the process holds at a moment of the run; how busy the processors were since the last. Run only.

    `busy` is the processor time of the process as a share of all that its processors had to give.
    """

    start: float
    resident_bytes: int
    busy: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """How many things of a kind a growing process holds at a moment of the run. Run only.

    kind: graphs · models · list of tensors (the one container that grew most, from `before`; its `name`).
    """

    start: float
    kind: str
    count: int
    before: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unaccounted:
    """What the account of the time could not see, and why. Run only."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something the recorder could not do."""

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The last line of a run that came to its end, however it ended; what is dead as in a Trace."""

    seconds: float = 0.0
    dead_objects: tuple[int, ...] = ()
    dead_functions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """Coverage: a function that was looked at, or `skipped` with the reason why it was not followed.

    One that is skipped and traced was looked at, but not to its end. role: function (a graph function) ·
    keras (a method that Keras traces) · dataset (given to `map` and the like); empty: called by others.
    """

    function: Definition
    traced: bool = False
    role: str = ""
    skipped: str = ""
    steps: int = 0


AnyEvent: TypeAlias = (
    Header
    | Trace
    | Calls
    | Effect
    | Stale
    | Staging
    | Escape
    | Use
    | Made
    | Applied
    | LibraryCall
    | Gradient
    | Failure
    | SharedTrace
    | EditedSource
    | Compilations
    | NonFinite
    | Phase
    | Steps
    | Memory
    | Holding
    | Pipeline
    | Unaccounted
    | Problem
    | End
    | Looked
)
# The kinds by the word that a line of a file begins with; `Header.sees` holds these words.
KINDS: Mapping[str, type[Any]] = {
    "header": Header,
    "trace": Trace,
    "calls": Calls,
    "effect": Effect,
    "stale": Stale,
    "staging": Staging,
    "escape": Escape,
    "use": Use,
    "made": Made,
    "applied": Applied,
    "library-call": LibraryCall,
    "gradient": Gradient,
    "failure": Failure,
    "shared-trace": SharedTrace,
    "edited-source": EditedSource,
    "compilations": Compilations,
    "non-finite": NonFinite,
    "phase": Phase,
    "steps": Steps,
    "memory": Memory,
    "holding": Holding,
    "pipeline": Pipeline,
    "unaccounted": Unaccounted,
    "problem": Problem,
    "end": End,
    "looked": Looked,
}
WORDS: Mapping[type[Any], str] = {kind: word for word, kind in KINDS.items()}


SIMPLE = (str, int, float, bool, type(None))


def encode_event(event: AnyEvent) -> dict[str, Any]:
    """One line of a file as plain JSON values."""
    word = WORDS[type(event)]
    if isinstance(event, Header):  # what reads it wants to know at once what it is
        return {"event": word, "format": event.format, "version": event.version, **encode(event)}
    return {"event": word, **encode(event)}


def encode(value: Any) -> Any:
    """A noun as plain JSON values, without the fields that have their default."""
    if type(value) in SIMPLE:  # nearly all: to ask what kind of collection it is takes long
        return value
    if isinstance(value, tuple | list):
        return [encode(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if not dataclasses.is_dataclass(value):
        return value
    found = {}
    kind: Any = type(value)
    for name, default in _defaults(kind):
        part = getattr(value, name)
        if part != default():
            found[name] = encode(part)
    return found


@functools.cache
def _defaults(kind: Any) -> tuple[tuple[str, Callable[[], object]], ...]:
    """The fields of a noun, each with what gives its default."""
    return tuple(
        (
            field.name,
            field.default_factory
            if field.default_factory is not dataclasses.MISSING
            else functools.partial(_same, field.default),
        )
        for field in dataclasses.fields(kind)
    )


def _same(value: object) -> object:
    return value
