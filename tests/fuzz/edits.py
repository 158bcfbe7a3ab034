"""Bursts of edits to an open file: what is shown is what the text shows when it is opened afresh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions, resolve
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints, tooltip
from occupancy_lsp.session.view import OpenFile
from tests.fuzz import workers
from tests.fuzz.mutations import NUMBERS, PIECES, tokens
from tests.fuzz.sources import Changed, opened, original, project

EDITS = 50  # in a burst
_KEYS = (
    b"{",
    b"}",
    b"(",
    b")",
    b"[",
    b"]",
    b"<",
    b">",
    b"\n",
    b" ",
    b"/*",
    b"*/",
    b"//",
    b";",
    b",",
    b'"',
    b"#",
    b"\\\n",
)
_LARGEST = 12_000
_DEVICES = (("h100",), ("sm_75", "h100"))


@dataclass(frozen=True)
class Edit:
    """`compared`: what is shown then is compared with a fresh file; `looked`: it is looked at."""

    start: int
    end: int
    new: bytes
    looked: bool
    compared: bool


@dataclass(frozen=True)
class Burst:
    first: Changed
    parts: Sequence[Edit]

    def of(self, parts: Sequence[Edit]) -> Burst:
        return Burst(self.first, parts)

    def text(self) -> bytes:
        return b"\n".join([self.first.content, *(repr(it).encode() for it in self.parts)])


def make(random: Random) -> Burst:
    language, content = original(random)
    first = Changed(language, random.choice(_DEVICES) if language == "cuda" else ("mi300x",), content)
    edits: list[Edit] = []
    for number in range(EDITS):
        edit = _edit(random, content, number == EDITS - 1)
        content = content[: edit.start] + edit.new + content[edit.end :]
        edits.append(edit)
    return Burst(first, edits)


def _edit(random: Random, content: bytes, last: bool) -> Edit:
    start = random.randrange(len(content) + 1)
    end = min(start + random.choice((0, 0, 0, 1, 3, 30)), len(content))
    if len(content) > _LARGEST:
        end = len(content)
    piece = random.randrange(len(content) + 1)
    new = random.choice((random.choice(_KEYS), random.choice(_KEYS), _word(random, content), random.choice(NUMBERS),
                         random.choice(PIECES), content[piece : piece + 80], b"", b""))  # fmt: skip
    compared = last or random.random() < 0.2
    return Edit(start, end, new, compared or random.random() < 0.5, compared)


def _word(random: Random, content: bytes) -> bytes:
    found = tokens(content[:1000])
    return random.choice(found) if found else b"a"


def look(case: Burst) -> None:
    file, content = opened(case.first), case.first.content
    for edit in case.parts:
        start, end = min(edit.start, len(content)), min(edit.end, len(content))
        content = content[:start] + edit.new + content[end:]
        file.edit(start, end, edit.new)
        if edit.looked:  # what is remembered of one text must not show in the next
            told = shown(file)
            if edit.compared:
                afresh = OpenFile(None, case.first.language, Text(content), project(case.first.devices))
                assert told == shown(afresh), "another text is shown than stands there"
                assert offered(file) == offered(afresh), "other edits are offered than for a file that is opened afresh"


def shown(file: OpenFile) -> list[object]:
    view = file.view()
    if view is None:
        return []
    told = hints(view, 0, len(view.text.content))
    return [*((it.offset, it.label, tooltip(view, it.key or "")) for it in told), *diagnostics(view)]


def offered(file: OpenFile) -> list[object]:
    """Edits, one of each kind."""
    view = file.view()
    found = actions(view, 0, len(view.text.content)) if view is not None else []
    return [view and resolve(view, key) for key in {it.key.partition(":")[0]: it.key for it in found}.values()]


run = partial(workers.run, "edits", make, look)
