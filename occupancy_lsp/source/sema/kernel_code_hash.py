"""What a kernel's compiled code hangs on in its file: a hash of its tokens and of all that it names."""

from __future__ import annotations

from collections.abc import Callable, Set
from hashlib import blake2b

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.syntax.blanking import normalised_tokens

_NAME = regex(rb"[A-Za-z_]\w*")


class ContentHashes:
    """Remembers each item's tokens as long as the item stays as it is."""

    def __init__(self, text_of: Callable[[int], bytes]) -> None:
        self._text_of = text_of
        self.known: dict[int, tuple[bytes, frozenset[str]]] = {}

    def of(self, env: Environment, kernel: LocatedItem) -> str:
        """Equal for two texts that differ in comments, in space, or in what the kernel does not name."""
        items: dict[int, bytes] = {}
        seen: set[str] = set()
        todo = [kernel]
        while todo:
            placed = todo.pop()
            if placed.item in items:
                continue
            tokens, names = self._tokens_and_names(placed.item)
            around = "\0".join(f"{text} {holds}" for text, holds in placed.conditions)
            items[placed.item] = tokens + b"\0" + around.encode()
            asked = names | {name.decode() for name in _NAME.findall(around.encode())}
            todo += (holder for name in asked - seen for holder in env.items_defining(name))
            seen |= asked
        return blake2b(b"\0\0".join(sorted(items.values())), digest_size=8).hexdigest()

    def _tokens_and_names(self, item: int) -> tuple[bytes, frozenset[str]]:
        if item not in self.known:
            tokens = normalised_tokens(self._text_of(item))
            self.known[item] = tokens, frozenset(name.decode() for name in _NAME.findall(tokens))
        return self.known[item]

    def keep(self, items: Set[int]) -> None:
        """Forget those of all other items."""
        self.known = {item: known for item, known in self.known.items() if item in items}
