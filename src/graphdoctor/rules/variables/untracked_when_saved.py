"""GD412."""

import dataclasses
from collections.abc import Iterator

from graphdoctor.model import Edit, Finding, Severity
from graphdoctor.recording.format import Applied, Failure, Place
from graphdoctor.recording.places import related_to
from graphdoctor.refactoring.creation.tracked_attributes import kept_by_saved
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.failures import explained_failures, explanation
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import node_at

ORDER = "Keep it in an attribute"
UNHELD = "that is not tracked by the saved object"


class UntrackedWhenSaved(Rule):
    """A model is saved without a Variable, table or layer that its functions use.

    What it finds
    `tf.saved_model.save(…)`, or another exporter, of an object one of whose graph functions uses a Variable,
    a lookup table, a layer or an iterator that the object does not track: it is in a global name, a cache, a
    closure, or an object of a plain class.

    Why it matters
    TensorFlow saves what is reachable from the attributes of the object, through lists, dicts, tuples, and
    objects that derive from `tf.Module` or a Keras class. It cannot save the state of anything else and
    raises AssertionError or KeyError; training and calling the model work until then.

    How to fix it
    Keep it in an attribute of the object that is saved, before it is saved: `self.table = table`. A plain
    class on the way to it may derive from `tf.Module`.

    When to leave it
    Never: it raises when it is saved.
    """

    id = "GD412"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"an 'untracked' resource.*this tensor = <tf\.Variable '([^']+?)(?::\d+)?'",
            meaning=f"a function uses the Variable `{{0}}` {UNHELD}",
            order=ORDER,
        ),
        FailureText(
            pattern=r"an 'untracked' resource.*this tensor = <[\w.]+\.(\w+) object",
            meaning=f"a function uses a `{{0}}` {UNHELD}",
            order=ORDER,
        ),
        FailureText(
            pattern=r"an 'untracked' resource.*IteratorResource",
            meaning=f"a function uses an iterator {UNHELD}",
            order=ORDER,
        ),
        FailureText(
            pattern=r"an 'untracked' resource",
            meaning=f"a function uses a resource {UNHELD}",
            order=ORDER,
        ),
        FailureText(
            pattern=r"add concrete function .*?__inference_(\w+?)_\d+\W.*\(name=\"([^\"]+?)(?:/\d+)?\", "
            r"type=\"tensorflow::Var\"",
            meaning=f"`{{0}}` uses the Variable `{{1}}` {UNHELD}",
            order=ORDER,
        ),
        FailureText(
            pattern=r"add concrete function .*?__inference_(\w+?)_\d+\W.*type=\"tensorflow::lookup",
            meaning=f"`{{0}}` uses a lookup table {UNHELD}",
            order=ORDER,
        ),
        FailureText(
            pattern=r"add concrete function .*?__inference_(\w+?)_\d+\W.* not reachable from root",
            meaning=f"`{{0}}` uses a resource {UNHELD}",
            order=ORDER,
        ),
    )
    examples = (
        Example(
            bad="""
                import tempfile

                import tensorflow as tf

                keys = tf.constant(["no", "yes"])
                answers = tf.lookup.KeyValueTensorInitializer(keys, tf.constant([0, 1], tf.int64))
                table = tf.lookup.StaticHashTable(answers, default_value=-1)


                class Reader(tf.Module):
                    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
                    def read(self, words):
                        return table.lookup(words)


                tf.saved_model.save(Reader(), tempfile.mkdtemp())
                """,
            good="""
                import tempfile

                import tensorflow as tf

                keys = tf.constant(["no", "yes"])
                answers = tf.lookup.KeyValueTensorInitializer(keys, tf.constant([0, 1], tf.int64))


                class Reader(tf.Module):
                    def __init__(self):
                        super().__init__()
                        self.table = tf.lookup.StaticHashTable(answers, default_value=-1)

                    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
                    def read(self, words):
                        return self.table.lookup(words)


                tf.saved_model.save(Reader(), tempfile.mkdtemp())
                """,
            raises="AssertionError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        predicted = [event for event in facts.of(Applied) if event.what == "untracked" and event.place]
        places = [event.place for event in predicted]
        for finding in explained_failures(self, facts):
            if not any(_stands_at(finding.path, finding.line, place) for place in places):
                yield finding
        for event in predicted:
            assert event.place is not None
            seen = _refused(facts, event.place)
            function, saved = event.options.get("function", ""), event.options.get("saved", "")
            message = f"`{function}` uses a `{event.type}` that the saved `{saved}` does not track"
            yield self.finding(
                facts.span(event.place),
                f"{message} ({seen.type})" if seen else message,
                event=dataclasses.replace(seen, foretold=True) if seen else event,
                related=(related_to(event.made, "it is created here"),) if event.made else (),
                fix=offer(ORDER, _kept(facts, event)),
            )


def _kept(facts: Facts, event: Applied) -> Edit | None:
    """An attribute of the saved object, where its own method uses what is made once elsewhere."""
    made, place = node_at(facts, event.made), event.place
    function, saved = event.options.get("function", ""), event.options.get("saved", "")
    if made is None or place is None or function.rpartition(".")[0] != saved:
        return None
    named = [
        each
        for module in facts.sources.modules
        for each in module.functions.values()
        if each.ref.name == function
    ]
    return kept_by_saved(made, named[0]) if len(named) == 1 else None


def _refused(facts: Facts, place: Place) -> Failure | None:
    """The failure that a run saw there: TensorFlow does not save it."""
    for failed in facts.failures:
        at, found = failed.failure.place, explanation(failed)
        reported = found is not None and found[0] == UntrackedWhenSaved.id
        if reported and at is not None and _stands_at(at.path, at.line, place):
            return failed.failure
    return None


def _stands_at(path: str, line: int, place: Place | None) -> bool:
    return place is not None and path == place.path and place.line <= line <= (place.end_line or place.line)
