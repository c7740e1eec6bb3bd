"""`graphdoctor demo`: the bundled samples, diagnosed."""

import click
import msgspec

from graphdoctor.demo.diagnose import Diagnosis, diagnose_samples


@click.command("demo", short_help="the bundled samples, diagnosed")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def demo_command(as_json: bool) -> None:
    """Run `check` and `run` on three small trainers that suffer, and show the diagnosis."""
    if as_json:
        found = [msgspec.to_builtins(diagnosis) for diagnosis in diagnose_samples()]
        click.echo(msgspec.json.format(msgspec.json.encode({"patients": found}), indent=2))
        return
    for diagnosis in diagnose_samples():
        _show(diagnosis)


def _show(diagnosis: Diagnosis) -> None:
    from rich.console import Console

    from graphdoctor.reports.terminal import print_report

    console = Console(highlight=False)
    console.rule(f"[bold]{diagnosis.name}.py", align="left")
    console.print(diagnosis.complaint, soft_wrap=True)
    if diagnosis.last_words:
        console.print(f"It ends with: {diagnosis.last_words[:200]}", style="dim", soft_wrap=True)
    console.print()
    if diagnosis.run is None:
        console.print("TensorFlow is not installed here, so only the source is checked:\n")
    print_report(diagnosis.run or diagnosis.check, console)
    console.print()
