"""Generator expressions (cmake-generator-expressions(7)), for one source of one target."""

from __future__ import annotations

import re

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.workspace.cmake.values import MAYBE, UNKNOWN, TooMuch, elements, is_open, is_true

_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Compiling:
    """What is compiled. `language`: CUDA, HIP, CXX. `configuration`: Release and the like, "" for none; or open."""

    language: str
    compiler: str  # NVIDIA, Clang
    configuration: str
    targets: frozenset[str] = frozenset()

    def evaluated(self, text: str, depth: int = 0) -> str:
        """What stands where the expressions stood; words that may be there or not are marked."""
        if "$<" not in text:
            return text
        if depth > _DEEPEST:
            raise TooMuch
        made: list[str] = []
        at = 0
        while (start := text.find("$<", at)) >= 0:
            end = _closing(text, start + 2)
            made += (text[at:start], self.expression(text[start + 2 : end], depth + 1))
            at = end + 1
        return "".join(made) + text[at:]

    def expression(self, inner: str, depth: int) -> str:
        colon = _colon(inner)
        name = self.evaluated(inner[:colon], depth)
        given = inner[colon + 1 :]
        if name == "0" or name == "INSTALL_INTERFACE":
            return ""
        content = self.evaluated(given, depth)
        if name in ("1", "BUILD_INTERFACE", "LINK_ONLY", "COMPILE_ONLY"):
            return content
        if is_open(name):
            return ";".join(it if is_open(it) else MAYBE + it for it in elements(content))
        if name == "IF":
            parts = _parts(given)
            said = is_true(self.evaluated(parts[0], depth)) if len(parts) == 3 else None
            return UNKNOWN if said is None else self.evaluated(parts[1 if said else 2], depth)
        said = self.test(name, [self.evaluated(it, depth) for it in _parts(given)] if given else [])
        if said is not None:
            return str(int(said))
        return _LITERALS.get(name, UNKNOWN)

    def test(self, name: str, given: list[str]) -> bool | None:
        if name in ("AND", "OR", "NOT", "BOOL"):
            return _logic(name, [is_true(it) for it in given])
        if any(is_open(it) for it in given):
            return None
        match name:
            case "COMPILE_LANGUAGE":
                return self.language in given
            case "COMPILE_LANG_AND_ID":
                return self.language == given[0] and self.compiler in given[1:] if given else None
            case "CUDA_COMPILER_ID" | "HIP_COMPILER_ID":
                return self.compiler in given if name.startswith(self.language) else None
            case "CONFIG":
                own = self.configuration
                return None if is_open(own) else own.lower() in (it.lower() for it in given)
            case "TARGET_EXISTS":
                return True if given and given[0] in self.targets else None
            case "STREQUAL" | "EQUAL":
                return given[0] == given[1] if len(given) == 2 else None
            case "DEVICE_LINK" | "HOST_LINK" | "LINK_LANGUAGE" | "LINK_LANG_AND_ID":
                return False
        return None


_LITERALS = {"COMMA": ",", "SEMICOLON": ";", "ANGLE-R": ">", "COMPILE_LANGUAGE": UNKNOWN}


def _logic(name: str, given: list[bool | None]) -> bool | None:
    if name == "NOT":
        given = [None if it is None else not it for it in given]
    if name == "OR":
        return True if True in given else None if None in given else False
    return False if False in given else None if None in given else True


def _closing(text: str, at: int) -> int:
    depth = 1
    for match in re.finditer(r"\$<|>", text[at:]):
        depth += 1 if match[0] == "$<" else -1
        if not depth:
            return at + match.start()
    return len(text)


def _colon(inner: str) -> int:
    return next((at for at, sign, depth in _signs(inner) if sign == ":" and not depth), len(inner))


def _parts(given: str) -> list[str]:
    cuts = [at for at, sign, depth in _signs(given) if sign == "," and not depth]
    return [given[start + 1 : end] for start, end in zip([-1, *cuts], [*cuts, len(given)], strict=True)]


def _signs(text: str) -> list[tuple[int, str, int]]:
    """Each colon and comma, and how deep in expressions it stands."""
    found, depth = [], 0
    for match in re.finditer(r"\$<|[>:,]", text):
        if match[0] == "$<":
            depth += 1
        elif match[0] == ">":
            depth -= 1
        else:
            found.append((match.start(), match[0], depth))
    return found
