"""The text of an inlay hint, at most 32 characters."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from occupancy_lsp.core.dataclass import dataclass

LONGEST = 32
Kind = Literal["exact", "bounded", "by size", "budget", "upper bound", "open memory"]


@dataclass(frozen=True, slots=True)
class Label:
    """`kind`: what its reader learns. `at`: the size that the share is of, where that is merely the largest; `lead`:
    where it is merely assumed. `estimated`: by what a loop is estimated to take, not by what is proved.

    What has no room is left out: the size first, then `tail` from its first on.
    """

    kind: Kind
    share: str
    tail: tuple[str, ...] = ()
    size: str = ""
    at: str = ""
    condition: str = ""
    lead: str = ""
    estimated: bool = False

    @property
    def said(self) -> tuple[str, ...]:
        """All but the size."""
        return self.share, self.condition, *self.tail

    @property
    def without_size(self) -> str:
        return replace(self, size="").text

    @property
    def conditional(self) -> bool:
        """Whether it holds only for some values of what is not known."""
        return self.kind in ("budget", "by size", "open memory")

    @property
    def short(self) -> str:
        """The figure alone."""
        return " · ".join(filter(None, (self.lead, f"{self.share}{self.at}{self.condition}")))

    @property
    def whole(self) -> str:
        """Nothing left out."""
        return " · ".join(filter(None, (self.lead, self.size, f"{self.share}{self.at}{self.condition}", *self.tail)))

    @property
    def text(self) -> str:
        share = f"{self.share}{self.at}{self.condition}"
        forms = ((self.size, share, *self.tail), *((share, *self.tail[left:]) for left in range(len(self.tail) + 1)))
        texts = [" · ".join(filter(None, (self.lead, *form))) for form in forms]
        return next((text for text in texts if len(text) <= LONGEST), share)
