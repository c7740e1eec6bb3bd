"""`graphdoctor explain MODULE:FUNCTION`: what AutoGraph made of a function, line by line."""

import contextlib
import os
import pathlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from graphdoctor.errors import ExplainError
from graphdoctor.log_filter import hide_log_noise

if TYPE_CHECKING:
    from graphdoctor.autograph.traces.tracing import Traced


@click.command("explain", short_help="what AutoGraph made of a function, line by line")
@click.argument("target", metavar="MODULE:FUNCTION")
@click.option(
    "--arg", "examples", multiple=True, metavar="NAME=EXAMPLE", help="float32[None,80], or a value."
)
@click.option("--self", "instance", metavar="EXPRESSION", help="The object of a method [default: Class()].")
@click.option("--recording", metavar="FILE", help="Take the arguments from a recording of `graphdoctor run`.")
@click.option("--follow", is_flag=True, help="Also the user's functions that it calls.")
@click.option("--code", is_flag=True, help="The code that AutoGraph generates, beside the source.")
@click.option(
    "--graph", is_flag=True, help="The operations, by line of the source; with -o FILE.svg a drawing."
)
@click.option(
    "--signature", is_flag=True, help="The cache key these arguments make, and whether it would hit."
)
@click.option("--retrace-if", is_flag=True, help="What would make it trace again, and what would not.")
@click.option(
    "--verbosity", type=click.IntRange(0, 10), metavar="N", help="AutoGraph's log, of your code only."
)
@click.option("--compare", is_flag=True, help="Run it eagerly and as a graph, and compare.")
@click.option(
    "-o", "--output", metavar="FILE", help="Write there: .html, .txt, .json, or .svg for the graph."
)
def explain_command(
    target: str,
    examples: tuple[str, ...],
    instance: str | None,
    recording: str | None,
    output: str | None,
    **views: Any,
) -> None:
    """Show what became of each line of a function when it is traced, and why.

    Imports the module and traces the function once, so it runs your code. The module may be a file; when
    the script ends in an error, what it had defined by then is explained.
    An example is a tensor's type and shape, or any expression in the module's own namespace.

    \b
    graphdoctor explain train.py:train_step --arg 'x=float32[None,80]' --arg 'step=3'
    graphdoctor explain package.model:Model.call --self 'Model(units=4)' --arg 'x=float32[8,16]'
    graphdoctor explain train.py:train_step --recording .graphdoctor/train-1234.jsonl --retrace-if
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    hide_log_noise()
    _need_tensorflow()
    _check_output(output)
    with contextlib.redirect_stdout(sys.stderr):  # what the user's code prints is not our report
        text = _explain(target, examples, instance, recording, output, views)
    if output is None:
        click.echo(text, nl=False)
    else:
        _write(output, text)


def _write(output: str, text: str) -> None:
    try:
        pathlib.Path(output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ExplainError(f"-o {output}: cannot be written: {error.strerror}") from error


def _need_tensorflow() -> None:
    import importlib.util

    if importlib.util.find_spec("tensorflow") is None:
        raise ExplainError(
            "explain needs TensorFlow in this environment: pip install 'graphdoctor[tensorflow]'"
        )


def _check_output(output: str | None) -> None:
    if output is not None and pathlib.Path(output).suffix not in (".html", ".txt", ".json", ".svg"):
        raise ExplainError(f"{output}: expected a name that ends in .html, .txt, .json or .svg")


def _explain(
    target: str,
    examples: tuple[str, ...],
    instance: str | None,
    recording: str | None,
    output: str | None,
    views: dict[str, Any],
) -> str:
    from graphdoctor.autograph.places import reference
    from graphdoctor.autograph.targets.examples import examples_from_recording, parse_examples
    from graphdoctor.autograph.targets.partials import open_partial
    from graphdoctor.autograph.targets.target import find_target
    from graphdoctor.autograph.tensorflow_internals import plain_function
    from graphdoctor.autograph.traces.tracing import trace
    from graphdoctor.recording import read_recording

    needs = [one.partition("=")[2] for one in examples]
    found = find_target(target, instance, needs, whole=bool(views["signature"]))  # calls fill the cache
    if found.remark:
        click.echo(f"graphdoctor: {found.remark}", err=True)
    function, first, named = open_partial(found.function)
    given = {**named, **parse_examples(examples, found.module)}
    recorded = read_recording(recording) if recording is not None else None
    if recorded is not None:
        place = reference(plain_function(function))
        given = {**examples_from_recording(recorded, place.name, place.line), **given}
    return _render(function, trace(function, first, given, views["verbosity"] or 0), recorded, output, views)


def _render(function: Any, traced: "Traced", recorded: Any, output: str | None, views: dict[str, Any]) -> str:
    suffix = pathlib.Path(output).suffix if output is not None else ""
    if suffix == ".svg":
        from graphdoctor.reports.graph_drawing import draw

        return draw(traced)
    if suffix == ".json":
        return _json(traced)
    if suffix == ".html":
        return _html(function, traced, recorded, views)
    parts = [text for _, text in _views(function, traced, recorded, views)]
    return "\n".join(parts or [_page(traced, views["follow"])])


def _html(function: Any, traced: "Traced", recorded: Any, views: dict[str, Any]) -> str:
    """The page: there is room for the functions that it calls, and for views that need no further run."""
    from graphdoctor.autograph.explaining import explain_trace, followed
    from graphdoctor.cli.versions import tensorflow_version
    from graphdoctor.reports.explanation_page import View, render_explanation
    from graphdoctor.reports.graph_drawing import draw

    chosen = {**views, "code": True, "graph": True, "retrace_if": traced.error is None}
    shown = [View(title, text) for title, text in _views(function, traced, recorded, chosen)]
    shown.append(View("Drawing", drawing=draw(traced)))
    return render_explanation(
        [explain_trace(traced), *followed(traced)], shown, _rules(), tensorflow_version()
    )


def _json(traced: "Traced") -> str:
    import msgspec

    from graphdoctor.autograph.explaining import explain_trace

    return msgspec.json.format(msgspec.json.encode(explain_trace(traced))).decode() + "\n"


def _page(traced: "Traced", follow: bool) -> str:
    from graphdoctor.autograph.explaining import explain_trace, followed
    from graphdoctor.autograph.views.page import render

    pages = [explain_trace(traced), *(followed(traced) if follow else ())]
    return f"\n{'─' * 100}\n".join(render(page, _rules()) for page in pages)


def _rules() -> frozenset[str]:
    from graphdoctor.rules import all_rules

    return frozenset(rule.id for rule in all_rules())


def _views(
    function: Any, traced: "Traced", recorded: Any, views: dict[str, Any]
) -> Iterator[tuple[str, str]]:
    """The title and the text of each view that was asked for."""
    if views["code"]:
        from graphdoctor.autograph.views.generated import render_code

        yield "Generated code", render_code(traced)
    if views["graph"]:
        from graphdoctor.autograph.views.graph import render_graph

        yield "Operations", render_graph(traced)
    if views["signature"]:
        from graphdoctor.autograph.views.signature import render_signature

        yield "Cache key", render_signature(function, traced, recorded)
    if views["retrace_if"]:
        from graphdoctor.autograph.views.retracing import render_retracing

        yield "What would trace again", render_retracing(traced)
    if views["verbosity"] is not None:
        from graphdoctor.autograph.views.log import render_log

        yield "AutoGraph's log", render_log(traced, views["verbosity"])
    if views["compare"]:
        from graphdoctor.autograph.eager_comparison.comparison import compare_trace
        from graphdoctor.reports.comparison import render_comparison

        yield (
            "Eager and graph",
            render_comparison(compare_trace(traced), _findings(traced), _rule_names()),
        )


def _rule_names() -> dict[str, str]:
    from graphdoctor.rules import all_rules

    return {rule.id: rule.name for rule in all_rules()}


def _findings(traced: "Traced") -> Any:
    """What the rules say of the function's source."""
    from graphdoctor.config import load_config
    from graphdoctor.judging import check_paths

    path = traced.code.co_filename
    if not pathlib.Path(path).is_file():
        return ()
    return check_paths((path,), load_config(pathlib.Path.cwd())).findings
