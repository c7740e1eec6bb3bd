"""What the shell offers after Tab."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def complete_files(_: click.Context, __: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """Whatever files the shell itself would offer."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def complete_rules(_: click.Context, __: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """Ids of rules, with their names beside them."""
    from click.shell_completion import CompletionItem

    from graphdoctor.rules import all_rules

    return [
        CompletionItem(rule.id, help=rule.name)
        for rule in all_rules()
        if rule.id.startswith(incomplete.upper())
    ]
