"""Names of devices as drivers, tools and people write them.

Two names are the same if they have the same words. A word is a run of letters or of digits, or a size of memory;
spaces, dashes, case, the order of words and what makers add to every name do not count. Whatever tells two chips
apart does: `Ti`, `SUPER`, `Laptop`, `Max-Q`, the size of the memory. Knows no device and no file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.naming import canonical
from occupancy_lsp.core.regex import regex

# What the tools write around a name: `nvidia-smi -L`, rocminfo, clinfo, system_profiler, sysctl.
_LABEL = regex(
    r"GPU \d+:|(?:Marketing Name|Board name|Name|Chipset Model|machdep\.cpu\.brand_string):"
    r"|Device Name\s{2}|Device Board Name \(AMD\)",
    re.IGNORECASE,
)
_UUID = regex(r"\(UUID:[^)]*\)", re.IGNORECASE)
_CAPABILITY = regex(r"(?:cc|compute capability)?\s*(\d{1,2})\.(\d)", re.IGNORECASE)
_TARGET = regex(r"(?:\w+-\w+-\w+--)?(gfx[\da-f]+(?:-\w+)*)(?::[a-z]+[+-])*", re.IGNORECASE)

_MARKS = regex(r"\((?:r|tm|c)\)|[™®©]")
_MEMORY = regex(r"(?<![a-z\d.])(\d+)[ -]?g(?:i?b)?(?![a-z\d])")
_WORDS = regex(r"\d+gb\b|[a-z]+|\d+")
_SAME = {"mobile": "laptop", "notebook": "laptop"}
_EMPTY = frozenset({"corporation", "design", "edition", "generation", "gpu", "graphics", "series", "with"})
_CLOSE = 0.6  # as difflib's own bound of what is near


@dataclass(frozen=True, slots=True)
class Maker:
    """Words in the names of a maker's products: `brands` tell nothing apart, `lines` are often left out."""

    brands: frozenset[str] = frozenset()
    lines: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Known:
    """A device with all its names."""

    id: str
    names: tuple[str, ...]
    maker: Maker = Maker()


def plain(name: str) -> str:
    """A name without what a tool prints around it, in the form in which ids are compared."""
    text = _UUID.sub("", name.strip()[:200])
    text = text[label.end() :] if (label := _LABEL.match(text)) else text
    text = text.strip()
    if capability := _CAPABILITY.fullmatch(text):
        return f"sm_{capability[1]}{capability[2]}"
    target = _TARGET.fullmatch(text)
    return canonical(target[1] if target else text)


def words(name: str) -> list[str]:
    """In their order; sizes of memory as `80gb`. None of what is a path."""
    if "/" in name or "\\" in name:
        return []
    text = _MEMORY.sub(r"\1gb ", _MARKS.sub(" ", plain(name))).replace("+", " plus ")
    return [_SAME.get(word, word) for word in _WORDS.findall(text)]


class Names:
    """Which of some devices a name means."""

    def __init__(self, known: Iterable[Known]) -> None:
        self._said: list[tuple[str, Maker, list[str]]] = []
        self._plain: dict[str, set[str]] = {}
        self._whole: dict[tuple[Maker, str], set[str]] = {}
        self._short: dict[tuple[Maker, str], set[str]] = {}
        for one in known:
            for name in (one.id, *one.names):
                said = _said(name, one.maker)
                self._said.append((one.id, one.maker, said))
                for text in filter(None, (plain(name), "".join(words(name)))):
                    self._plain.setdefault(text, set()).add(one.id)
                for index, kept in (self._whole, said), (self._short, _without_line(said, one.maker)):
                    for key in _keys(kept):
                        index.setdefault((one.maker, key), set()).add(one.id)
        self._makers = list(dict.fromkeys(maker for _, maker, _ in self._said))

    def meant(self, name: str) -> tuple[str, ...]:
        """The ids of the devices with this name, with all its words or without its product line; several if the name
        does not tell them apart.
        """
        if exact := self._plain.get(plain(name)) or self._plain.get("".join(words(name))):
            return tuple(sorted(exact))
        asked = [(maker, key) for maker in self._makers for key in _keys(_said(name, maker))]
        whole, short = ({id for key in asked for id in index.get(key, ())} for index in (self._whole, self._short))
        return tuple(sorted(whole or short))

    def family(self, name: str) -> tuple[str, ...]:
        """The ids of those with all words of the name and more, the shortest first."""
        return self._best(name, _more)

    def near(self, name: str) -> tuple[str, ...]:
        """The ids of those that the name may be a slip for, best first: a word misspelled, or a number cut short.
        Never another number or a word more or less, for that is another device.
        """
        return self._best(name, _slip)

    def _best(self, name: str, distance: Callable[[list[str], list[str]], float | None]) -> tuple[str, ...]:
        by_maker = {maker: _said(name, maker) for maker in self._makers}
        found: dict[str, float] = {}
        for id, maker, said in self._said:
            if by_maker[maker] and (far := distance(by_maker[maker], said)) is not None:
                found[id] = min(far, found.get(id, far))
        return tuple(sorted(found, key=lambda id: (found[id], id)))


def _said(name: str, maker: Maker) -> list[str]:
    """The words of a name that tell the maker's products apart."""
    return [word for word in words(name) if word not in _EMPTY and word not in maker.brands]


def _without_line(said: list[str], maker: Maker) -> list[str]:
    """The words behind the line, where a number is among them: `TITAN X` may be each of several, `Quadro 6000` is no
    `Quadro RTX 6000`.
    """
    rest = said[1:] if said and said[0] in maker.lines else said
    return rest if any(it[0].isdigit() for it in rest) else said


def _keys(said: list[str]) -> tuple[str, ...]:
    """The words in any order, and run together in their own."""
    return (" ".join(sorted(said)), "".join(said)) if said else ()


def _more(asked: list[str], said: list[str]) -> float | None:
    """How many words a name has beyond those asked for, if it has them all. One letter is no family's name."""
    if not {*asked} <= {*said}:
        return None
    lacking = len("".join(asked)) < 2 or Counter(asked) - Counter(said)
    return None if lacking else len(said) - len(asked)


def _slip(asked: list[str], said: list[str]) -> float | None:
    """How far the words that differ are from each other, if one may have been meant for the other."""
    from difflib import SequenceMatcher  # only faults need it, and it costs at start-up

    if len(asked) != len(said):
        return None
    wrong, right = (
        sorted((Counter(asked) - Counter(said)).elements()),
        sorted((Counter(said) - Counter(asked)).elements()),
    )
    far = 0.0
    for one, other in zip(wrong, right, strict=True):
        cut_short = one.isdigit() and other.startswith(one) and len(wrong) == 1
        lengths = len(one), len(other)
        misspelled = one.isalpha() and other.isalpha() and min(lengths) > 2 and max(lengths) - min(lengths) < 3
        if not cut_short and not misspelled:
            return None
        ratio = SequenceMatcher(None, one, other).ratio()
        if not cut_short and ratio < _CLOSE:
            return None
        far += 1 - ratio
    return far
