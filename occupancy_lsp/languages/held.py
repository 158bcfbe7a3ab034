"""Programs that a file in another language holds as string literals."""

from __future__ import annotations

from typing import Protocol

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.lex.span import Span

Opted = tuple[tuple[str, int | None], ...]  # kernels, each with its bytes; None: not known how many


@dataclass(frozen=True, slots=True)
class Piece:
    """One literal. `span`: what stands between its quotes; `shown`: that, as the running program sees it, with blanks.

    `refused`: what an edit there may not write.
    """

    span: Span
    shown: bytes
    refused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Launching:
    """A launch, and where its arguments start in the file."""

    offset: int
    launch: KernelLaunch


@dataclass(frozen=True, slots=True)
class Program:
    """`before`: lines that stand before its text without being in the file, as macros that its options define.
    `max_registers`: that they allow; None: they do not say. `opted`: kernels that may have more shared memory than
    others; None: any may."""

    language: str  # its name
    pieces: tuple[Piece, ...]  # of the file
    before: bytes = b""
    max_registers: int | None = None
    launches: tuple[Launching, ...] = ()
    folders: tuple[str, ...] = ()  # that its options name for headers
    opted: Opted | None = ()

    @property
    def text(self) -> bytes:
        """From its first literal to its last, with blanks for what stands between, behind the lines before it."""
        parts, at = [self.before], self.pieces[0].span.start
        for it in self.pieces:
            parts += (b" " * (it.span.start - at), it.shown)
            at = it.span.end
        return b"".join(parts)

    @property
    def begin(self) -> int:
        """Where that starts in the file. Below 0: it has no room for the lines before it."""
        return self.pieces[0].span.start - len(self.before)


class HeldPrograms(Protocol):
    """Those of a file, in step with its edits."""

    def of(self, content: bytes) -> tuple[Program, ...]:
        """In the order in which they stand. Never raises."""
        ...
