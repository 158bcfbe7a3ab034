"""What only NVIDIA's architectures have, as it reads on all others."""

from __future__ import annotations

from typing import Protocol


class _Local(Protocol):
    @property
    def local_per_group(self) -> int: ...


class Plain:
    """No opting in to more local memory, no reserve of it, no clusters."""

    __slots__ = ()

    @property
    def local_per_group_opt_in(self: _Local) -> int:
        return self.local_per_group

    @property
    def local_reserved(self) -> int:
        return 0

    @property
    def clusters(self) -> bool:
        return False


class Uncounted(Plain):
    """Nor a limit of barriers."""

    __slots__ = ()

    @property
    def barriers_per_unit(self) -> int | None:
        return None
