"""`graphdoctor rule [GD101]`: a rule's page, or the list of rules."""

import click

from graphdoctor.cli.completing import complete_rules
from graphdoctor.errors import GraphdoctorError
from graphdoctor.reports.rule_pages import render_page
from graphdoctor.rules import all_rules, find_rule
from graphdoctor.rules.rule import sections


@click.command("rule", short_help="a rule's page")
@click.argument("identifier", required=False, metavar="[RULE]", shell_complete=complete_rules)
def rule_command(identifier: str | None) -> None:
    """Explain one rule, by id (GD101) or name; without one, list them all."""
    if identifier is None:
        for rule in all_rules():
            summary = sections(rule).get("", "").splitlines()[0]
            click.echo(f"{rule.id}  {rule.family.value:<5}  {rule.name}\n       {summary}")
        return
    found = find_rule(identifier)
    if found is None:
        raise GraphdoctorError(f"no rule is called {identifier}: `graphdoctor rule` lists them")
    click.echo(render_page(found), nl=False)
