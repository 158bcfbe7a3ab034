"""Frozen dataclasses that are made quickly.

Python's own freeze at run time, and pay for it whenever one is made: each field is set by a call, five times slower.
A key makes thousands. Here the type checker alone sees to it that none is changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses

    def dataclass(*, frozen=False, eq=True, **options):
        def made(kind):
            own_hash = vars(kind).get("__hash__") is not None
            return dataclasses.dataclass(eq=eq, unsafe_hash=frozen and eq and not own_hash, **options)(kind)

        return made
