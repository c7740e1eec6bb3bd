"""Kinds of trial: each fills an empty folder with something hostile, and says which commands must bear it."""

import json
import os
import pathlib
from collections.abc import Callable, Sequence
from random import Random

from fuzzing.mutations import mutated_bytes, mutated_json, mutated_text

TESTS = pathlib.Path(__file__).resolve().parents[2] / "tests"
FORMATS = ("text", "concise", "json", "sarif", "github")
CODECS = (
    "utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-32", "cp1252", "cp037", "shift_jis", "utf-7", "koi8-r",
)  # fmt: skip
COOKIES = (
    "", "utf-8", "latin-1", "rot13", "hex", "utf-16", "cp037", "idna", "punycode", "x" * 300, "undefined",
    "\xff",
)  # fmt: skip
NAMES = (
    b"x.py", b"a b.py", b"\xff.py", b"a\x1b[31m.py", b"a\nb.py", b"-rf.py", b"__init__.py", b"n.ipynb",
    b"test_x.py", b".gitignore", b"pyproject.toml", b"requirements.txt", b"setup.cfg", b"x" * 200 + b".py",
    b"%s.py", b"tensorflow.py", b"keras.py", b"README.md", b"environment.yml", b"config.yaml",
)  # fmt: skip
Command = tuple[str, ...]
Trial = Callable[[Random, pathlib.Path], Sequence[Command]]


class Seeds:
    """Programs, recordings and notebooks of the tests, from which mutants are made."""

    def __init__(self) -> None:
        folders = (TESTS / "programs", TESTS / "cases", TESTS / "projects_unseen")
        self.programs = sorted(path for folder in folders for path in folder.rglob("*.py"))
        self.notebooks = sorted((TESTS / "programs").rglob("*.ipynb"))
        self.recordings = sorted((TESTS / "data").rglob("*.jsonl"))

    def program(self, random: Random) -> str:
        """The text of one program, not a large one."""
        return random.choice(self.programs).read_text(encoding="utf-8", errors="replace")[:12_000]


SEEDS = Seeds()


def mutant_program(random: Random) -> str:
    """A program that differs from a written one in a few places."""
    return mutated_text(random, SEEDS.program(random), SEEDS.program(random))


def programs(random: Random, folder: pathlib.Path) -> Sequence[Command]:
    """Mutated programs, checked and fixed."""
    for name in ("train.py", "model.py")[: random.choice((1, 1, 2))]:
        (folder / name).write_bytes(mutant_program(random).encode("utf-8", "surrogatepass"))
    check = ("check", "--no-cache", "--jobs", "1", "--all", "--output-format", random.choice(FORMATS))
    more: Command = random.choice(
        (
            ("check", "--diff", "--unsafe-fixes"),
            ("check", "--fix", "--unsafe-fixes"),
            ("check", "--statistics", "--recording", "kept.jsonl"),
            ("check", "-o", "page.html"),
        )
    )
    return [check, more] if random.random() < 0.3 else [check]


def recordings(random: Random, folder: pathlib.Path) -> Sequence[Command]:
    """Mutated recordings, reported in every format and compared."""
    for name in ("a.jsonl", "b.jsonl"):
        data = random.choice(SEEDS.recordings).read_bytes()
        if random.random() < 0.3:
            data = mutated_bytes(random, data)
        else:
            lines = data.decode().splitlines()
            for at in {random.randrange(len(lines)) for _ in range(random.choice((1, 2, 5)))}:
                lines[at] = json.dumps(mutated_json(random, json.loads(lines[at])))
                if random.random() < 0.1:
                    lines[at] = lines[at].replace(":", ":" + "[" * random.choice((5, 5000)), 1)
            data = "\n".join(lines).encode("utf-8", "surrogatepass")
        (folder / name).write_bytes(data)
    (folder / "train.py").write_bytes(mutant_program(random).encode("utf-8", "surrogatepass"))
    form = random.choice(("html", "json", "sarif", "perfetto.json"))
    shown: list[Command] = [
        ("report", "a.jsonl"),
        ("report", "a.jsonl", "-o", f"a.{form}"),
        ("report", "a.jsonl", "b.jsonl", "--max-traces", "1"),
        ("report", "--functions", "a.jsonl"),
        ("diff", "a.jsonl", "b.jsonl"),
    ]
    return random.sample(shown, 2)


