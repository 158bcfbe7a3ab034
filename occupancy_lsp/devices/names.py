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

_BESIDE = regex(r".* w/ ", re.IGNORECASE)  # a processor, and the graphics in it
_REVISED = regex(r" *\(nvgpu\)$| r\dp\d$", re.IGNORECASE)  # of Jetson's driver, and of Arm's
_MESA = regex(r"Mesa (.*?)(?: \([A-Z0-9 ._-]{2,12}\))?")
_PCI = regex(r"(?:Intel.{0,80}\[)?(0x[0-9a-f]{4})\]?", re.IGNORECASE)  # where a driver has no other name
_SLICE = regex(r"(.*\S)[ -]MIG[ -]((?:\d{1,2}c\.)?\d{1,2}g\.\d{1,3}gb)(?:\+[\w.+-]{1,20})?", re.IGNORECASE)
_VIRTUAL = regex(r"(?:NVIDIA |GRID )?((?:[A-Z]{1,3}\d{1,4}[A-Z]{0,2}))-(?:(\d{1,2})-)?(\d{1,3})[ABCQ](?:ME)?")
# Boards as NVIDIA's vGPU software calls them, "Virtual GPU Types Reference"; others are called as usual.
_BOARDS = {
    "A100": "a100",
    "A100X": "a100",
    "A100D": "a100-pcie-80gb",
    "A100DX": "a100-80gb",
    "H100": "h100-pcie",
    "H100L": "h100-nvl",
    "H100XM": "h100",
    "V100": "v100-pcie",
    "V100D": "v100-pcie",
    "V100X": "v100",
    "V100DX": "v100",
}

_MARKS = regex(r"\((?:r|tm|c)\)|[™®©]")
_MEMORY = regex(r"(?<![a-z\d.])(\d+)[ -]?g(?:i?b)?(?![a-z\d])")
_WORDS = regex(r"0x[\da-f]{4}\b|\d+gb\b|[a-z]+|\d+")
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
    text = _without_label(name)
    if capability := _CAPABILITY.fullmatch(text):
        return f"sm_{capability[1]}{capability[2]}"
    target = _TARGET.fullmatch(text)
    return canonical(target[1] if target else text)


def slice_of(name: str) -> tuple[str, str] | None:
    """The GPU and the profile, `1g.10gb`, of a name that MIG gives a part of it. None: another name."""
    match = _SLICE.fullmatch(_without_label(name))
    return (match[1], match[2].lower()) if match else None


def board_of(name: str) -> tuple[str, str | None] | None:
    """The GPU of a virtual one, `GRID T4-16Q`, and its profile where MIG parts it. None: another name."""
    match = _VIRTUAL.fullmatch(_without_label(name))
    if match is None:
        return None
    return _BOARDS.get(match[1], match[1]), f"{match[2]}g.{match[3]}gb" if match[2] else None


def _without_label(name: str) -> str:
    text = _UUID.sub("", name.strip()[:200])
    text = text[label.end() :] if (label := _LABEL.match(text)) else text
    text = _REVISED.sub("", _BESIDE.sub("", text.strip()))
    if device := _PCI.fullmatch(text):
        return device[1].lower()
    mesa = _MESA.fullmatch(text)
    return mesa[1] if mesa else text


def words(name: str) -> list[str]:
    """In their order; sizes of memory as `80gb`. None of what is a path."""
    if "/" in _BESIDE.sub("", name[:200]) or "\\" in name:
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
        """The ids of those that the name may be a slip for, best first: a word misspelled, or a number mistyped.
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


def _mistyped(one: str, other: str) -> bool:
    """Whether the first is the second cut short, with a digit doubled, with two exchanged, or with another last one."""
    if len(one) == len(other) + 1:
        return any(one[:at] + one[at + 1 :] == other and one[at] == one[at - 1] for at in range(1, len(one)))
    if len(one) != len(other) or len(one) < 2:
        return other.startswith(one)
    exchanged = any(one[:at] + one[at + 1] + one[at] + one[at + 2 :] == other for at in range(len(one) - 1))
    return exchanged or one[:-1] == other[:-1]


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
        cut_short = one.isdigit() and other.isdigit() and len(wrong) == 1 and _mistyped(one, other)
        lengths = len(one), len(other)
        misspelled = one.isalpha() and other.isalpha() and min(lengths) > 2 and max(lengths) - min(lengths) < 3
        if not cut_short and not misspelled:
            return None
        ratio = SequenceMatcher(None, one, other).ratio()
        if not cut_short and ratio < _CLOSE:
            return None
        far += 1 - ratio
    return far
