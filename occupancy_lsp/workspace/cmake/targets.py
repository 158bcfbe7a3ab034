"""Targets, directories and sources: what is said of how they are compiled, and under which doubts.

A doubt is a condition whose answer nobody knows, with one of its answers. What is said under doubts holds for a target
that was made under the same ones: if the target is there, so is what was said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.workspace.cmake.values import MAYBE, either, is_open

Doubts = frozenset[tuple[int, int]]
NONE: Doubts = frozenset()

DEFINITIONS, OPTIONS, INCLUDES, LINKS = (
    "COMPILE_DEFINITIONS",
    "COMPILE_OPTIONS",
    "INCLUDE_DIRECTORIES",
    "LINK_LIBRARIES",
)
FLAGS = "COMPILE_FLAGS"


@dataclass(frozen=True, slots=True)
class PropertyValue:
    """`text`: a list, in which generator expressions may stand. `adds`: to what was said before; else instead of it."""

    text: str
    doubts: Doubts
    adds: bool = True


Properties = dict[str, list[PropertyValue]]


@dataclass(slots=True)
class Directory:
    folder: Path
    properties: Properties = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)  # as they were at its end


@dataclass(slots=True)
class Target:
    """`passed_on`: to those that link it. `seen`: the variables where its doubts ended."""

    name: str
    directory: Directory
    doubts: Doubts
    properties: Properties = field(default_factory=dict)
    passed_on: Properties = field(default_factory=dict)
    sources: dict[Path, None] = field(default_factory=dict)
    seen: Mapping[str, str] | None = None
    strange: dict[str, None] = field(default_factory=dict)  # commands that are not known, and were given it


def add(properties: Properties, name: str, said: PropertyValue) -> None:
    properties.setdefault(name, []).append(said)


def words_of(properties: Properties, name: str, doubts: Doubts | None) -> Iterator[str]:
    """Each text; those that may be there or not are marked. `doubts`: under which one asks; None: all is in doubt."""
    for said in properties.get(name, ()):
        yield said.text if doubts is not None and said.doubts <= doubts else MAYBE + said.text


def value_of(properties: Properties, name: str, doubts: Doubts | None) -> str:
    """Of a property that has one value."""
    value = ""
    for said in properties.get(name, ()):
        value = said.text if doubts is not None and said.doubts <= doubts else either([value, said.text])
    return value


def variable_of(target: Target, name: str) -> str:
    """What a variable is for the target at its directory's end.

    A word that may be there or not because of the target's own doubts is there if it was seen where these ended.
    """
    value = target.directory.variables.get(name, "")
    if not is_open(value) or target.seen is None:
        return value
    seen = target.seen.get(name, "").split()
    return " ".join(it[1:] if it[0] == MAYBE and it[1:] in seen else it for it in value.split())
