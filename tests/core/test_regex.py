"""Patterns that are compiled late are patterns all the same."""

import pickle
import pkgutil
import re
from importlib import import_module

import occupancy_lsp
from occupancy_lsp.core.regex import regex


def test_every_pattern_of_the_tool_compiles() -> None:
    """A fault in one shows here, not when somebody's file first asks for it."""
    modules = [import_module(it.name) for it in pkgutil.walk_packages(occupancy_lsp.__path__, "occupancy_lsp.")]
    late = [it for module in modules for it in vars(module).values() if type(it).__name__ == "regex"]
    assert len(late) > 600
    for it in late:
        assert it.groups == re.compile(it.pattern, vars(it)["given"]).groups


def test_it_finds_what_a_compiled_one_finds() -> None:
    pattern, text = rb"(a|b)(\w*)", b"A b1 ab"
    late, compiled = regex(pattern, re.IGNORECASE), re.compile(pattern, re.IGNORECASE)
    assert [it.span() for it in late.finditer(text)] == [it.span() for it in compiled.finditer(text)]
    assert late.findall(text) == compiled.findall(text)
    assert late.sub(b"-", text) == compiled.sub(b"-", text)
    assert late.pattern == compiled.pattern


def test_it_goes_to_another_process() -> None:
    late = regex(r"\d+", re.ASCII)
    assert late.search("a12")
    assert pickle.loads(pickle.dumps(late)) == late
    assert hash(late) == hash(regex(r"\d+", re.ASCII))
    assert late != regex(r"\d+")
    assert late != r"\d+"
