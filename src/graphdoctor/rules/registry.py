"""Finds the rules: every file of this package that holds a Rule class."""

import functools
import importlib
import pkgutil

import graphdoctor.rules
from graphdoctor.rules.rule import Rule


@functools.cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by id."""
    found = {}
    for module in pkgutil.iter_modules(graphdoctor.rules.__path__):
        loaded = importlib.import_module(f"graphdoctor.rules.{module.name}")
        for value in vars(loaded).values():
            if isinstance(value, type) and issubclass(value, Rule) and value is not Rule:
                found[value.id] = value()
    return tuple(found[identifier] for identifier in sorted(found))


def find_rule(identifier: str) -> Rule | None:
    """The rule with this id (`GD101`) or name (`python-number-argument`)."""
    wanted = identifier.lower()
    return next((r for r in all_rules() if wanted in (r.id.lower(), r.name)), None)


@functools.cache
def selected_rules(
    select: tuple[str, ...], ignore: tuple[str, ...], extend: tuple[str, ...] = ()
) -> tuple[Rule, ...]:
    """The rules whose id starts with one of `select` (all when empty) and with none of `ignore`.

    `extend` adds to the selection what it names, also where `ignore` takes a whole family away.
    """
    return tuple(
        rule
        for rule in all_rules()
        if is_selected(rule.id, select, ignore, rule.name)
        or (extend and is_selected(rule.id, extend, (), rule.name) and rule.id not in ignore)
    )


def is_selected(identifier: str, select: tuple[str, ...], ignore: tuple[str, ...], name: str = "") -> bool:
    """Whether a rule is wanted, by its id or name."""
    wanted = not select or identifier.startswith(select) or name in select
    return wanted and not (ignore and (identifier.startswith(ignore) or name in ignore))
