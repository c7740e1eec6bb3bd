"""Finds the rules: every file of this package that holds a Rule class, and those of other packages."""

import functools
import importlib
import os
import pkgutil
import re

from graphdoctor.errors import RulePackageError
from graphdoctor.rules.installed import installed_rules
from graphdoctor.rules.rule import Rule

WILDCARDS = re.compile(r"X+$")


def all_rules() -> tuple[Rule, ...]:
    """Every rule, by id: our own, and those of packages that are installed beside us."""
    return _found()[0]


def rule_package_errors() -> tuple[RulePackageError, ...]:
    """What is wrong with rules of other packages: these are left out."""
    return _found()[1]


@functools.cache
def _found() -> tuple[tuple[Rule, ...], tuple[RulePackageError, ...]]:
    others, errors = installed_rules(own_rules())
    return tuple(sorted((*own_rules(), *others), key=lambda rule: rule.id)), tuple(errors)


@functools.cache
def own_rules() -> tuple[Rule, ...]:
    """The rules of graphdoctor itself, by id."""
    found = {}
    for module in pkgutil.walk_packages([os.path.dirname(__file__)], "graphdoctor.rules."):
        loaded = importlib.import_module(module.name)
        for value in vars(loaded).values():
            if isinstance(value, type) and issubclass(value, Rule) and value is not Rule:
                found[value.id] = value()
    return tuple(found[identifier] for identifier in sorted(found))


def find_rule(identifier: str) -> Rule | None:
    """The rule with this id (`GD101`) or name (`python-number-argument`)."""
    wanted = identifier.lower()
    return next((r for r in all_rules() if wanted in (r.id.lower(), r.name)), None)


def rules_by_reason() -> dict[str, str]:
    """The id of the rule that explains each reason for which AutoGraph does not convert."""
    return {reason: rule.id for rule in all_rules() for reason in rule.reasons}


@functools.cache
def selected_rules(
    select: tuple[str, ...], ignore: tuple[str, ...], extend: tuple[str, ...] = ()
) -> tuple[Rule, ...]:
    """The rules that `select` names (all when it is empty) and `ignore` does not.

    A rule is named by its id, a prefix of it (`GD1`, `GD1xx`), its name, or its family: the severity.
    `extend` adds to the selection what it names, also where `ignore` takes a whole family away.
    """
    return tuple(
        rule
        for rule in all_rules()
        if is_selected(rule.id, select, ignore)
        or (extend and is_selected(rule.id, extend, ()) and rule.id not in ignore)
    )


def is_selected(identifier: str, select: tuple[str, ...], ignore: tuple[str, ...]) -> bool:
    """Whether a rule is wanted."""
    return (not select or identifier.startswith(_prefixes(select))) and not (
        ignore and identifier.startswith(_prefixes(ignore))
    )


@functools.cache
def _prefixes(chosen: tuple[str, ...]) -> tuple[str, ...]:
    """The ids, and beginnings of ids, that these words name."""
    found: list[str] = []
    for word in chosen:
        named = [rule.id for rule in all_rules() if word.lower() in (rule.name, rule.family.value.lower())]
        found += named or [WILDCARDS.sub("", word.upper())]
    return tuple(found)
