"""`list()` and `string()`, as far as they are about text alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from occupancy_lsp.workspace.cmake.patterns import compiled
from occupancy_lsp.workspace.cmake.values import MAYBE, UNKNOWN, elements, is_open, joined

Lookup = Callable[[str], str]  # of a variable; "" where it is not set


def changed_list(how: str, given: Sequence[str], value: Lookup) -> dict[str, str]:
    """The variables that `list(how given…)` sets."""
    if not given:
        return {}
    name, rest = given[0], list(given[1:])
    words = elements(value(name))
    match how:
        case "APPEND":
            return {name: joined([*words, *rest])}
        case "PREPEND":
            return {name: joined([*rest, *words])}
        case "INSERT":
            return {name: joined([*words, *(MAYBE + it for it in rest[1:])])}
        case "REMOVE_ITEM":
            if any(is_open(it) for it in rest):
                return {name: joined(it if is_open(it) else MAYBE + it for it in words)}
            return {name: joined(it for it in words if it.lstrip(MAYBE) not in rest)}
        case "REMOVE_DUPLICATES":
            return {name: joined(dict.fromkeys(words))}
        case "REVERSE":
            return {name: joined(reversed(words))}
        case "SORT":
            return {name: joined(sorted(words))}
        case "FILTER" if len(rest) == 3:
            return {name: joined(_filtered(words, rest[0] == "INCLUDE", rest[2]))}
        case "TRANSFORM" if len(rest) == 2 and rest[0] in ("APPEND", "PREPEND"):
            before, after = ("", rest[1]) if rest[0] == "APPEND" else (rest[1], "")
            return {name: joined(f"{before}{it}{after}" for it in words)}
        case "LENGTH" if rest:
            return {rest[0]: UNKNOWN if any(is_open(it) for it in words) else str(len(words))}
        case "JOIN" if len(rest) == 2:
            return {rest[1]: rest[0].join(words)}
        case "GET" if len(rest) == 2 and re.fullmatch(r"-?\d{1,4}", rest[0]):
            at = int(rest[0])
            known = -len(words) <= at < len(words) and not any(is_open(it) for it in words)
            return {rest[1]: words[at] if known else UNKNOWN}
        case "FIND" if len(rest) == 2:
            known = not any(is_open(it) for it in words)
            return {rest[1]: UNKNOWN if not known else str(words.index(rest[0]) if rest[0] in words else -1)}
        case "POP_BACK":
            return {name: joined(words[:-1]), **dict.fromkeys(rest, UNKNOWN)}
        case "POP_FRONT":
            return {name: joined(words[1:]), **dict.fromkeys(rest, UNKNOWN)}
    return dict.fromkeys((name, *rest[-1:]), UNKNOWN)


def _filtered(words: Sequence[str], include: bool, pattern: str) -> list[str]:
    kept = []
    for word in words:
        known = compiled(pattern, word)
        if known is None or is_open(pattern):
            kept.append(MAYBE + word.lstrip(MAYBE))
        elif bool(known.search(word)) is include:
            kept.append(word)
    return kept


def changed_string(how: str, given: Sequence[str], value: Lookup) -> dict[str, str]:
    """The variables that `string(how given…)` sets."""
    match how, [*given]:
        case "APPEND", [name, *rest]:
            return {name: value(name) + "".join(rest)}
        case "PREPEND", [name, *rest]:
            return {name: "".join(rest) + value(name)}
        case "CONCAT", [name, *rest]:
            return {name: "".join(rest)}
        case "JOIN", [glue, name, *rest]:
            return {name: glue.join(rest)}
        case "TOLOWER" | "TOUPPER", [text, name]:
            return {name: text.lower() if how == "TOLOWER" else text.upper()}
        case "STRIP", [text, name]:
            return {name: text.strip()}
        case "LENGTH", [text, name]:
            return {name: UNKNOWN if is_open(text) else str(len(text.encode()))}
        case "REPLACE", [old, new, name, *rest] if not is_open(old):
            return {name: "".join(rest).replace(old, new) if old else "".join(rest)}
        case "FIND", [text, part, name, *_]:
            return {name: UNKNOWN if is_open(text + part) else str(text.find(part))}
        case "REGEX", [kind, pattern, *rest]:
            return _by_pattern(kind, pattern, rest)
    named = {"SUBSTRING": 3, "MAKE_C_IDENTIFIER": 1, "RANDOM": -1, "TIMESTAMP": 0, "COMPARE": 3}.get(how)
    return {given[named]: UNKNOWN} if named is not None and -1 <= named < len(given) else {}


def _by_pattern(kind: str, pattern: str, rest: Sequence[str]) -> dict[str, str]:
    if kind == "REPLACE" and len(rest) >= 3:
        new, name, text = rest[0], rest[1], "".join(rest[2:])
        found = compiled(pattern, text)
        if found is None or is_open(pattern):
            return {name: UNKNOWN}
        return {name: found.sub(lambda it: re.sub(r"\\(\d)", lambda n: _group(it, int(n[1])), new), text)}
    if kind in ("MATCH", "MATCHALL") and len(rest) >= 2:
        name, text = rest[0], "".join(rest[1:])
        found = compiled(pattern, text)
        if found is None or is_open(pattern + text):
            return {name: UNKNOWN, "CMAKE_MATCH_1": UNKNOWN}
        every = list(found.finditer(text))[: 1 if kind == "MATCH" else None]
        groups = {f"CMAKE_MATCH_{n}": _group(every[0], n) for n in range(1, 4)} if every else {}
        return {name: joined(it[0] for it in every), **groups}
    return {}


def _group(match: re.Match[str], number: int) -> str:
    return (match[number] or "") if number <= (match.re.groups or 0) else ""
