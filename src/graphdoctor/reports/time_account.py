"""Where the time of a run went, for a terminal: one sentence, one bar, the lines that took most."""

from collections.abc import Iterator

from graphdoctor.model.time_account import Growth, PhaseLine, PhaseTime, TimeAccount
from graphdoctor.model.words import count, duration, printable, share
from graphdoctor.recording.format import EAGER_OPERATIONS, GRAPH_EXECUTION, OTHER_PYTHON
from graphdoctor.recording.training_time import Training, training_of

WIDTH = 60
LEAST_SHARE = 0.005
LEAST_ADVISED = 0.05
MOST_LINES = 3
BLOCKS = "█▓▒░▚▞▖▪"
# What does not change when the program's lines do.
FIXED = ("start", "import", "graphdoctor")
# Less growth of memory, in 100 steps, is noise.
LEAST_GROWTH = 2**20
KERAS_LOOPS = ("fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch")
# Other threads that ran less Python than this part of the run are left out.
LEAST_THREAD = 0.02
SUGGESTIONS = {
    "building": "build the model once",
    "input": "no Python per element, `cache()`, cheaper stages",
    "tracing": "once per signature; more than that is listed below",
    "compiling": "once per graph and shape",
    "eager operations": "put it into a `tf.function`",
    "device wait": "read values every few steps; on a GPU this is the model's own time",
    "callbacks": "do it less often",
    "saving": "save less often",
    "other Python": "move it out of the loop, or into TensorFlow operations",
}
# What advises about a loop, where there is one.
ABOUT_LOOPS = ("device wait", "callbacks", "saving", "other Python")
NO_STEPS = "no training steps were seen"


def time_lines(account: TimeAccount) -> Iterator[str]:
    """The headline, a bar, the lines that took most, and what else there is to say."""
    yield headline_of(account)
    yield f"  {bar([one for one in account.phases if one.share >= LEAST_SHARE])}"
    for seconds, phase, line in _top(account):
        called = f" ({line.entered})" if line.entered else ""
        worth_it = phase in SUGGESTIONS and seconds >= LEAST_ADVISED * account.seconds
        worth_it = worth_it and not (phase == EAGER_OPERATIONS and _is_in_keras(account, line))
        worth_it = worth_it and (bool(account.steps) or phase not in ABOUT_LOOPS)
        worth_it = worth_it and not (phase == OTHER_PYTHON and called)  # a library's own
        advice = f" → {SUGGESTIONS[phase]}" if worth_it else ""
        yield printable(f"  {duration(seconds):>7}  {line.path}:{line.line}{called}: {phase}{advice}")
    yield from (f"  {sentence}" for sentence in sentences_of(account))


def _is_in_keras(account: TimeAccount, line: PhaseLine) -> bool:
    """Whether the line calls Keras, which has graph functions of its own for what they can do."""
    lines = (one for phase in account.phases for one in phase.lines if one.entered in KERAS_LOOPS)
    return any((one.path, one.line) == (line.path, line.line) for one in lines)


def headline_of(account: TimeAccount) -> str:
    """`Where 82 s went: eager operations 71 s (87 %) · input 6 s · import 4 s`"""
    shown = [one for one in account.phases if one.share >= LEAST_SHARE]
    reported = " · ".join(_phase(one, account.seconds, first=not at) for at, one in enumerate(shown))
    return f"Where {duration(account.seconds)} went: {reported}"


def sentences_of(account: TimeAccount) -> Iterator[str]:
    """The steps, what the training was made of, the memory, and what could not be seen."""
    yield _steps(account) if account.steps else NO_STEPS
    training = training_of(account)
    if training is not None:
        yield _training(training)
        if account.busy is not None:
            yield f"the program used {share(account.busy, 1.0)} of the processors meanwhile"
    yield from _threads(account)
    if account.peak_bytes:
        yield _memory(account)
    yield from map(printable, account.remarks)


def _phase(one: PhaseTime, total: float, first: bool) -> str:
    about = _about(one)
    part = f" ({share(one.seconds, total)})" if first else ""
    return f"{one.phase} {about}{duration(one.seconds)}{part}"


def bar(phases: list[PhaseTime]) -> str:
    """A block for each sixtieth, in the order of the sentence above it."""
    text = ""
    for number, one in enumerate(phases):
        text += BLOCKS[number % len(BLOCKS)] * round(one.share * WIDTH)
    return text[:WIDTH]


def _top(account: TimeAccount) -> list[tuple[float, str, PhaseLine]]:
    lines = [
        (line.seconds, one.phase, line)
        for one in account.phases
        if one.phase not in FIXED
        for line in one.lines
        if line.seconds >= LEAST_SHARE * account.seconds
    ]
    return sorted(lines, key=lambda one: -one[0])[:MOST_LINES]


def _training(training: Training) -> str:
    """`after the first step: input about 91 % · graph execution about 9 %`"""
    ranked = sorted(training.phases.values(), key=lambda one: -one.seconds)
    shown = [one for one in ranked if one.seconds >= 0.01 * training.seconds]
    reported = (
        f"{_named(one, training)} {_about(one)}{share(one.seconds, training.seconds)}" for one in shown
    )
    return f"after the first step: {' · '.join(reported)}"


def _named(one: PhaseTime, training: Training) -> str:
    whole = one.phase == GRAPH_EXECUTION and not training.separated
    return f"{one.phase} or input" if whole else one.phase


def _memory(account: TimeAccount) -> str:
    text = f"memory: {account.peak_bytes / 2**20:,.0f} MiB at most"
    growth = account.growth_bytes
    if growth is not None and growth >= LEAST_GROWTH:
        text += f", {growth / 2**20:,.1f} MiB more after each 100 steps"
        grown = " · ".join(f"{printable(_grown(one))} +{one.more:,.3g}" for one in account.grows)
        text += f" ({grown})" if grown else ""
    return text


def _grown(one: Growth) -> str:
    return f"{one.kind} `{one.name}`" if one.name else one.kind


def _threads(account: TimeAccount) -> Iterator[str]:
    """`beside it, Thread-1 (make) ran 4.0 s of Python, most at train.py:12`"""
    for one in account.threads:
        if one.seconds >= LEAST_THREAD * account.seconds:
            most = f", most at {one.lines[0].path}:{one.lines[0].line}" if one.lines else ""
            yield printable(f"beside it, {one.thread} ran {duration(one.seconds)} of Python{most}")


def _about(one: PhaseTime) -> str:
    return "about " if one.estimated else ""


def _steps(account: TimeAccount) -> str:
    main = account.steps[0]
    about = "about " if main.estimated else ""
    return (
        f"{about}{count(main.count, 'step')} ({main.kind}): first {duration(main.first_seconds)}, "
        f"median {duration(main.median_seconds)}, 95 % within {duration(main.late_seconds)}"
    )
