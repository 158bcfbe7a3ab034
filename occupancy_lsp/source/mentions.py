"""Where a text names a function other than by calling, declaring or launching it: it may be launched through that."""

from __future__ import annotations

import re

from occupancy_lsp.source.source import FileFacts, Source
from occupancy_lsp.source.text.values import Place

_CALLED = re.compile(rb"\s*(?:<(?!<)(?:[^;{}()<>]|<[^;{}()<>]*>)*>\s*)?\(")
_HARMLESS = re.compile(rb"(?:cuda|hip)Func[SG]et\w+\s*\([^;]*\Z")  # gets a kernel and launches nothing
_DECLARED = re.compile(rb"(?:[\w*&>\]]|\A)\s*\Z")
_STATEMENT = re.compile(rb"(?<!\w)(?:return|else|do|case)\s*\Z")


def names_otherwise(source: Source, facts: FileFacts, kernel: str) -> bool:
    """Whether the text has the kernel's name in another place than its head, a declaration or a launch that is read."""
    targets = [it.target for it in facts.launches if it.name == kernel]
    return any(
        not (_CALLED.match(after) or _HARMLESS.search(before) or any(_within(place, it) for it in targets))
        for place, before, after in source.words(kernel)
    )


def calls(source: Source, function: str) -> int:
    """How often the text calls it; a declaration is no call."""
    return sum(
        after.lstrip().startswith(b"(") and (not _DECLARED.search(before) or _STATEMENT.search(before) is not None)
        for _, before, after in source.words(function)
    )


def _within(place: Place, around: Place) -> bool:
    return place.item == around.item and around.start <= place.start and place.end <= around.end
