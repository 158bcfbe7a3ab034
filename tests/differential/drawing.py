"""Program `number` of a seed: always the same, whatever else is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from random import Random

from .constructs import CONSTRUCTS, Construct
from .sketch import Program, Sketch


def construct_of(seed: int, number: int, language: str) -> Construct:
    """A new construct takes programs of all others, and leaves the rest as they are."""
    own = [it for it in CONSTRUCTS if language in it.languages]
    return max(own, key=lambda it: sha256(f"{seed} {number} {it.name}".encode()).digest())


def program(seed: int, number: int, language: str = "cuda") -> Program:
    construct = construct_of(seed, number, language)
    sketch = Sketch(number, construct.name, Random(f"{seed} {number}"), language)
    construct.draw(sketch)
    return sketch.program()


def numbers(seed: int, wanted: frozenset[str], language: str = "cuda") -> Iterator[int]:
    """Those of the programs whose construct is wanted, without end."""
    return (it for it in count() if construct_of(seed, it, language).name in wanted)