def notebooks(random: Random, folder: pathlib.Path) -> Sequence[Command]:
    """Notebooks whose JSON or whose cells were mutated."""
    notebook = json.loads(random.choice(SEEDS.notebooks).read_bytes())
    for cell in notebook["cells"]:
        if cell.get("cell_type") == "code" and random.random() < 0.3:
            cell["source"] = mutated_text(random, "".join(cell["source"]), SEEDS.program(random))
    for _ in range(random.choice((0, 1, 3))):
        notebook = mutated_json(random, notebook)
    data = json.dumps(notebook).encode("utf-8", "surrogatepass")
    (folder / "n.ipynb").write_bytes(mutated_bytes(random, data) if random.random() < 0.2 else data)
    return [
        ("check", "--no-cache", "--all", "--output-format", random.choice(FORMATS)),
        ("check", "--diff", "n.ipynb"),
    ]


def encodings(random: Random, folder: pathlib.Path) -> Sequence[Command]:
    """Programs in any encoding, with any declaration of it."""
    text = SEEDS.program(random)
    cookie = random.choice(COOKIES)
    text = (f"# -*- coding: {cookie} -*-\n" if cookie else "") + text + "\n# é \N{SNOWMAN}\n"
    text = text.replace("\n", random.choice(("\n", "\r\n", "\r", "\f\n", "\v\n", "\N{NEXT LINE}\n")))
    data = text.encode(random.choice(CODECS), "replace")
    (folder / "x.py").write_bytes(mutated_bytes(random, data) if random.random() < 0.5 else data)
    options = random.choice(((), ("--diff", "--unsafe-fixes"), ("--output-format", "sarif")))
    return [("check", *options), ("check", "--no-cache", "x.py")]


def odd_files(random: Random, folder: pathlib.Path) -> Sequence[Command]:
    """A folder of pipes, devices, loops of links, sparse giants, and files named like what we look for."""
    (folder / "good.py").write_text(SEEDS.program(random), encoding="utf-8")
    root = os.fsencode(folder)
    for _ in range(random.choice((1, 3, 6))):
        place = os.path.join(root, *([b"package"] if random.random() < 0.3 else []))
        os.makedirs(place, exist_ok=True)
        path = os.path.join(place, random.choice(NAMES))
        if not os.path.lexists(path):
            _odd(random, path)
    return [("check", "--output-format", random.choice(FORMATS)), ("check", "--fix", "--unsafe-fixes")]


def _odd(random: Random, path: bytes) -> None:
    kind = random.randrange(8)
    if kind == 0:
        os.mkfifo(path)
    elif kind == 1:
        os.symlink(random.choice((b"/dev/zero", b"/dev/tty", b"/proc/self/mem", b"/", b"nowhere")), path)
    elif kind == 2:
        os.symlink(os.path.basename(path), path)
    elif kind == 3:
        os.mkdir(path)
    elif kind == 4:
        with open(path, "wb") as file:
            file.truncate(random.choice((0, 2**20, 2**27)))
    elif kind == 5:
        with open(path, "wb") as file:
            file.write(bytes(random.randrange(256) for _ in range(3000)))
        os.chmod(path, 0)
    else:
        with open(path, "wb") as file:
            file.write(mutant_program(random).encode("utf-8", "surrogatepass"))


KINDS: dict[str, Trial] = {
    "programs": programs,
    "recordings": recordings,
    "notebooks": notebooks,
    "encodings": encodings,
    "odd files": odd_files,
}
