"""Commands that run a program: where their own options end, and the program's begin."""

import difflib
import pathlib

import click

ENDING = ("-m", "-c")  # as with Python itself, what follows their value is the program's


class ProgramCommand(click.Command):
    """A command whose options end at PROGRAM, `-m MODULE` or `-c CODE`."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Parse the options, and leave the program's alone."""
        options = [one for one in self.params if isinstance(one, click.Option)]
        valued = {name for one in options if not one.is_flag for name in one.opts}
        left = super().parse_args(context, with_end(args, valued))
        program = next(iter(context.params.get("program") or ()), "")
        if _is_option(program) and not context.params.get("module") and not context.params.get("code"):
            name = program.partition("=")[0]
            close = difflib.get_close_matches(name, [name for one in options for name in one.opts])
            raise click.NoSuchOption(name, possibilities=close or None, ctx=context)
        return left


def _is_option(program: str) -> bool:
    """Whether what stands where the program belongs is an option that the command does not have."""
    return program.startswith("-") and program != "-" and not pathlib.Path(program).exists()


def with_end(arguments: list[str], valued: set[str]) -> list[str]:
    """The arguments, with `--` behind `-m MODULE`; `valued` are the options that take a value."""
    position = 0
    while position < len(arguments) and arguments[position].startswith("-"):
        if arguments[position] in ("-", "--"):
            break
        option, value = _split(arguments[position], valued)
        position += 2 if option in valued and not value else 1
        if option in ENDING and option in valued:
            return [*arguments[:position], "--", *arguments[position:]]
    return arguments


def _split(argument: str, valued: set[str]) -> tuple[str, str]:
    """`-m` and `trainer` of `-qmtrainer`; the value is empty where it is the next argument."""
    if argument.startswith("--"):
        option, given, value = argument.partition("=")
        return option, value or given
    taking = (at for at, letter in enumerate(argument) if at and f"-{letter}" in valued)
    at = next(taking, 0)
    return (f"-{argument[at]}", argument[at + 1 :]) if at else ("", "")
