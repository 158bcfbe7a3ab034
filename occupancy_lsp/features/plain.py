"""Markdown as plain text, for editors that show no Markdown."""

from __future__ import annotations

import re

_RULE = re.compile(r"^\|(?:-+\|)+\n", re.MULTILINE)
_LINK = re.compile(r"\[([^]]+)\]\([^)]+\)")
_ROW = re.compile(r"^\| (.*) \|$", re.MULTILINE)


def plain(markdown: str) -> str:
    text = _LINK.sub(r"\1", _RULE.sub("", markdown)).replace("**", "").replace("`", "")
    return _ROW.sub(lambda match: "  ".join(f"{cell:<16}" for cell in match[1].split(" | ")).rstrip(), text)
