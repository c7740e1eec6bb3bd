"""A model that another one replaces in an attribute → an argument of the graph function that uses it."""

from collections.abc import Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.graph_functions import decorator_of, has_option
from graphdoctor.refactoring.syntax.parameters import one_more_argument, one_more_parameter
from graphdoctor.source.calls import receiver_text
from graphdoctor.source.def_use import Kind
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.resolving import calls_of, def_use


def passed(modules: Sequence[Module], method: Function, attribute: str) -> tuple[Edit, ...] | None:
    """The edits that give `self.opponent` to a decorated method at each call, in place of its own reading.

    A graph function keeps one trace for each object that it is given. None unless every use of the method is
    a call on an object of its class.
    """
    this, home, decorator = method.receiver, method.home, decorator_of(method)
    if not this or decorator is None or has_option(decorator, "input_signature"):
        return None
    uses = def_use(home, method.node)
    reads = uses.of(f"{this}.{attribute}", Kind.READ)
    stored = uses.of(f"{this}.{attribute}", Kind.WRITE, Kind.DELETE)
    if not reads or stored or method.scope.lookup(attribute) is not None:
        return None
    edits = [one_more_parameter(method, attribute), *(home.replace(each.node, attribute) for each in reads)]
    calls = list(calls_of(modules, method))
    for module, call in calls:
        value = f"{receiver_text(module, call)}.{attribute}" if call is not None else ""
        edits.append(one_more_argument(module, call, attribute, value) if call is not None else None)
    known = tuple(edit for edit in edits if edit is not None)
    return known if calls and len(known) == len(edits) else None
