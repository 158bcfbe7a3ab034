"""Which group of work-items a function of SYCL's is called for: a work-group's may need local memory and a barrier, a
sub-group's need neither."""

from __future__ import annotations

import re
from typing import Literal

from occupancy_lsp.source.lower.item_facts import CallSite, Function

Group = Literal["work-group", "sub-group", ""]
_SUB_GROUP = "sub_group"
_WORK_GROUPS = ("nd_item", "group")  # types that stand for one, `nd_item` by its methods
_GIVE_WORK_GROUP = ("get_group(", "get_work_group")
# What stands before a name and behind it where it may be declared, none of what operators make of it.
_DECLARES = r"(?P<type>[A-Za-z_][\w:]*)(?:\s*<[^<>;]*>)?[\s&]+{0}\b(?=\s*[=;,)({{])(?:\s*(?P<value>[={{(][^;]*))?"
_NO_TYPES = ("return", "else", "const", "case", "throw", "typename")


def group_of_call(function: Function, site: CallSite) -> Group:
    """By what is given first, or by the object that a method is called on; "": that is not plain to see."""
    said = site.on if site.name.startswith(".") else (site.arguments or ("",))[0]
    said = said.strip()
    if not said.isidentifier():
        return _group_made_by(said)
    text = function.texts.device_code.decode("utf-8", "replace")
    each = {
        _group_of_declaration(it["type"], it["value"] or "")
        for it in re.finditer(_DECLARES.format(said), text)
        if it["type"] not in _NO_TYPES
    }
    return each.pop() if len(each) == 1 else ""


def _group_of_declaration(kind: str, value: str) -> Group:
    label = kind.rpartition("::")[2]
    if label == _SUB_GROUP:
        return "sub-group"
    if label in _WORK_GROUPS:
        return "work-group"
    return _group_made_by(value) if label == "auto" else ""


def _group_made_by(said: str) -> Group:
    if _SUB_GROUP in said:
        return "sub-group"
    return "work-group" if any(it in said for it in _GIVE_WORK_GROUP) else ""
