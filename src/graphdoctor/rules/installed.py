"""The rules of other packages, by the entry point group `graphdoctor.rules`, and what is wrong with some."""

import importlib
import pkgutil
import re
from collections.abc import Collection, Iterator
from types import ModuleType

from graphdoctor.errors import RulePackageError
from graphdoctor.model import Severity
from graphdoctor.rule_packages import Source, rule_sources
from graphdoctor.rules.rule import HEADINGS, Rule, sections

OURS = "GD"
IDENTIFIER = re.compile(r"[A-Z]+[0-9]+")


def installed_rules(own: Collection[Rule]) -> tuple[list[Rule], list[RulePackageError]]:
    """The rules of other packages that can be used beside our own, and why the others cannot."""
    owners = {key: "graphdoctor" for rule in own for key in (rule.id, rule.name)}
    rules: list[Rule] = []
    errors: list[RulePackageError] = []
    for source in rule_sources():
        try:
            classes = list(_classes(source))
        except RulePackageError as error:
            errors.append(error)
            continue
        for kind in classes:
            wrong = _wrong_with(kind, owners)
            if wrong:
                errors.append(RulePackageError(f"{source}: {kind.__name__} is left out: {wrong}"))
                continue
            rule = kind()
            owners |= {rule.id: source.package, rule.name: source.package}
            rules.append(rule)
    return rules, errors


def _classes(source: Source) -> Iterator[type[Rule]]:
    """The Rule classes that an entry point names: one, or those of a module and of the modules in it."""
    try:
        loaded = source.point.load()
        modules = [loaded, *_modules_in(loaded)] if isinstance(loaded, ModuleType) else []
    except Exception as error:  # whatever the code of another package raises while it is imported
        raise RulePackageError(f"{source} cannot be loaded: {type(error).__name__}: {error}") from error
    found = [
        value
        for module in modules
        for value in vars(module).values()
        if _is_rule(value) and value.__module__ == module.__name__
    ]
    found += [loaded] if _is_rule(loaded) else []
    if not found:
        raise RulePackageError(f"{source} names no rule: expected a Rule class, or a module that has some")
    yield from dict.fromkeys(found)


def _severity(kind: type[Rule]) -> object:
    try:
        return kind.severity
    except AttributeError:
        return None


def _modules_in(package: ModuleType) -> Iterator[ModuleType]:
    for one in pkgutil.walk_packages(getattr(package, "__path__", ()), package.__name__ + "."):
        yield importlib.import_module(one.name)


def _is_rule(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Rule) and value is not Rule


def _wrong_with(kind: type[Rule], owners: dict[str, str]) -> str:
    """Why a class cannot be used as a rule; empty if it can."""
    identifier, severity = getattr(kind, "id", None), _severity(kind)
    if not isinstance(identifier, str) or not IDENTIFIER.fullmatch(identifier):
        return f"its `id` is {identifier!r}, and has to be capital letters and digits, as `TEAM001`"
    if not isinstance(severity, Severity):
        return f"its `severity` is {severity!r}, and has to be one of {', '.join(map(str, Severity))}"
    try:
        rule = kind()
        missing = [heading for heading in HEADINGS if not sections(rule).get(heading)]
        name = rule.name
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if missing or not sections(rule).get(""):
        lacks = ", ".join(f"`{heading}`" for heading in missing) or "a first line that says what it is"
        return f"its docstring lacks {lacks}"
    taken = next((key for key in (identifier, name) if key in owners), None)
    if taken is not None:
        return f"`{taken}` is a rule of {owners[taken]} already"
    return f"ids that begin with {OURS} are graphdoctor's" if identifier.startswith(OURS) else ""
