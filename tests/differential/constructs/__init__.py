"""What is drawn: a construct per kind of text that the reader claims to read, each in a file of its own.

A construct draws a whole program, and takes what it is not about from the plain pieces of `Sketch`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..sketch import Sketch
from . import object_macros, plain

Draw = Callable[[Sketch], None]


@dataclass(frozen=True)
class Construct:
    """`holds`: the small part that runs with the tests draws it; off while its kind is known to be read wrongly."""

    name: str
    draw: Draw
    holds: bool = True
    language: str = "cuda"


CONSTRUCTS = (
    Construct("plain", plain.draw),
    Construct("object macros", object_macros.draw),
)
BY_NAME = {it.name: it for it in CONSTRUCTS}
