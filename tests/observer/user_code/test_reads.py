"""What a code object reads and stores outside itself, on every supported Python."""

import argparse
import dataclasses
import difflib
import inspect
import types
import typing
from collections.abc import Callable
from typing import Any

import pytest

from graphdoctor.observer.user_code.reads import outside_of

SCALE = 1.0
options = {"rate": 1.0}
log: list[Any] = []


def texts(function: Callable[..., Any]) -> set[str]:
    return {
        f"{read.base} {read.name}{''.join(map(str, read.steps))}"
        for read in outside_of(function.__code__).reads
        if read.name not in ("x", "tuple", "map")
    }


def stores(function: Callable[..., Any]) -> set[str]:
    return {f"{store.base} {store.name}" for store in outside_of(function.__code__).stores}


def test_locals_and_parameters_are_not_outside() -> None:
    def function(x: Any, scale: float) -> Any:
        local = x * scale
        return local.value

    assert texts(function) == set()
    assert stores(function) == set()


def test_globals_attributes_and_items() -> None:
    def function(x: Any) -> Any:
        return x * SCALE + options["rate"] + log.count(1)

    assert texts(function) == {"global SCALE", 'global options["rate"]', "global log.count"}


def test_cells_of_the_closure_but_not_of_its_own_inner_functions() -> None:
    outer = 3

    def function(x: Any) -> Any:
        inner = x
        return (lambda y: y + outer + inner)(x)

    assert texts(function) == {"cell outer"}


def test_self_also_from_inside_a_lambda() -> None:
    class Model:
        def step(self, x: Any) -> Any:
            return (lambda y: y * self.config.rate)(x) + self.depth

    assert texts(Model.step) >= {"owner self.config.rate", "owner self.depth"}


def test_stores_with_the_line_and_the_order() -> None:
    class Model:
        def step(self, x: Any) -> Any:
            global log
            self.h = x
            log = [self.h]
            self.count += 1

    outside = outside_of(Model.step.__code__)
    assert stores(Model.step) == {"attribute h", "attribute count", "global log"}
    by_name = {store.name: store for store in outside.stores}
    assert by_name["log"].line - by_name["h"].line == 1
    (read,) = [read for read in outside.reads if [step.key for step in read.steps] == ["count"]]
    assert read.order < by_name["count"].order
    (read,) = [read for read in outside.reads if [step.key for step in read.steps] == ["h"]]
    assert read.order > by_name["h"].order


def test_filling_a_dictionary_is_reported_from_reading_it() -> None:
    def function(x: Any) -> Any:
        options["a"] = x
        return options["b"]

    outside = outside_of(function.__code__)
    found = {"".join(map(str, read.steps)): read.fills for read in outside.reads if read.name == "options"}
    assert found == {"": True, '["b"]': False}
    assert outside.stores_items


def test_an_empty_tuple_is_not_a_name() -> None:
    def function(x: Any) -> Any:
        return x.uniform(()) * SCALE

    assert texts(function) == {"global SCALE"}


@pytest.mark.parametrize(
    "module", [argparse, dataclasses, difflib, inspect, typing], ids=lambda m: m.__name__
)
def test_any_code_can_be_looked_at(module: types.ModuleType) -> None:
    waiting = [compile(inspect.getsource(module), module.__name__, "exec")]
    while waiting:
        code = waiting.pop()
        outside_of(code)
        waiting += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
