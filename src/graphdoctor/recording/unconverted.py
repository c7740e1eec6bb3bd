"""What AutoGraph says when it gives up on a function → the name of the reason, and what it means."""

# A part of what it says, the name, the meaning. `explain` has the remedies, and reasons it finds itself.
BY_MESSAGE = (
    ("for/else", "for-else", "it holds a `for … else`, which AutoGraph cannot convert"),
    ("while/else", "while-else", "it holds a `while … else`, which AutoGraph cannot convert"),
    (
        "mangled names",
        "mangled-name",
        "it uses a private name with two underscores (`self.__name`), which AutoGraph cannot convert",
    ),
    (
        "generators are not supported",
        "generator",
        "it is a generator (it holds `yield`); generators run in Python while tracing",
    ),
    ("mixing tabs and spaces", "tabs-and-spaces", "its indentation mixes tabs and spaces"),
    (
        "AsyncFunctionDef",
        "async",
        "it is a coroutine (`async def`); the graph would hold no operation of it",
    ),
    ("NamedExpr", "walrus", "it holds an assignment expression (`:=`), which AutoGraph cannot convert"),
    (
        "multiple definitions with identical signatures",
        "lambdas-on-a-line",
        "its line holds another lambda with the same arguments, and AutoGraph cannot distinguishes them",
    ),
    (
        "Unable to locate the source code",
        "no-source",
        "its source cannot be found (typed at a prompt, made by exec, or the file is gone)",
    ),
)
MEANINGS = {name: meaning for _, name, meaning in BY_MESSAGE}


def meaning_of(text: str) -> str:
    """What AutoGraph's words mean; its own first line where they are unknown."""
    for part, _, meaning in BY_MESSAGE:
        if part in text:
            return meaning
    return f"it says: {text.strip().partition(chr(10))[0]}" if text.strip() else ""
