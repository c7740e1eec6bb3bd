"""What tests of rules use: programs in, findings out."""

import difflib
import inspect

from graphdoctor.config import Config
from graphdoctor.dryrun.recorder import record
from graphdoctor.fixing import fix_text
from graphdoctor.judging import check_module
from graphdoctor.model import Finding, apply_edits
from graphdoctor.recording import Recording
from graphdoctor.source import parse_module, read_source
from graphdoctor.source.project import Project


def check(program: str, *rules: str) -> list[Finding]:
    """What some rules find in a program."""
    return check_module(parse_module("program.py", inspect.cleandoc(program) + "\n"), Config(select=rules))


def marked(program: str, rule: str) -> list[str]:
    """The pieces of the program that one rule points at."""
    lines = (inspect.cleandoc(program) + "\n").split("\n")
    return [
        lines[f.line - 1][f.column - 1 : f.end_column - 1 if f.end_line == f.line else None]
        for f in check(program, rule)
    ]


def fixed(program: str, *rules: str) -> str:
    """The program with all fixes of some rules applied, also the unsafe ones."""
    text = inspect.cleandoc(program) + "\n"
    return fix_text("program.py", text, Config(select=rules), unsafe=True)[0]


def recorded(program: str) -> Recording:
    """What the dry run of a program writes down, for Keras 3."""
    project = Project(read_source, lambda path, text: parse_module(path, text, 3))
    project.add(parse_module("program.py", inspect.cleandoc(program) + "\n", 3))
    return record(project, "program.py")


def ways(program: str, rule: str) -> list[str]:
    """The program after each of the ways to fix the first finding of one rule, tried alone."""
    text = inspect.cleandoc(program) + "\n"
    (finding, *_) = check_module(parse_module("program.py", text), Config(select=(rule,)))
    return [apply_edits(text, fix.edits) for fix in finding.fixes]


def changed_lines(program: str, rule: str, way: int = 0) -> list[str]:
    """The lines that one way to fix the first finding puts in, without their indentation."""
    before = (inspect.cleandoc(program) + "\n").splitlines()
    offered = ways(program, rule)
    after = offered[way].splitlines() if way < len(offered) else before
    lines = difflib.ndiff(before, after)
    return [line[2:].strip() for line in lines if line.startswith("+ ") and line[2:].strip()]
